//! Encoded keys decode to the same keys, and only exact encodings decode.

use std::borrow::Cow;

use proptest::prelude::*;
use tallrow_codec::{DecodeRowKey, Digest, FieldErrorKind, Md5, RandomSalted as InBucket, RowKey};

use crate::keys::*;

fn round_trip<K: Key + DecodeRowKey>(key: &K) {
    assert_eq!(K::decode_key(&key.row()).as_ref(), Ok(key));
}

/// Shortens, lengthens and flips a row; each result is an error or the row of the decoded key.
fn damaged<K: Key + DecodeRowKey>(key: &K, at: prop::sample::Index, flip: u8) {
    let row = key.row();
    let cut = &row[..at.index(row.len() + 1)];
    canonical::<K>(cut);
    canonical::<K>(&[&row[..], &[flip]].concat());
    let mut changed = row.clone();
    changed[at.index(row.len())] ^= flip;
    canonical::<K>(&changed);
}

macro_rules! read_back {
    ($($test:ident: $key:ty;)*) => {
        proptest! {
            #![proptest_config(crate::cases(1000))]
            $(
                #[test]
                fn $test(key in <$key>::any(), at: prop::sample::Index, flip: u8, noise in bytes(40)) {
                    round_trip(&key);
                    damaged(&key, at, flip);
                    canonical::<$key>(&noise);
                }
            )*
        }
    };
}

with_every_key!(read_back);

#[test]
fn a_row_in_the_wrong_bucket_is_refused() {
    let mut row = Salted { tenant: 1, user: "bob".into(), at: 5 }.row();
    row[0] = (row[0] + 1) % 7;
    let error = Salted::decode_key(&row).unwrap_err();
    assert_eq!(
        (error.field(), error.offset(), error.kind()),
        ("salt", 0, FieldErrorKind::WrongSaltOrHash)
    );
}

#[test]
fn a_row_outside_the_buckets_of_a_random_salt_is_refused() {
    let click = Click { page: "a".into(), at: 1 };
    let row = click.encode_salted(301);
    assert_eq!(row[..2], [0, 6]);
    assert_eq!(Click::decode(&row), Ok(click));
    for bucket in [0_u16, 4, 305, u16::MAX] {
        let wrong = [&bucket.to_be_bytes(), &row[2..]].concat();
        let errors = [
            Click::decode(&wrong).unwrap_err(),
            InBucket::<Click>::decode_key(&wrong).unwrap_err(),
            Click::view(&wrong).unwrap_err(),
        ];
        for error in errors {
            let text = "decode Click: field salt at byte 0: expected one of the buckets";
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn a_row_with_a_wrong_hash_is_refused() {
    let key =
        |user: &str| Access { system: "a".into(), user: user.into(), period: "01".into(), rest: 1 };
    let mut row = key("a").row();
    row[..5].copy_from_slice(&key("c").row()[..5]);
    let error = Access::decode_key(&row).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode Access: field hash at byte 0: it does not match the fields after it: the row has another layout or is damaged"
    );
}

#[derive(RowKey)]
#[row_key(salt(buckets = 5, fields = (host)))]
struct Log<'a> {
    #[key(md5)]
    host: &'a str,
    #[key(md5(hex = 6))]
    event: &'a str,
    #[key(escaped)]
    user: &'a str,
    parent: Digest<4>,
    #[key(desc)]
    at: i64,
    rest: &'a [u8],
}

#[test]
fn a_view_shows_the_fields_of_a_row() {
    let key = Log {
        host: "host1",
        event: "login",
        user: "b\0b",
        parent: Digest::from([1, 2, 3, 4]),
        at: -7,
        rest: b"\0x",
    };
    let row = key.encode();
    let view = Log::view(&row).unwrap();
    assert!(view.host_is("host1") && !view.host_is("host2"));
    assert_eq!(view.host(), &Digest::of::<Md5<16>, _>("host1"));
    assert!(view.event_is("login"));
    assert_eq!(view.event().as_bytes(), b"d56b69");
    assert_eq!(
        (view.user(), view.parent(), view.at()),
        (&"b\0b".into(), &[1, 2, 3, 4].into(), &-7)
    );
    assert!(matches!(view.rest(), Cow::Borrowed(b"\0x")));

    let mut wrong = row.to_vec();
    wrong[0] = (wrong[0] + 1) % 5;
    assert_eq!(Log::view(&wrong).unwrap_err().field(), "salt");
    wrong = row.to_vec();
    wrong[17] = b'G';
    let error = Log::view(&wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode Log: field event at byte 17: expected lower-case hex digits"
    );
}

proptest! {
    #[test]
    fn a_view_agrees_with_decoding(t in Texts::any(), s in Salted::any(), d in Descending::any()) {
        let row = t.row();
        let view = Texts::view(&row).unwrap();
        prop_assert_eq!((&t.a, &t.b, &t.c, &t.d), (&view.a().to_string(), &view.b().to_string(), &view.c().to_string(), &view.d().to_string()));
        let row = s.row();
        let view = Salted::view(&row).unwrap();
        prop_assert_eq!((&s.tenant, s.user.as_str(), &s.at), (view.tenant(), &**view.user(), view.at()));
        let row = d.row();
        let view = Descending::view(&row).unwrap();
        prop_assert_eq!((&d.a[..], &d.c), (&**view.a(), view.c()));
    }
}

#[test]
fn an_unknown_record_variant_is_refused() {
    let mut row = CustomerRow::Customer { customer: "a".into(), region: 1 }.row();
    row[5] = 9;
    let error = CustomerRow::decode_key(&row).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode CustomerRow: field tag at byte 5: expected the tag of a record variant"
    );
}

#[test]
fn errors_name_the_field_and_the_byte() {
    let row = Nested {
        place: Place { shop: 1, shelf: "a".into() },
        other: Place { shop: 2, shelf: "b".into() },
        at: 3,
    }
    .row();
    let error = Nested::decode_key(&row[..8]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode Nested: field other at byte 5: its field shelf: its end mark is missing"
    );
    let error = Nested::decode_key(&row[..13]).unwrap_err();
    assert_eq!(error.to_string(), "decode Nested: field at at byte 10: need 8 bytes, found 3");
}
