//! Types, names and numbers passed on by a macro of the user.

use tallrow::{RowKey, Table};

macro_rules! table {
    ($row:ident, $key:ident, $name:literal, $family:literal, $versions:literal, $buckets:expr, $ty:ty) => {
        #[derive(RowKey)]
        #[row_key(salt(buckets = $buckets))]
        pub struct $key {
            pub id: $ty,
        }

        #[derive(Table)]
        #[table(name = $name)]
        #[family($family, versions = $versions)]
        pub struct $row {
            #[key]
            pub row: $key,
            #[cell("d:c")]
            pub cells: $ty,
            #[cell("d:k")]
            pub key_0: Option<$ty>,
        }
    };
}

table!(Thing, ThingKey, "things", "d", 3, 4, u32);

#[test]
fn a_macro_may_pass_on_names() {
    assert_eq!(Thing::TABLE, "things");
    assert_eq!(ThingKey::SPLITS.len(), 3);
}
