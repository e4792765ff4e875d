//! Tables with the cells of Phoenix; `tests/peers/phoenix` has the tests with Phoenix itself.

use tallrow::{Counter, ErrorKind, RowKey, Table, Update};
use tallrow_tests::Place;

use super::typed::table;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(compat = "phoenix")]
struct Id {
    id: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_phoenix", compat = "phoenix")]
#[family("0")]
#[family("1")]
struct User {
    #[key]
    id: Id,
    #[cell("1", encoded = 11)]
    name: Option<String>,
    #[cell("0", encoded = 12)]
    age: Option<i32>,
    /// An `UNSIGNED_LONG`.
    #[cell("0", encoded = 13)]
    visits: Counter,
}

/// Only the name.
#[derive(Table, Debug, PartialEq)]
#[table(projection_of = User)]
struct Name {
    name: Option<String>,
}

const EMPTY: (&str, &[u8]) = ("0", b"\0\0\0\0");

pub(crate) async fn a_row_of_nulls_is_found_by_its_empty_column(place: Place) {
    let users = table::<User>(&place, &[] as &[&str]).await;
    let raw = users.raw().unwrap().clone();
    let cells = async |id: i64| {
        let row = raw.get(Id { id }.encode()).await.unwrap();
        row.map(|row| {
            let cell = |c: &tallrow::cell::Cell| (c.qualifier().to_vec(), c.value().to_vec());
            row.cells().iter().map(cell).collect::<Vec<_>>()
        })
    };
    let empty = (EMPTY.1.to_vec(), b"x".to_vec());
    assert_eq!(User::EMPTY_COLUMN, Some(EMPTY));

    let none = User { id: Id { id: 1 }, name: None, age: None, visits: Counter(0) };
    users.put(&none).await.unwrap();
    assert_eq!(users.get(&none.id).await.unwrap(), Some(none.clone()));
    let names = place.same::<Name, _>(&users);
    assert_eq!(names.get(&none.id).await.unwrap(), Some(Name { name: None }));
    assert_eq!(cells(1).await, Some(vec![empty.clone()]));

    // An update makes a row, one that only deletes does not.
    users.update(&Id { id: 2 }, Update::new().set(User::AGE, -1)).await.unwrap();
    let age = (b"\x80\x0c".to_vec(), b"\x7f\xff\xff\xff".to_vec());
    assert_eq!(cells(2).await, Some(vec![empty.clone(), age]));
    users.update(&Id { id: 2 }, Update::new().unset(User::AGE)).await.unwrap();
    assert_eq!(cells(2).await, Some(vec![empty.clone()]));
    users.update(&Id { id: 3 }, Update::new().unset(User::AGE)).await.unwrap();
    assert_eq!(cells(3).await, None);
    assert_eq!(users.increment(&Id { id: 3 }, User::VISITS, 7).await.unwrap(), Some(7));
    let visits = (b"\x80\x0d".to_vec(), b"\0\0\0\0\0\0\0\x07".to_vec());
    assert_eq!(cells(3).await, Some(vec![empty, visits]));

    let error = users.put(&User { name: Some(String::new()), ..none }).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let expected = r"column 1:\x80\x0B: expected a value, found an empty one, which is null to Phoenix; use None";
    assert!(error.to_string().ends_with(expected), "{error}");
}

pub(crate) async fn the_cells_of_phoenix_are_compared_by_the_server(place: Place) {
    let users = table::<User>(&place, &[] as &[&str]).await;
    for (id, age) in [(1, Some(-5)), (2, Some(0)), (3, Some(i32::MAX)), (4, None)] {
        let row = User { id: Id { id }, name: Some(format!("n{id}")), age, visits: Counter(0) };
        users.put(&row).await.unwrap();
    }
    let ids = async |condition| {
        let mut rows = users.scan(Id::scan()).filter::<User>(condition).rows();
        let mut ids = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            ids.push(row.id.id);
        }
        ids
    };
    assert_eq!(ids(User::AGE.lt(0)).await, [1]);
    assert_eq!(ids(User::AGE.ge(0)).await, [2, 3]);
    assert_eq!(ids(User::AGE.is_absent() | User::NAME.eq("n1")).await, [1, 4]);
}
