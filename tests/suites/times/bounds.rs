//! A range of times may end between two times that a field can hold: `..Utc::now()` has
//! nanoseconds.

use std::ops::Bound;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tallrow_codec::{RowKey, RowRange, RowRanges};

type Ends = (Bound<DateTime<Utc>>, Bound<DateTime<Utc>>);

fn at(nanos: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_nanos(nanos)
}

/// The kinds of ends that a range of `from` and `to` can have.
fn kinds(from: DateTime<Utc>, to: DateTime<Utc>) -> [Ends; 9] {
    let kinds = |time| [Bound::Unbounded, Bound::Included(time), Bound::Excluded(time)];
    let (from, to) = (kinds(from), kinds(to));
    std::array::from_fn(|i| (from[i / 3], to[i % 3]))
}

/// Tests a key of one field: each range of times near the start of an hour, against the times of
/// the rows.
macro_rules! exact {
    ($($test:ident $key:ident: [$($attr:tt)*], $unit:expr;)*) => {$(
        #[derive(RowKey, Debug)]
        struct $key {
            id: u8,
            #[key($($attr)*)]
            at: DateTime<Utc>,
        }

        #[test]
        fn $test() {
            let unit: i64 = $unit;
            for middle in [0_i64, 1_700_002_800_000_000_000, -3_600_000_000_000] {
                let middle = middle - middle.rem_euclid(unit);
                let stored: Vec<_> = (-3..=3).map(|n| at(middle + n * unit)).collect();
                let ends = (-9..=9).map(|n| at(middle + n * unit / 4 + n % 2));
                let ends: Vec<_> = ends.collect();
                for (from, to) in ends.iter().flat_map(|from| ends.iter().map(|to| (*from, *to))) {
                    for range in kinds(from, to) {
                        let rows = &$key::scan().id(1).at(range).row_ranges().unwrap()[0];
                        for time in &stored {
                            let row = $key { id: 1, at: *time }.encode().unwrap();
                            let wanted = std::ops::RangeBounds::contains(&range, time);
                            assert_eq!(rows.contains(&row), wanted, "{time} in {range:?}");
                        }
                    }
                }
            }
        }
    )*};
}

exact! {
    seconds Seconds: [unit = "s"], 1_000_000_000;
    millis Millis: [unit = "ms"], 1_000_000;
    micros Micros: [unit = "us"], 1_000;
    newest_first NewestFirst: [rev_ts], 1_000_000;
    newest_micros NewestMicros: [unit = "us", rev_ts], 1_000;
    descending Descending: [unit = "ms", desc], 1_000_000;
    days Days: [unit = "d"], 86_400_000_000_000;
    newest_day NewestDay: [unit = "d", rev_ts], 86_400_000_000_000;
}

/// Tests a key whose rows stand for all times of a period: a range has the rows of the periods that
/// it overlaps.
macro_rules! overlapping {
    ($($test:ident $key:ident: [$($attr:tt)*], $period:expr;)*) => {$(
        #[derive(RowKey, Debug)]
        struct $key {
            id: u8,
            #[key($($attr)*)]
            at: DateTime<Utc>,
        }

        #[test]
        fn $test() {
            let period: i64 = $period;
            for middle in [0, 1_700_006_400_000_000_000, -86_400_000_000_000] {
                let starts: Vec<i64> = (-2..=2).map(|n| middle + n * period).collect();
                let ends: Vec<i64> = (-5..=5).map(|n| middle + n * period / 2 + n % 2).collect();
                for (from, to) in ends.iter().flat_map(|from| ends.iter().map(|to| (*from, *to))) {
                    for range in kinds(at(from), at(to)) {
                        let rows = &$key::scan().id(1).at(range).row_ranges().unwrap()[0];
                        for start in &starts {
                            let last = start + period - 1;
                            let row = $key { id: 1, at: at(*start) }.encode().unwrap();
                            let begins = match range.0 {
                                Bound::Unbounded => true,
                                Bound::Included(_) => from <= last,
                                Bound::Excluded(_) => from < last,
                            };
                            let ends = match range.1 {
                                Bound::Unbounded => true,
                                Bound::Included(_) => *start <= to,
                                Bound::Excluded(_) => *start < to,
                            };
                            let found = rows.contains(&row);
                            // A range whose start is after its end has no rows.
                            let empty = from > to && !matches!(range, (Bound::Unbounded, _) | (_, Bound::Unbounded));
                            if !empty {
                                assert_eq!(found, begins && ends, "{} in {range:?}", at(*start));
                            }
                        }
                    }
                }
            }
        }
    )*};
}

overlapping! {
    truncated_millis TruncatedMillis: [unit = "ms", truncate], 1_000_000;
    truncated_newest TruncatedNewest: [unit = "ms", rev_ts, truncate], 1_000_000;
    truncated_descending TruncatedDescending: [unit = "s", truncate, desc], 1_000_000_000;
    truncated_days TruncatedDays: [unit = "d", truncate], 86_400_000_000_000;
    truncated_hours TruncatedHours: [unit = "s", truncate, floor = 3600], 3_600_000_000_000;
}

