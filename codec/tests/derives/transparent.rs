//! Newtypes that are written as the value inside, with every attribute that it may have.

use std::borrow::Cow;
use std::marker::PhantomData;

use tallrow_codec::{RowKey, RowRange, RowRanges, text_prefix};

#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[row_key(transparent)]
struct Name(String);

#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[row_key(transparent)]
struct At {
    millis: i64,
}

/// An id of one of several things.
#[derive(RowKey)]
#[row_key(transparent)]
struct Id<T>(u32, PhantomData<T>);

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Id({})", self.0)
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(transparent)]
struct Wrapped<T>(T);

#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[row_key(transparent)]
struct Host<'a>(&'a str);

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
struct Place {
    shop: u16,
    shelf: u8,
}

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(transparent)]
struct Shelf(Place);

#[derive(Clone, Copy, Debug, PartialEq)]
struct User;

/// Two keys with the same fields: `New` has the newtypes, `Old` the types inside them.
mod same {
    #![allow(dead_code, reason = "only the bytes are compared")]

    use super::*;

    macro_rules! pair {
        ($($(#[$key:meta])* $field:ident: $wrapped:ty, $plain:ty;)*) => {
            #[derive(RowKey, Clone, Debug, PartialEq)]
            #[row_key(salt(buckets = 4, fields = (escaped)), allow(unsorted_text))]
            pub(super) struct New {
                $($(#[$key])* pub(super) $field: $wrapped,)*
            }

            #[derive(RowKey, Clone, Debug, PartialEq)]
            #[row_key(salt(buckets = 4, fields = (escaped)), allow(unsorted_text))]
            pub(super) struct Old {
                $($(#[$key])* pub(super) $field: $plain,)*
            }
        };
    }

    pair! {
        #[key(escaped)] escaped: Name, String;
        #[key(nul_terminated, desc)] ended: Name, String;
        #[key(width = 8, chars = "a-z")] fixed: Name, String;
        #[key(sep = '|')] separated: Name, String;
        #[key(escaped, reverse)] reversed: Name, String;
        #[key(rev_ts)] newest: At, i64;
        #[key(raw_be)] raw: At, i64;
        #[key(floor = 60, display_time = "s")] floored: At, i64;
        #[key(digits = 10)] digits: Id<User>, u32;
        #[key(digits = 10, reverse)] back: Id<User>, u32;
        plain: Id<User>, u32;
        #[key(md5(bytes = 4))] hashed: Name, String;
        shelf: Shelf, Place;
        some: Option<At>, Option<i64>;
        #[key(terminated_list)] list: Vec<At>, Vec<i64>;
        twice: Wrapped<Wrapped<At>>, i64;
        last: Name, String;
    }
}

fn keys() -> (same::New, same::Old) {
    let (text, at, id) = ("bob".to_string(), 1_700_000_000_040, 4_711);
    let (name, shelf) = (Name(text.clone()), Place { shop: 1, shelf: 2 });
    let floored = 1_700_000_040 / 60 * 60;
    let old = same::Old {
        escaped: "b\0b".into(),
        ended: text.clone(),
        fixed: text.clone(),
        separated: text.clone(),
        reversed: text.clone(),
        newest: at,
        raw: at,
        floored,
        digits: id,
        back: id,
        plain: id,
        hashed: text.clone(),
        shelf: shelf.clone(),
        some: Some(at),
        list: vec![at, -at],
        twice: at,
        last: text,
    };
    let (millis, id) = (At { millis: at }, Id(id, PhantomData));
    let new = same::New {
        escaped: Name("b\0b".into()),
        ended: name.clone(),
        fixed: name.clone(),
        separated: name.clone(),
        reversed: name.clone(),
        newest: millis.clone(),
        raw: millis.clone(),
        floored: At { millis: floored },
        digits: id,
        back: id,
        plain: id,
        hashed: name.clone(),
        shelf: Shelf(shelf),
        some: Some(millis.clone()),
        list: vec![millis.clone(), At { millis: -at }],
        twice: Wrapped(Wrapped(millis)),
        last: name,
    };
    (new, old)
}

#[test]
fn a_newtype_has_the_bytes_and_the_schema_of_the_value_inside() {
    let (new, old) = keys();
    assert_eq!(new.encode().unwrap(), old.encode().unwrap());
    assert_eq!(same::New::SCHEMA.replace("New", "Old"), same::Old::SCHEMA);
    assert_eq!(same::New::FINGERPRINT, same::Old::FINGERPRINT);
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Login<'a> {
    #[key(escaped)]
    user: Name,
    #[key(rev_ts)]
    at: At,
    host: Host<'a>,
}

#[test]
fn a_newtype_is_read_back_and_ranges_are_those_of_its_values() {
    let login =
        |user: &str, at| Login { user: Name(user.into()), at: At { millis: at }, host: Host("h") };
    let row = login("bob", 5).encode();
    assert_eq!(Login::decode(&row), Ok(login("bob", 5)));
    assert_eq!(Login::view(&row).unwrap().host(), &Host("h"));

    let one = |ranges: [RowRange; 1]| ranges[0].clone();
    let at = |millis| At { millis };
    let bob = Login::scan().user(Name("bob".into()));
    let range = one(bob.clone().at(at(5)..at(7)).row_ranges().unwrap());
    let hits = [4, 5, 6, 7].map(|at| range.contains(&login("bob", at).encode()));
    assert_eq!(hits, [false, true, true, false]);
    let whole = one(bob.at(at(5)).host(Host("h")).row_ranges().unwrap());
    assert!(whole.contains(&row));

    let texts = [Name("bo".into()).0, "bo".into()];
    let [newtype, text] = [
        one(Login::scan().user(text_prefix(Name(texts[0].clone()))).row_ranges().unwrap()),
        one(Login::scan().user(text_prefix(&*texts[1])).row_ranges().unwrap()),
    ];
    assert_eq!(newtype, text);
    assert!(
        text.contains(&login("bonnie", 1).encode()) && !text.contains(&login("bill", 1).encode())
    );
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)))]
struct Hashed {
    #[key(escaped)]
    user: Name,
    #[key(floor = 60)]
    at: At,
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)))]
struct HashedText<'a> {
    #[key(escaped)]
    user: Cow<'a, str>,
    #[key(floor = 60)]
    at: i64,
}

#[test]
fn a_newtype_is_hashed_as_the_value_inside_and_has_its_periods() {
    let (row, offset) = Hashed { user: Name("bob".into()), at: At { millis: 125 } }.locate();
    let (text, same) = HashedText { user: "bob".into(), at: 125 }.locate();
    assert_eq!((&row[..], offset), (&text[..], same));
    assert_eq!(Hashed::decode(&row).unwrap().at, At { millis: 120 });
    assert_eq!(offset.join(At { millis: 120 }), Some(At { millis: 125 }));
}
