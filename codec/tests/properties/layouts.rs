//! Successive layouts of one table: every row is distinguished from those of the others.

use proptest::prelude::*;
use tallrow_codec::schema::Schema;
use tallrow_codec::{DecodeRowKey, FieldErrorKind, RandomSalted, RowKey, RowRanges};

use crate::keys::*;

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 4))]
struct First {
    user: u16,
    at: u32,
}

/// Other buckets.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 8, bucket_offset = 4, fields = (user)), layout = 2)]
struct Second {
    #[key(escaped)]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

/// The digits of a hash, which sort after those buckets.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)), layout = 3)]
struct Third {
    #[key(escaped)]
    user: String,
    at: u64,
}

/// A wider random salt, after all others.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(random, buckets = 100, bucket_offset = 30000, width = 2), layout = 4)]
struct Fourth {
    user: u16,
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(layouts)]
enum Event {
    First(First),
    Second(Second),
    Third(Third),
    Fourth(RandomSalted<Fourth>),
}

#[derive(RowKey, Debug, Clone, PartialEq)]
struct Short(u32);

#[derive(RowKey, Debug, Clone, PartialEq)]
struct Long(u32, bool);

/// Distinguished only by their lengths.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(layouts)]
enum Sized {
    Short(Short),
    Long(Long),
}

impl Key for Event {
    fn any() -> BoxedStrategy<Self> {
        prop_oneof![
            any::<(u16, u32)>().prop_map(|(user, at)| Self::First(First { user, at })),
            (text(2), any::<i64>()).prop_map(|(user, at)| Self::Second(Second { user, at })),
            (text(2), any::<u64>()).prop_map(|(user, at)| Self::Third(Third { user, at })),
            any::<(u16, u32)>().prop_map(|(user, pick)| Self::Fourth(Fourth { user }.salted(pick))),
        ]
        .boxed()
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.row().cmp(&other.row())
    }
}

proptest! {
    #[test]
    fn every_row_is_decoded_as_its_layout(event in Event::any(), noise in bytes(20)) {
        let read = Event::decode(&event.row());
        prop_assert_eq!(read.as_ref(), Ok(&event));
        canonical::<Event>(&noise);
        let mut changed = event.row();
        changed[0] ^= 0x40;
        canonical::<Event>(&changed);
    }

    #[test]
    fn a_scan_of_a_layout_contains_no_row_of_another(events in prop::collection::vec(Event::any(), 1..30)) {
        let first = Event::first_rows(First::scan()).row_ranges().unwrap();
        let second = Event::second_rows(Second::scan()).row_ranges().unwrap();
        let fourth = Event::fourth_rows(Fourth::scan()).row_ranges().unwrap();
        for event in &events {
            let row = event.row();
            prop_assert_eq!(first.iter().any(|r| r.contains(&row)), matches!(event, Event::First(_)));
            prop_assert_eq!(second.iter().any(|r| r.contains(&row)), matches!(event, Event::Second(_)));
            prop_assert_eq!(fourth.iter().any(|r| r.contains(&row)), matches!(event, Event::Fourth(_)));
        }
    }

    #[test]
    fn a_scan_of_all_layouts_contains_every_row(event in Event::any()) {
        let [all] = Event::scan().row_ranges().unwrap();
        prop_assert!(all.contains(&event.row()));
    }

    #[test]
    fn lengths_distinguish_layouts(n: u32, flag: bool) {
        let (short, long) = (Sized::Short(Short(n)), Sized::Long(Long(n, flag)));
        prop_assert_eq!(Sized::decode(&short.encode().unwrap()), Ok(short));
        prop_assert_eq!(Sized::decode(&long.encode().unwrap()), Ok(long));
    }
}

#[test]
fn a_row_of_no_layout_is_refused() {
    let error = Sized::decode_key(b"abc").unwrap_err();
    assert_eq!((error.kind(), error.field()), (FieldErrorKind::NoLayout, ""));
    assert_eq!(error.to_string(), "decode Sized: the row matches no layout of the key");
    // Once the layout is known, its own error is returned.
    let error = Event::decode_key(b"\x05a").unwrap_err();
    assert_eq!(error.to_string(), "decode Second: field user at byte 1: its end mark is missing");
}

#[test]
fn the_schema_is_that_of_all_layouts() {
    assert!(Sized::SCHEMA.starts_with(&format!("{}{}", Short::SCHEMA, Long::SCHEMA)));
    assert_ne!(Sized::FINGERPRINT, Short::FINGERPRINT);
}

#[test]
fn each_layout_decodes_only_its_own_rows_by_its_schema() {
    let layouts = Schema::parse_layouts(Event::SCHEMA).unwrap();
    let names: Vec<&str> = layouts.iter().map(Schema::name).collect();
    assert_eq!(names, ["First", "Second", "Third", "Fourth"]);
    proptest!(|(event in Event::any())| {
        let row = event.row();
        let place = match event {
            Event::First(_) => 0,
            Event::Second(_) => 1,
            Event::Third(_) => 2,
            Event::Fourth(_) => 3,
        };
        for (at, layout) in layouts.iter().enumerate() {
            prop_assert_eq!(layout.decode(&row).is_ok(), at == place, "{} {:?}", layout.name(), row);
        }
    });
    assert_eq!(Schema::parse_layouts(Short::SCHEMA).unwrap(), [Schema::of::<Short>().unwrap()]);
}

#[test]
fn a_changed_text_of_layouts_is_reported_by_its_line() {
    let lines = |text: &str| text.lines().count();
    let error_of = |text: &str| {
        let error = Schema::parse_layouts(text).unwrap_err();
        (error.line().unwrap(), error.to_string())
    };
    let last = lines(Sized::SCHEMA);

    let (line, error) = error_of(&Sized::SCHEMA.replace("bool", "u7"));
    assert_eq!(line, lines(Short::SCHEMA) + 3, "{error}");
    let (line, error) = error_of(&Sized::SCHEMA.replace("bool", "u8"));
    assert_eq!(line, last - 1, "{error}");

    let own = format!("fingerprint {:016x}", Sized::FINGERPRINT);
    let (line, error) = error_of(&Sized::SCHEMA.replace(&own, "fingerprint 0123456789abcdef"));
    assert_eq!(line, last, "{error}");
    // One layout removed, with the fingerprint of all.
    let (line, error) = error_of(&Sized::SCHEMA.replace(Short::SCHEMA, ""));
    assert_eq!(line, last - lines(Short::SCHEMA), "{error}");
    assert!(Schema::parse_layouts("").is_err());
}
