//! Points in time and dates of chrono, jiff and time have the bytes and the schema of a number.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod bounds;
mod tested;

use tallrow_codec::{RowKey, RowRanges};

tallrow_codec::install_counting_allocator!();

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(allow(hotspot))]
struct Numbers {
    #[key(display_time = "s")]
    seconds: i64,
    #[key(display_time)]
    millis: i64,
    #[key(display_time = "us", desc)]
    micros: i64,
    #[key(raw_be, display_time = "s")]
    raw: i64,
    #[key(floor = 3600, display_time = "s")]
    hour: i64,
    #[key(rev_ts)]
    newest: i64,
    #[key(rev_ts)]
    day: i64,
}

/// A time before 1970 and one after it, in nanoseconds.
const TIMES: [i128; 2] = [-1_234_567_891_000_000, 1_700_000_000_123_456_000];

fn numbers(nanos: i128) -> Numbers {
    let of = |unit: i128| i64::try_from(nanos.div_euclid(unit)).unwrap();
    Numbers {
        seconds: of(1_000_000_000),
        millis: of(1_000_000),
        micros: of(1_000),
        raw: of(1_000_000_000).abs(),
        hour: of(3_600_000_000_000) * 3600,
        newest: of(1_000_000),
        day: of(86_400_000_000_000) * 86_400_000,
    }
}

macro_rules! same {
    ($crate_name:ident, $time:ty, $date:ty, $nanos:expr, $date_of:expr) => {
        mod $crate_name {
            use super::*;

            #[derive(RowKey, Clone, Debug, PartialEq)]
            #[row_key(allow(hotspot))]
            struct Times {
                #[key(unit = "s")]
                seconds: $time,
                #[key(unit = "ms")]
                millis: $time,
                #[key(unit = "us", desc)]
                micros: $time,
                #[key(unit = "s", raw_be)]
                raw: $time,
                #[key(unit = "s", floor = 3600)]
                hour: $time,
                #[key(rev_ts)]
                newest: $time,
                #[key(rev_ts)]
                day: $date,
            }

            #[derive(RowKey, Clone, Debug, PartialEq)]
            struct Daily {
                id: u8,
                #[key(unit = "s")]
                day: $date,
                #[key(rev_ts)]
                at: $time,
            }

            fn time(count: i64, per_second: i128) -> $time {
                $nanos(i128::from(count) * (1_000_000_000 / per_second))
            }

            #[test]
            fn a_time_is_a_number() {
                for nanos in TIMES {
                    let numbers = numbers(nanos);
                    let times = Times {
                        seconds: time(numbers.seconds, 1),
                        millis: time(numbers.millis, 1_000),
                        micros: time(numbers.micros, 1_000_000),
                        raw: time(numbers.raw, 1),
                        hour: time(numbers.hour, 1),
                        newest: time(numbers.newest, 1_000),
                        day: $date_of(numbers.day / 86_400_000),
                    };
                    let row = times.encode().unwrap();
                    assert_eq!(row, numbers.encode().unwrap());
                    assert_eq!(Times::decode(&row), Ok(times));
                }
                assert_eq!(Times::SCHEMA.replace("Times", "Numbers"), Numbers::SCHEMA);
            }

            #[test]
            fn a_time_between_two_units_is_refused() {
                let daily = Daily { id: 1, day: $date_of(1), at: $nanos(1_000_001) };
                let text = "encode Daily: field at: the value must be a time in whole milliseconds; round it first, or let the field do so: `unit = \"ms\", truncate`";
                assert_eq!(daily.encode().unwrap_err().to_string(), text);
                let at = |nanos| Daily { id: 1, day: $date_of(-1), at: $nanos(nanos) }.encode().unwrap();
                let mut noon = at(0).to_vec();
                noon[8] ^= 1;
                let error = Daily::decode(&noon).unwrap_err().to_string();
                assert_eq!(error, "decode Daily: field day at byte 1: expected a time that the field's type can hold");
                let range = &Daily::scan().id(1).day($date_of(-1)).at(..$nanos(5_000_000)).row_ranges().unwrap()[0];
                assert!(range.contains(&at(4_000_000)) && !range.contains(&at(5_000_000)));
            }
        }
    };
}

