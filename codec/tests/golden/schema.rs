//! Schemas and fingerprints, which stay as they are from release to release.

use tallrow_codec::RowKey;

#[derive(RowKey)]
#[allow(dead_code, reason = "only the layout is looked at")]
struct Place {
    shop: u16,
    #[key(escaped)]
    shelf: Option<String>,
}

#[derive(RowKey)]
#[row_key(
    table = "events",
    version = 2,
    salt(buckets = 16, of = (place)),
    lock = "tests/golden/event.key"
)]
#[allow(dead_code, reason = "only the layout is looked at")]
struct Event {
    place: Place,
    #[key(width = 6, chars = "0-9", reverse)]
    code: String,
    #[key(rev_ts)]
    at: i64,
    #[key(md5(hex = 8))]
    host: String,
}

#[test]
fn a_schema_names_every_part() {
    assert_eq!(
        Event::SCHEMA,
        "row key Event\n\
         table events\n\
         version 2\n\
         salt, 16 buckets in 1 bytes by fnv1a of place\n\
         place: Place\n\
         code: text, width 6 filled with 0x00, chars \"0123456789\", reversed\n\
         at: i64, reverse timestamp\n\
         host: text, md5 8 hex digits\n"
    );
    assert_eq!(Place::SCHEMA, "row key Place\nshop: u16\nshelf: optional text, escaped\n");
}

#[test]
fn a_lock_file_holds_the_schema_and_the_fingerprint() {
    let locked = include_str!("event.key");
    assert_eq!(locked, format!("{}fingerprint {:016x}\n", Event::SCHEMA, Event::FINGERPRINT));
}

/// Names do not count, and each of type, form, order and lead does.
#[test]
fn a_fingerprint_tells_layouts_apart() {
    macro_rules! fingerprint {
        ($(#[$attr:meta])* { $($fields:tt)* }) => {{
            #[derive(RowKey)]
            $(#[$attr])*
            #[allow(dead_code, reason = "only the layout is looked at")]
            struct Key { $($fields)* }
            Key::FINGERPRINT
        }};
    }
    let plain = fingerprint!({ a: u32, b: i64 });
    assert_eq!(plain, fingerprint!({ other: u32, name: i64 }));
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
        fingerprint!(#[row_key(salt(buckets = 4))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 5))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 4, of = (a)))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(salt(buckets = 4, hash = crc32))] { a: u32, b: i64 }),
        fingerprint!(#[row_key(hash_prefix(md5, hex = 4, of = (a)))] { a: u32, b: i64 }),
    ];
    for (i, one) in others.iter().enumerate() {
        assert!(!others[..i].contains(one), "layout {i} is taken for another");
    }
}
