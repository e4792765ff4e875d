//! Layouts that follow each other in one table: every row is told from those of the others.

use proptest::prelude::*;
use tallrow_codec::schema::Schema;
use tallrow_codec::{DecodeRowKey, RandomSalted, RowKey, RowRanges};

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

/// The digits of a hash, which sort behind those buckets.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)), layout = 3)]
struct Third {
    #[key(escaped)]
    user: String,
    at: u64,
}

/// A wider salt behind all others, at random.
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

/// Told apart by their lengths alone.
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
    fn every_row_is_read_as_its_version(event in Event::any(), noise in bytes(20)) {
        let read = Event::decode(&event.row());
        prop_assert_eq!(read.as_ref(), Ok(&event));
        canonical::<Event>(&noise);
        let mut changed = event.row();
        changed[0] ^= 0x40;
        canonical::<Event>(&changed);
    }

    #[test]
    fn a_scan_of_a_version_holds_no_row_of_another(events in prop::collection::vec(Event::any(), 1..30)) {
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
    fn a_scan_of_all_versions_holds_every_row(event in Event::any()) {
        let [all] = Event::scan().row_ranges().unwrap();
        prop_assert!(all.contains(&event.row()));
    }

    #[test]
    fn lengths_tell_versions_apart(n: u32, flag: bool) {
        let (short, long) = (Sized::Short(Short(n)), Sized::Long(Long(n, flag)));
        prop_assert_eq!(Sized::decode(&short.encode().unwrap()), Ok(short));
        prop_assert_eq!(Sized::decode(&long.encode().unwrap()), Ok(long));
    }
}

#[test]
fn a_row_of_no_version_is_refused() {
    let error = Sized::decode_key(b"abc").unwrap_err();
    assert_eq!(error.to_string(), "decode Sized: the row matches no layout of the key");
    // Once the version is known, its own error says more.
    let error = Event::decode_key(b"\x05a").unwrap_err();
    assert_eq!(error.to_string(), "decode Second: field user at byte 1: its end mark is missing");
}

#[test]
fn the_schema_is_that_of_all_versions() {
    assert!(Sized::SCHEMA.starts_with(&format!("{}{}", Short::SCHEMA, Long::SCHEMA)));
    assert_ne!(Sized::FINGERPRINT, Short::FINGERPRINT);
}

#[test]
fn each_version_reads_its_own_rows_by_its_schema() {
    let versions = Schema::layouts(Event::SCHEMA).unwrap();
    let names: Vec<&str> = versions.iter().map(Schema::name).collect();
    assert_eq!(names, ["First", "Second", "Third", "Fourth"]);
    proptest!(|(event in Event::any())| {
        let row = event.row();
        let place = match event {
            Event::First(_) => 0,
            Event::Second(_) => 1,
            Event::Third(_) => 2,
            Event::Fourth(_) => 3,
        };
        for (at, version) in versions.iter().enumerate() {
            prop_assert_eq!(version.decode(&row).is_ok(), at == place, "{} {:?}", version.name(), row);
        }
    });
    assert_eq!(Schema::layouts(Short::SCHEMA).unwrap(), [Schema::of::<Short>().unwrap()]);
}

#[test]
fn a_changed_text_of_versions_is_told_by_its_line() {
    let lines = |text: &str| text.lines().count();
    let told = |text: &str| {
        let error = Schema::layouts(text).unwrap_err();
        (error.line().unwrap(), error.to_string())
    };
    let last = lines(Sized::SCHEMA);

    let (line, error) = told(&Sized::SCHEMA.replace("bool", "u7"));
    assert_eq!(line, lines(Short::SCHEMA) + 3, "{error}");
    let (line, error) = told(&Sized::SCHEMA.replace("bool", "u8"));
    assert_eq!(line, last - 1, "{error}");

    let own = format!("fingerprint {:016x}", Sized::FINGERPRINT);
    let (line, error) = told(&Sized::SCHEMA.replace(&own, "fingerprint 0123456789abcdef"));
    assert_eq!(line, last, "{error}");
    // A version left out, the fingerprint of all still there.
    let (line, error) = told(&Sized::SCHEMA.replace(Short::SCHEMA, ""));
    assert_eq!(line, last - lines(Short::SCHEMA), "{error}");
    assert!(Schema::layouts("").is_err());
}
