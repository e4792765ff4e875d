//! Keys with type and const parameters, with and without the user's bounds.
#![deny(warnings)]

use std::borrow::Cow;
use std::fmt::Debug;

use tallrow_codec::{DecodeRowKey, Digest, Field, Md5, RowKey, RowRanges, Uid, text_prefix};

#[derive(RowKey, Clone, Debug, PartialEq)]
struct At<T> {
    id: T,
    #[key(rev_ts)]
    at: i64,
}

/// A table of names, which implements nothing, not even `Clone`.
struct Hosts;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (host)))]
struct Log<T, const BYTES: usize = 8>
where
    T: Send,
{
    host: Uid<T, BYTES>,
    code: [u8; BYTES],
}

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(ord)]
struct Pair<A: Field + Debug, B: Debug> {
    #[key(desc)]
    first: A,
    #[key(terminated_list)]
    more: Vec<u16>,
    second: Option<B>,
}

#[derive(RowKey, Debug, PartialEq)]
struct Named<'a, T> {
    #[key(escaped)]
    name: Cow<'a, str>,
    #[key(md5(bytes = 4))]
    hashed: T,
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(shared(id))]
enum Rows<T> {
    #[key(tag = 1)]
    One { id: T },
    #[key(tag = 2)]
    Two { id: T, more: u8 },
}

fn row<K: RowKey>(key: &K) -> Vec<u8> {
    key.encode_key().unwrap().as_ref().to_vec()
}

#[test]
fn generic_keys_work() {
    let key = At { id: 7_u16, at: 1 };
    assert_eq!(row(&key), [0, 7, 0x7f, 255, 255, 255, 255, 255, 255, 254]);
    assert_eq!(At::decode_key(&row(&key)), Ok(key.clone()));
    assert_eq!(At::<u16>::view(&row(&key)).unwrap().at(), &1);
    assert_eq!(At::<u16>::prefix().id(7).at(1).unwrap().as_slice(), row(&key));
    let [range] = At::<u16>::scan().id(7).at(..5).row_ranges().unwrap();
    assert!(range.contains(&row(&key)));
    // Keys of different types have different layouts.
    assert_ne!(At::<u16>::FINGERPRINT, At::<u32>::FINGERPRINT);
    assert!(At::<At<u8>>::SCHEMA.contains("id: key\n  id: u8\n"));

    let log = Log::<Hosts, 2> { host: Uid::new(5).unwrap(), code: *b"ab" };
    assert_eq!(row(&log)[1..], [0, 5, b'a', b'b']);
    let all: [_; 4] = Log::<Hosts, 2>::scan().row_ranges().unwrap();
    assert_eq!(all.iter().filter(|range| range.contains(&row(&log))).count(), 1);

    let pair = |first: u8, second| Pair { first, more: vec![1], second };
    assert!(pair(2, None::<bool>) < pair(1, None));
    assert!(pair(1, None) < pair(1, Some(false)));
    assert_eq!(row(&pair(1, Some(true))), [254, 1, 0, 1, 0, 1, 1]);
    // The parameter may be a text if it is the last field.
    let text = Pair { first: 1_u8, more: vec![], second: Some(String::from("x")) };
    assert_eq!(row(&text), [254, 0, 1, b'x']);
    assert_eq!(Pair::<u8, String>::decode(&row(&text)), Ok(text));

    let named = Named { name: "a".into(), hashed: 7_u32 };
    assert_eq!(
        Named::<u32>::view(&row(&named)).unwrap().hashed(),
        &Digest::of::<Md5<4>, _>(&7_u32)
    );
    let [named] = Named::<u32>::scan().name(text_prefix("a")).row_ranges().unwrap();
    assert_eq!(named.start(), b"a");

    let two = Rows::Two { id: -1_i8, more: 3 };
    assert_eq!(row(&two), [0x7f, 2, 3]);
    assert_eq!(Rows::<i8>::decode(&row(&two)), Ok(two));
    assert_eq!(Rows::prefix().id(-1_i8).two_rows().more(3).unwrap().as_slice(), [0x7f, 2, 3]);
}
