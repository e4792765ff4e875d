//! A schema matches exactly the rows that have the values.

use proptest::prelude::*;
use tallrow_codec::schema::{FieldValues, MatchError, Schema, Value};
use tallrow_codec::{RandomSalted as InBucket, RowKey};

use crate::keys::*;

/// Matches some of the values of one row, and compares the result for other rows with their values.
fn exact<K: Key>(key: &K, others: &[K], chosen: u8) {
    let schema = Schema::parse(K::SCHEMA).unwrap();
    let fields = schema.decode(&key.row()).unwrap();
    let random = K::SCHEMA.contains("salt random: ");
    let picked: FieldValues = fields
        .iter()
        .filter(|(name, _)| !(random && name == "salt"))
        .enumerate()
        .filter(|(at, _)| chosen >> (at % 8) & 1 == 1)
        .map(|(_, pair)| pair.clone())
        .collect();
    // The own fields of a record variant need the variant.
    let variant = fields.iter().position(|(_, value)| matches!(value, Value::Variant(_)));
    let record = picked.iter().any(|(_, value)| matches!(value, Value::Variant(_)));
    let own = |name: &str| fields.iter().position(|(n, _)| n == name) > variant;
    if variant.is_some() && !record && picked.iter().any(|(name, _)| own(name)) {
        assert!(matches!(schema.select_rows(&picked), Err(MatchError::Encode(_))));
        return;
    }
    let found = match schema.select_rows(&picked) {
        Ok(found) => found,
        Err(MatchError::NoWidth { .. } | MatchError::NoEndMark { .. }) => return,
        Err(error) => panic!("{picked}: {error}"),
    };
    for other in others.iter().chain([key]) {
        let row = other.row();
        let values = schema.decode(&row).unwrap();
        let has = picked.iter().all(|(name, value)| values.get(name) == Some(value));
        assert_eq!(found.contains(&row), has, "{picked} in {values}");
    }
    assert!(found.ranges.is_sorted_by(|a, b| a.stop().is_some_and(|stop| stop <= b.start())));
}

macro_rules! exact {
    ($($test:ident: $key:ty;)*) => {
        proptest! {
            #![proptest_config(crate::cases(300))]
            $(
                #[test]
                fn $test(
                    key in <$key>::any(),
                    others in prop::collection::vec(<$key>::any(), 8),
                    chosen: u8,
                ) {
                    exact(&key, &others, chosen);
                }
            )*
        }
    };
}

with_exact_keys!(exact);

#[test]
fn the_position_of_each_value_is_found() {
    let log = "row key Log\nhash_prefix of host: md5(bytes = 4)\nhost: u32\nevent: u16\nuser: text, escaped\nat: u64\nrest: text\n";
    let schema = Schema::parse(log).unwrap();
    let of = |text: &[(&str, Value)]| schema.select_rows(text);

    let whole = of(&[]).unwrap();
    assert_eq!((whole.ranges.len(), whole.ranges[0].start(), whole.fuzzy), (1, &b""[..], None));
    let host = of(&[("host", Value::from(7))]).unwrap();
    let row = schema.encode_text("host=7, event=1, user=bob, at=2, rest=x").unwrap();
    assert_eq!((host.ranges[0].start(), &host.fuzzy), (&row[..8], &None));
    assert!(host.contains(&row));

    let event = of(&[("event", Value::from(1))]).unwrap();
    assert_eq!((event.ranges[0].start(), event.ranges[0].stop()), (&b""[..], None));
    let fuzzy = event.fuzzy.clone().unwrap();
    assert_eq!(fuzzy.row, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(fuzzy.mask, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    assert!(event.contains(&row));

    let both = of(&[("host", Value::from(7)), ("user", Value::from("bob"))]).unwrap();
    assert_eq!(both.ranges[0].start(), &row[..8]);
    assert_eq!(both.fuzzy.unwrap().mask, [&[0; 8][..], &[1, 1], &[0; 5]].concat());

    let refused = |fields: &[(&str, Value)]| of(fields).unwrap_err().to_string();
    assert_eq!(
        refused(&[("host", Value::from(7)), ("at", Value::from(7))]),
        "match rows: user has no value and no fixed width, so at starts at another byte in each row; give user too, or filter what is read"
    );
    assert_eq!(
        refused(&[
            ("user", Value::from("bob")),
            ("at", Value::from(7)),
            ("rest", Value::from("x"))
        ]),
        "match rows: rest goes to the end of the row key, and a mask would match longer values too; give the fields before it, or filter what is read"
    );
    assert_eq!(
        refused(&[("hots", Value::from(7))]),
        "encode Log: field hots: the key has no such field, or has its value already"
    );
    let all = "host=7, event=1, user=bob, at=2, rest=x";
    let all = schema.decode(&schema.encode_text(all).unwrap()).unwrap();
    let one = schema.select_rows(&all).unwrap();
    assert!(one.contains(&row) && !one.contains(&[&row[..], b"y"].concat()));

    let salted = Schema::parse(Salted::SCHEMA).unwrap();
    let buckets = salted.select_rows(&[("tenant", Value::from(1))]).unwrap();
    assert_eq!((buckets.ranges.len(), buckets.fuzzy), (7, None));
}