same! {
    of_jiff, jiff::Timestamp, jiff::civil::Date,
    |nanos| jiff::Timestamp::from_nanosecond(nanos).unwrap(),
    |days: i64| jiff::civil::date(1970, 1, 1) + jiff::SignedDuration::from_hours(24 * days)
}

same! {
    of_chrono, chrono::DateTime<chrono::Utc>, chrono::NaiveDate,
    |nanos: i128| chrono::DateTime::from_timestamp_nanos(nanos.try_into().unwrap()),
    |days: i64| chrono::NaiveDate::from_epoch_days(days.try_into().unwrap()).unwrap()
}

same! {
    of_time, time::OffsetDateTime, time::Date,
    |nanos| time::OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap(),
    |days: i64| time::OffsetDateTime::from_unix_timestamp(days * 86_400).unwrap().date()
}

same! {
    of_time_in_utc, time::UtcDateTime, time::Date,
    |nanos| time::UtcDateTime::from_unix_timestamp_nanos(nanos).unwrap(),
    |days: i64| time::UtcDateTime::from_unix_timestamp(days * 86_400).unwrap().date()
}

#[test]
fn an_offset_is_not_stored() {
    use tallrow_codec::UnixTime;
    use time::{OffsetDateTime, UtcOffset};

    let utc = OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap();
    let here = utc.to_offset(UtcOffset::from_hms(5, 30, 0).unwrap());
    assert_eq!((here.to_unix(), here), (utc.to_unix(), utc));
}

#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
#[row_key(transparent)]
struct Millis(i64);

impl TryFrom<std::time::SystemTime> for Millis {
    type Error = &'static str;

    fn try_from(time: std::time::SystemTime) -> Result<Self, Self::Error> {
        let since = time.duration_since(std::time::UNIX_EPOCH).map_err(|_| "before 1970")?;
        Ok(Self(since.as_millis().try_into().map_err(|_| "too late")?))
    }
}

impl TryFrom<Millis> for std::time::SystemTime {
    type Error = std::num::TryFromIntError;

    fn try_from(Millis(millis): Millis) -> Result<Self, Self::Error> {
        Ok(Self::UNIX_EPOCH + std::time::Duration::from_millis(millis.try_into()?))
    }
}

#[derive(RowKey, Debug, PartialEq)]
struct Via {
    #[key(via = String, escaped)]
    path: Box<str>,
    #[key(via = Millis, rev_ts)]
    at: std::time::SystemTime,
    #[key(via = u32)]
    ip: std::net::Ipv4Addr,
    #[key(via = Vec<u8>)]
    rest: std::collections::VecDeque<u8>,
}

#[derive(RowKey)]
struct Plain {
    #[key(escaped)]
    path: String,
    #[key(rev_ts)]
    at: i64,
    ip: u32,
    rest: Vec<u8>,
}

#[test]
fn any_type_is_written_via_another() {
    let at = |millis| std::time::UNIX_EPOCH + std::time::Duration::from_millis(millis);
    let via = Via { path: "a".into(), at: at(5), ip: [10, 0, 0, 1].into(), rest: [1, 2].into() };
    let row = via.encode().unwrap();
    let plain = Plain { path: "a".into(), at: 5, ip: 0x0a00_0001, rest: vec![1, 2] };
    assert_eq!(row, plain.encode());
    assert_eq!(Via::SCHEMA.replace("Via", "Plain"), Plain::SCHEMA);
    assert_eq!(Via::view(&row).unwrap().ip(), &via.ip);
    let range = &Via::scan().path(Box::from("a")).at(at(5)..at(6)).row_ranges().unwrap()[0];
    assert!(range.contains(&row));
    let early = Via { at: at(0) - std::time::Duration::from_secs(1), ..Via::decode(&row).unwrap() };
    let text = "encode Via: field at: the value must be one that converts to the type of `via`";
    assert_eq!(early.encode().unwrap_err().to_string(), text);
    let negative = Plain { at: -5, ..plain }.encode();
    let text = "decode Via: field at at byte 3: expected a value that converts to the field's type";
    assert_eq!(Via::decode(&negative).unwrap_err().to_string(), text);
}
