//! A value is passed in the same ways wherever one is taken: itself, by reference, and text and bytes as slices.

use std::borrow::Cow;

use tallrow::key::RowRanges;
use tallrow::{Counter, RowKey, Table, Update};

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserKey {
    #[key(escaped)]
    name: String,
    number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "users")]
#[family("d")]
struct User {
    #[key]
    key: UserKey,
    #[cell("d:m")]
    mail: Option<String>,
    #[cell("d:n")]
    count: Option<i32>,
    #[cell("d:b")]
    bytes: Option<Vec<u8>>,
    #[cell("d:c")]
    hits: Counter,
}

/// Passes a value in several ways to all that take one of its type, and compares what becomes of each.
macro_rules! same {
    ($ways:tt: $value:ident => $($taken:expr),*) => {
        $(same! { @one $ways $value $taken })*
    };
    (@one [$($way:expr),*] $value:ident $taken:expr) => {
        let all = [$({
            let $value = $way;
            format!("{:?}", $taken)
        }),*];
        assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    };
}

#[test]
fn a_value_is_passed_in_every_way() {
    let (owned, list, cow) = (String::from("ada"), ["ada"], Cow::Borrowed("ada"));
    same! {
        ["ada", &owned, owned.clone(), owned.as_str(), cow.clone()]: text => UserKey::scan().name(text).row_ranges()
    }
    same! {
        ["ada", &owned, owned.clone(), owned.as_str(), cow.clone(), list.first().unwrap()]: text =>
        Update::<User>::new().set(User::MAIL, text),
        Update::<User>::new().set_option(User::MAIL, Some(text)),
        User::MAIL.eq(text),
        User::MAIL.ge(text),
        User::MAIL.one_of([text]),
        User::MAIL.is_between(text..)
    }
    // The same type in each way: the argument is a `&str`, to which `&String` coerces.
    for condition in [User::MAIL.starts_with("ada"), User::MAIL.starts_with(&owned)] {
        assert_eq!(format!("{condition:?}"), r#"d:m starts with "ada""#);
    }
    for condition in [User::MAIL.contains("ada"), User::MAIL.contains(&owned)] {
        assert_eq!(format!("{condition:?}"), r#"d:m contains "ada""#);
    }
    same! {
        [5, &5]: number =>
        Update::<User>::new().set(User::COUNT, number),
        Update::<User>::new().set_option(User::COUNT, Some(number)),
        User::COUNT.lt(number),
        User::COUNT.one_of([number]),
        User::COUNT.is_between(..=number)
    }
    same! {
        [b"ab", &b"ab"[..], vec![b'a', b'b'], &vec![b'a', b'b']]: bytes =>
        Update::<User>::new().set(User::BYTES, bytes),
        User::BYTES.eq(bytes),
        User::BYTES.is_between(bytes..)
    }
    same! {
        [3, Counter(3), &Counter(3)]: hits => User::HITS.gt(hits)
    }
    assert_eq!(format!("{:?}", User::MAIL.is_between(..)), "d:m is present");
    let names = ["ada", "bob"];
    assert_eq!(
        format!("{:?}", User::MAIL.one_of(&names)),
        format!("{:?}", User::MAIL.one_of(names))
    );
}
