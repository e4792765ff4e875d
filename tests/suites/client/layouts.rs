//! Tables whose row keys have had several layouts: opened, altered, created and scanned.

use tallrow::{
    ErrorKind, RowKey, Table, TableDescriptor,
    admin::{AlterStep, KeyLayout},
};
use tallrow_tests::Place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4))]
struct OldKey {
    user: u32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 16, bucket_offset = 4), layout = 2)]
struct NewKey {
    user: u64,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(layouts)]
enum UserKey {
    Old(OldKey),
    New(NewKey),
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(layouts)]
enum OtherOrder {
    New(NewKey),
    Old(OldKey),
}

/// Row types of one table, each with another key.
macro_rules! users {
    ($table:tt, $($name:ident: $key:ty,)*) => {
        $(
            #[derive(Table, Debug, PartialEq)]
            #[table(name = $table)]
            #[family("d")]
            struct $name {
                #[key]
                key: $key,
                #[cell("d:n")]
                name: String,
            }
        )*
    };
}

users!("t_layouts_added", Before: OldKey, Between: UserKey, After: NewKey, Turned: OtherOrder,);

pub(crate) async fn a_further_layout_is_opened_recorded_and_read(place: Place) {
    place.drop_table(Before::TABLE).await;
    let (client, admin) = (&place.client, place.client.admin());
    admin.create::<Before>().await.unwrap();
    let old = |user| Before { key: OldKey { user }, name: "old".into() };
    let before = client.open::<Before>().await.unwrap();
    for row in [old(1), old(2)] {
        before.put(&row).await.unwrap();
    }

    // Rows of the existing layout can be read, so the table opens; the record can be extended.
    let between = client.open::<Between>().await.unwrap();
    assert!(!admin.create_if_missing::<Between>().await.unwrap());
    let diff = admin.diff::<Between>().await.unwrap();
    let [AlterStep::KeyLayouts { record, added, dropped }] = diff.steps() else {
        panic!("{diff:?}")
    };
    assert_eq!(record, &KeyLayout::of::<UserKey>());
    assert_eq!((added.len(), dropped.len()), (1, 0), "{diff}");
    assert!(diff.to_string().starts_with("the record of its row keys lacks the layout NewKey"));
    assert!(diff.disallowed().is_empty() && diff.incompatible_key_layouts().is_none());
    let shell = diff.to_shell();
    assert!(shell.starts_with("alter 't_layouts_added', METADATA => {'TALLROW.KEY."), "{shell}");
    admin.alter(&diff).await.unwrap();
    let live = admin.describe(Between::TABLE).await.unwrap();
    assert_eq!(KeyLayout::of_table(&live).unwrap().schema(), UserKey::SCHEMA);
    for diff in [admin.diff::<Between>().await.unwrap(), admin.diff::<Turned>().await.unwrap()] {
        assert!(diff.is_empty(), "{diff}");
    }

    let new = Between { key: UserKey::New(NewKey { user: 3 }), name: "new".into() };
    between.put(&new).await.unwrap();
    let mut users = Vec::new();
    let mut rows = between.scan(UserKey::scan()).rows();
    while let Some(row) = rows.next_row().await.unwrap() {
        users.push(match row.key {
            UserKey::Old(key) => u64::from(key.user),
            UserKey::New(key) => key.user,
        });
    }
    users.sort_unstable();
    assert_eq!(users, [1, 2, 3]);

    // A type that reads only some of the rows does not open the table, and the error names the
    // missing layout.
    for error in [
        client.open::<Before>().await.unwrap_err(),
        client.open::<After>().await.unwrap_err(),
        admin.create_if_missing::<After>().await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
    }
    let diff = admin.diff::<After>().await.unwrap();
    assert_eq!(diff.disallowed(), ["KEY"]);
    let error = admin.alter(&diff).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    let text = error.to_string();
    assert!(text.contains("layout OldKey") && text.ends_with("call allow(\"KEY\")"), "{text}");

    // Unless the caller confirms that there are no such rows.
    let old_keys: Vec<_> = [1, 2].map(|user| UserKey::Old(OldKey { user })).into();
    for key in &old_keys {
        between.delete(key).await.unwrap();
    }
    admin.alter(&diff.allow("KEY")).await.unwrap();
    client.open::<After>().await.unwrap();
    let error = client.open::<Before>().await.unwrap_err();
    assert!(error.to_string().ends_with("copy the rows to a new table"), "{error}");
}

users!("t_layouts_split", Split: UserKey,);

pub(crate) async fn a_table_is_split_for_every_layout(place: Place) {
    place.drop_table(Split::TABLE).await;
    let admin = place.client.admin();
    admin.create::<Split>().await.unwrap();
    if place.keeps_splits() {
        let locator = place.client.region_locator(Split::TABLE).unwrap();
        let regions = locator.all_regions().await.unwrap();
        let starts: Vec<_> = regions.iter().skip(1).map(|r| r.start_key().to_vec()).collect();
        assert_eq!(starts, (1..20).map(|bucket| vec![bucket]).collect::<Vec<_>>());
    }

    // A region for each bucket of each layout, and one for rows before the buckets of the second.
    let table = TableDescriptor::of::<Split>().unwrap().regions(2).unwrap();
    assert_eq!(table.split_keys(), [vec![2], vec![4], vec![12]]);
    // 4 buckets cannot be divided into 16 regions, those of the other layout can.
    let table = TableDescriptor::of::<Split>().unwrap().regions(16).unwrap();
    assert_eq!(table.split_keys().len(), 16);
    let error = TableDescriptor::of::<Split>().unwrap().regions(3).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    let row = Split { key: UserKey::Old(OldKey { user: 1 }), name: "a".into() };
    let table = place.client.open::<Split>().await.unwrap();
    table.put(&row).await.unwrap();
    assert_eq!(table.get(&row.key).await.unwrap(), Some(row));
}
