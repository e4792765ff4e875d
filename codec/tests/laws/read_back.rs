//! What is written is read back; what is read was written so and not otherwise.

use proptest::prelude::*;
use tallrow_codec::{DecodeRowKey, FaultKind};

use crate::keys::*;

fn round_trip<K: Key + DecodeRowKey>(key: &K) {
    assert_eq!(K::decode_key(&key.row()).as_ref(), Ok(key));
}

/// Cuts, lengthens and flips a row; each result is an error or the row of the key it gives.
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
            #![proptest_config(ProptestConfig::with_cases(1000))]
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

read_back! {
    numbers: Numbers;
    texts: Texts;
    descending: Descending;
    small: Small;
    nested: Nested;
    salted: Salted;
    whole_salted: WholeSalted;
    access: Access;
    phone: Phone;
    kinds_of_rows: CustomerRow;
    partitioned: Partitioned;
}

#[test]
fn a_row_in_the_wrong_bucket_is_refused() {
    let mut row = Salted { tenant: 1, user: "bob".into(), at: 5 }.row();
    row[0] = (row[0] + 1) % 7;
    let error = Salted::decode_key(&row).unwrap_err();
    assert_eq!((error.field(), error.offset(), error.kind()), ("salt", 0, FaultKind::ForeignLead));
}

#[test]
fn a_row_with_a_foreign_hash_is_refused() {
    let key =
        |user: &str| Access { system: "a".into(), user: user.into(), period: "01".into(), rest: 1 };
    let mut row = key("a").row();
    row[..5].copy_from_slice(&key("c").row()[..5]);
    let error = Access::decode_key(&row).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode Access: field hash at byte 0: it does not belong to the fields behind it; another layout or a damaged row"
    );
}

#[test]
fn an_unknown_kind_of_rows_is_refused() {
    let mut row = CustomerRow::Customer { customer: "a".into(), region: 1 }.row();
    row[5] = 9;
    let error = CustomerRow::decode_key(&row).unwrap_err();
    assert_eq!(
        error.to_string(),
        "decode CustomerRow: field tag at byte 5: expected the tag of a kind of rows"
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
