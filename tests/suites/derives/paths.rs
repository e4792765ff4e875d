//! The derives work by every path to them, in a crate that depends only on `tallrow`.
#![deny(warnings)]

mod by_module {
    use tallrow::key::RowKey;

    #[derive(RowKey, Clone, Copy, Debug, PartialEq)]
    pub struct Id {
        pub id: u64,
    }
}

mod by_path {
    #[derive(tallrow::key::RowKey)]
    #[row_key(layouts)]
    pub enum Id {
        Only(super::by_module::Id),
    }

    #[derive(tallrow::Table)]
    #[table(name = "t")]
    #[family("d")]
    pub struct Row {
        #[key]
        pub id: super::by_module::Id,
        #[cell("d:n")]
        pub n: u64,
    }
}

mod by_globs {
    use tallrow::key::*;
    use tallrow::*;

    #[derive(RowKey, Clone, Copy)]
    #[row_key(salt(buckets = 4))]
    pub struct Id {
        pub id: u64,
    }

    #[derive(Table)]
    #[table(name = "t")]
    #[family("d")]
    pub struct Row {
        #[key]
        pub id: Id,
        #[cell("d:n")]
        pub n: Counter,
    }

    /// The module and the crate have the same name.
    pub type Names = (Native, Counter);

    pub fn row<K: RowKey>(key: &K) -> Option<K::Encoded> {
        key.encode_key().ok()
    }
}

#[test]
fn every_path_leads_to_the_derives() {
    let id = by_module::Id { id: 1 };
    assert_eq!(id.encode(), [0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(by_path::Id::Only(id).encode().unwrap()[..], id.encode());
    let row = by_path::Row { id, n: 1 };
    assert_eq!((row.id, row.n), (id, 1));
    let salted = by_globs::Row { id: by_globs::Id { id: 1 }, n: tallrow::Counter(0) };
    assert_eq!(by_globs::row(&salted.id), Some(salted.id.encode()));
    assert_eq!(salted.n.0, 0);
    assert!(None::<by_globs::Names>.is_none());
}
