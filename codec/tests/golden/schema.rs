//! Schemas and fingerprints, which are the same in every release.

use std::num::NonZero;

use tallrow_codec::{Digest, NonNeg, RowKey, Uid};

#[derive(RowKey)]
#[allow(dead_code, reason = "only the layout is tested")]
struct Place {
    shop: u16,
    #[key(escaped)]
    shelf: Option<String>,
}

#[derive(RowKey)]
#[row_key(
    schema_table = "events",
    layout = 2,
    salt(buckets = 16, fields = (place)),
    lock_file = "tests/golden/event.key"
)]
#[allow(dead_code, reason = "only the layout is tested")]
struct Event {
    place: Place,
    #[key(width = 6, chars = "0-9", reverse)]
    code: String,
    #[key(rev_ts)]
    at: i64,
    #[key(md5(hex = 8))]
    host: String,
}

/// The layout of `Event` with other names. Its lock file is that of `Event` after an edit by hand:
/// a tab, line ends of Windows, no line end at the end.
#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (spot)), lock_file = "tests/golden/event_edited.key")]
#[allow(dead_code, reason = "only the layout is tested")]
struct Edited {
    spot: Place,
    #[key(width = 6, chars = "0-9", reverse)]
    digits: String,
    #[key(rev_ts)]
    time: i64,
    #[key(md5(hex = 8))]
    machine: String,
}

#[test]
fn a_lock_allows_other_names() {
    assert_eq!(Edited::FINGERPRINT, Event::FINGERPRINT);
}

#[test]
fn a_schema_names_every_part() {
    assert_eq!(
        Event::SCHEMA,
        "row key Event\n\
         table events\n\
         layout 2\n\
         salt of place: buckets = 16, width = 1, hash = fnv1a\n\
         place: key\n  \
           shop: u16\n  \
           shelf: optional text, escaped\n\
         code: text, width = 6, pad = 0x00, chars = \"0123456789\", reverse\n\
         at: i64, rev_ts, display_time = ms\n\
         host: text, md5(hex = 8)\n\
         fingerprint 9bf5d0c9dcce247f\n"
    );
}

type Metric = Uid<Event, 3>;

#[derive(RowKey)]
#[allow(dead_code, reason = "only the layout is tested")]
struct Stop {
    metric: Metric,
    #[key(desc)]
    place: Place,
}

#[derive(RowKey)]
#[row_key(
    shared(stop, tag),
    hash_prefix(md5, bytes = 1, fields = (tag), sep = '|')
)]
#[allow(dead_code, reason = "only the layout is tested")]
enum Row<'a> {
    #[key(tag = 7)]
    Bare { stop: Stop, tag: [u8; 1 + 2] },
    #[key(tag = 2)]
    Full {
        stop: Stop,
        tag: [u8; 1 + 2],
        parent: Digest<4>,
        first: Option<Place>,
        #[key(display_time = "s", floor = 3600)]
        at: u32,
        count: NonNeg<i16>,
        sign: NonZero<i8>,
        #[key(digits = 1)]
        digit: u8,
        #[key(raw_be, desc)]
        raw: i128,
        #[key(sep = '\x01', chars = "\"\\\x02a")]
        odd: &'a str,
        r#type: Option<std::borrow::Cow<'a, [u8]>>,
    },
}

/// Aliases, constants and nested keys are resolved.
#[test]
fn a_schema_is_complete() {
    assert_eq!(
        Row::SCHEMA,
        r#"row key Row
hash_prefix of tag: md5(bytes = 1), sep = 0x7c
stop: key
  metric: uid 3
  place: key, desc
    shop: u16
    shelf: optional text, escaped
tag: [u8; 3]
Bare: tag = 7
Full: tag = 2
  parent: digest 4
  first: optional key
    shop: u16
    shelf: optional text, escaped
  at: u32, floor = 3600, display_time = s
  count: nonneg i16
  sign: nonzero i8
  digit: u8, digits = 1
  raw: i128, raw_be, desc
  odd: text, sep = 0x01, chars = "\x02\"\\a"
  type: optional bytes
fingerprint b84e4b9e4af41db9
"#
    );
}

#[test]
fn a_lock_file_contains_the_schema() {
    assert_eq!(include_str!("event.key"), Event::SCHEMA);
    let fingerprint = format!("fingerprint {:016x}\n", Event::FINGERPRINT);
    assert!(Event::SCHEMA.ends_with(&fingerprint));
}

/// Names do not count; types, encodings, their order and the key prefix do.
#[test]
fn a_fingerprint_distinguishes_layouts() {
    macro_rules! fingerprint {
        ($(#[$attr:meta])* { $($fields:tt)* }) => {{
            #[derive(RowKey)]
            $(#[$attr])*
            #[allow(dead_code, reason = "only the layout is tested")]
            struct Key { $($fields)* }
            Key::FINGERPRINT
        }};
    }
    let plain = fingerprint!({ a: u32, b: i64 });
    assert_eq!(plain, fingerprint!({ other: u32, name: i64 }));
    assert_eq!(
        plain,
        fingerprint!(#[row_key(schema_table = "t: x", layout = 9)] { a: u32, #[key(display_time)] b: i64 })
    );
    let others = [
        plain,
        fingerprint!({ a: i64, b: u32 }),
        fingerprint!({ a: u32, b: u64 }),
        fingerprint!({ a: u32 }),
        fingerprint!({ a: u32, #[key(desc)] b: i64 }),
        fingerprint!({ a: u32, #[key(rev_ts)] b: i64 }),
        fingerprint!({ a: u32, b: [u8; 8] }),
        fingerprint!({ a: u32, b: [u8; 7] }),
        fingerprint!({ a: u32, b: Option<i64> }),
        fingerprint!({ a: u32, b: Place }),
        fingerprint!({ a: u32, b: Stop }),
        fingerprint!(#[row_key(salt(buckets = 4))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 5))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 4, fields = (a)))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 4, hash = crc32))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(hash_prefix(md5, hex = 4, fields = (a)))] { a: u32, b: i64 }),
    ];
    for (i, one) in others.iter().enumerate() {
        assert!(!others[..i].contains(one), "layout {i} has the fingerprint of another");
    }
}
