//! Types that the derive cannot resolve: aliases, nested keys that borrow, in every position.

use std::borrow::Cow;

use tallrow_codec::{RowKey, RowRanges};

type Seconds = i64;
type Name = String;
type Words<'a> = Cow<'a, str>;

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(ord)]
struct Inner<'a> {
    #[key(escaped)]
    user: Words<'a>,
    part: u8,
}

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(salt(buckets = 16, fields = (inner, name)), ord)]
struct Outer<'a> {
    inner: Inner<'a>,
    #[key(escaped)]
    name: Name,
    some: Option<Inner<'a>>,
    #[key(rev_ts)]
    at: Seconds,
}

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(shared(name), ord)]
enum Record<'a> {
    #[key(tag = 1)]
    One {
        #[key(escaped)]
        name: Name,
        inner: Inner<'a>,
    },
    #[key(tag = 2)]
    Two {
        #[key(escaped)]
        name: Name,
        #[key(md5)]
        hashed: Name,
    },
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (name)))]
struct Hours {
    #[key(escaped)]
    name: Name,
    #[key(floor = 3600)]
    at: Seconds,
}

#[test]
fn aliases_and_nested_keys_work() {
    #[derive(RowKey)]
    struct Local {
        at: Seconds,
        name: Name,
    }

    let inner = Inner { user: "bob".into(), part: 1 };
    let key = Outer { inner: inner.clone(), name: "a".into(), some: Some(inner.clone()), at: 7 };
    let row = key.encode();
    assert_eq!(Outer::decode(&row).unwrap(), key);
    assert_eq!(Outer::view(&row).unwrap().inner(), &inner);
    assert!(Outer::scan().inner(&inner).name("a").row_ranges().is_ok());
    let one = Record::One { name: "a".into(), inner };
    let two = Record::Two { name: "a".into(), hashed: "b".into() };
    assert!(one < two);
    assert_eq!(Hours { name: "a".into(), at: 3_601 }.locate().1.get(), 1);
    assert_eq!(Local { at: 1, name: "a".into() }.encode().as_ref().len(), 9);
}