#[derive(RowKey, Debug, PartialEq)]
struct Event {
    user: u32,
    #[key(unit = "ms", rev_ts, truncate)]
    at: DateTime<Utc>,
}

#[test]
fn what_is_less_than_the_unit_is_left_out() {
    for nanos in [0, 1, 999_999, 1_000_000, 1_700_000_000_123_456_789, -1, -1_000_001] {
        let row = Event { user: 7, at: at(nanos) }.encode().unwrap();
        let millis = nanos.div_euclid(1_000_000);
        assert_eq!(row[4..], i64::MAX.wrapping_sub(millis).to_be_bytes());
        assert_eq!(Event::decode(&row), Ok(Event { user: 7, at: at(millis * 1_000_000) }));
    }
}

#[test]
fn now_is_a_key_and_a_bound() {
    let now = Utc::now();
    let row = Event { user: 7, at: now }.encode().unwrap();
    let hour = now - TimeDelta::hours(1)..=now;
    assert!(Event::scan().user(7).at(hour).row_ranges().unwrap()[0].contains(&row));
    assert!(
        !Event::scan().user(7).at(..now - TimeDelta::hours(1)).row_ranges().unwrap()[0]
            .contains(&row)
    );
    let earlier = NewestFirst { id: 1, at: at(5_000_000) }.encode().unwrap();
    assert!(NewestFirst::scan().id(1).at(..now).row_ranges().unwrap()[0].contains(&earlier));
}

#[derive(RowKey, Debug, PartialEq)]
struct Daily {
    id: u8,
    #[key(unit = "d")]
    day: NaiveDate,
}

#[test]
fn a_date_is_a_number_of_days() {
    let day = NaiveDate::from_ymd_opt(2023, 11, 14).unwrap();
    let row = Daily { id: 1, day }.encode().unwrap();
    assert_eq!(row[1..], (19_675_u64 | 1 << 63).to_be_bytes());
    assert_eq!(Daily::decode(&row), Ok(Daily { id: 1, day }));
    assert!(Daily::SCHEMA.contains("day: i64, display_time = d"));
    let schema = tallrow_codec::schema::Schema::parse(Daily::SCHEMA).unwrap();
    assert_eq!(schema.decode(&row).unwrap().to_string(), "id: 1, day: 2023-11-14 (19675)");
    assert_eq!(schema.encode_text("id=1, day=2023-11-14").unwrap().as_slice(), row);
}

#[derive(RowKey)]
struct Limited {
    id: u8,
    #[key(digits = 3)]
    digits: u16,
}

#[derive(RowKey)]
struct Plain {
    id: u8,
    #[key(raw_be)]
    number: i32,
}

#[derive(RowKey)]
struct Newest {
    id: u8,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
struct Optional {
    id: u8,
    #[key(raw_be)]
    number: Option<i32>,
}

/// Returns which of the rows a range has.
fn found<const N: usize>(range: &RowRange, rows: [&[u8]; N]) -> [bool; N] {
    rows.map(|row| range.contains(row))
}

#[test]
fn a_bound_may_be_a_number_that_its_field_cannot_hold() {
    let row = |digits| Limited { id: 1, digits }.encode().unwrap();
    let rows = [&row(0)[..], &row(998), &row(999)];
    let [all] = Limited::scan().id(1).digits(..1_000).row_ranges().unwrap();
    assert_eq!(found(&all, rows), [true; 3]);
    let [last] = Limited::scan().id(1).digits(999..=2_000).row_ranges().unwrap();
    assert_eq!(found(&last, rows), [false, false, true]);
    let [none] = Limited::scan().id(1).digits(1_000..).row_ranges().unwrap();
    assert_eq!(found(&none, rows), [false; 3]);

    let row = |number| Plain { id: 1, number }.encode().unwrap();
    let rows = [&row(0)[..], &row(1)];
    let [one] = Plain::scan().id(1).number(-5..1).row_ranges().unwrap();
    assert_eq!(found(&one, rows), [true, false]);
    let [none] = Plain::scan().id(1).number(..-5).row_ranges().unwrap();
    assert_eq!(found(&none, rows), [false; 2]);

    let row = |at| Newest { id: 1, at }.encode().unwrap();
    let last = u64::MAX >> 1;
    let rows = [&row(0)[..], &row(last)];
    let [all] = Newest::scan().id(1).at(..u64::MAX).row_ranges().unwrap();
    assert_eq!(found(&all, rows), [true; 2]);
    let [none] = Newest::scan().id(1).at(last + 1..).row_ranges().unwrap();
    assert_eq!(found(&none, rows), [false; 2]);

    let row = |number| Optional { id: 1, number }.encode().unwrap();
    let (none, zero) = (row(None), row(Some(0)));
    let rows = [&none[..], &zero];
    let [above] = Optional::scan().id(1).number(Some(-3)..).row_ranges().unwrap();
    assert_eq!(found(&above, rows), [false, true]);
    let [below] = Optional::scan().id(1).number(..Some(-3)).row_ranges().unwrap();
    assert_eq!(found(&below, rows), [true, false]);
}
