//! A comparison of key patterns: the bytes of a key, the regions of new rows, and the ranges that
//! three questions read.
//!
//! `cargo run -p tallrow-cases --example patterns` simulates 100,000 events of users with
//! increasing numbers, where the newest users are the most active, in tables of 16 regions that
//! already hold 100,000 older events. It counts the bytes of a key, the share of the writes that
//! the busiest region gets at any one time, and the ranges and regions that are read for one row,
//! for the newest rows of a user, and for a minute of all users:
//! ```text
//! | pattern | key | busiest region | one row | newest of a user | a minute of all |
//! |---|---|---|---|---|---|
//! | time first | 12 bytes | 100 % | 1 / 1 | all rows | 1 / 1 |
//! | user first | 12 bytes | 74 % | 1 / 1 | 1 / 1 | all rows |
//! | reversed digits | 14 bytes | 8 % | 1 / 1 | 1 / 1 | all rows |
//! | hash of the user | 16 bytes | 10 % | 1 / 1 | 1 / 1 | all rows |
//! | hash prefix | 16 bytes | 10 % | 1 / 1 | 1 / 1 | all rows |
//! | salt of the user | 13 bytes | 8 % | 1 / 1 | 1 / 1 | all rows |
//! | salt of all, time first | 13 bytes | 8 % | 1 / 1 | all rows | 16 / 16 |
//! | time modulo 16 | 13 bytes | 6 % | 1 / 1 | all rows | 16 / 16 |
//! | random salt, time first | 13 bytes | 6 % | 16 / 16 | all rows | 16 / 16 |
//! ```
use std::error::Error;

use tallrow::RowKey;
use tallrow::key::{RowRange, RowRanges, split};
use tallrow::simulate::{RegionMap, Simulation, ValueGenerator, Zipf};

/// The number of events, one per millisecond.
const EVENTS: u64 = 100_000;
/// The number of users that are active at any one time; each hundred events, there is a new user.
const ACTIVE: u64 = 2_000;
/// The time of the first simulated event. The events that the table already holds were written
/// before.
const NOW: u64 = 1_700_000_000_000;
const REGIONS: usize = 16;

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct TimeFirst {
    at: u64,
    user: u32,
}

#[derive(RowKey)]
struct UserFirst {
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
struct Reversed {
    #[key(digits = 6, reverse)]
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
struct Hashed {
    #[key(md5(bytes = 8))]
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)))]
struct HashPrefix {
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (user)))]
struct SaltOfUser {
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16), allow(hotspot))]
struct SaltOfAll {
    at: u64,
    user: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (at), hash = modulo), allow(hotspot))]
struct TimeModulo {
    at: u64,
    user: u32,
}

#[derive(RowKey)]
#[row_key(salt(random, buckets = 16), allow(hotspot))]
struct RandomSalt {
    at: u64,
    user: u32,
}

/// A pattern, and the ranges of the three questions; `None` if a question is answered only by
/// reading all rows.
struct Pattern<'p> {
    name: &'p str,
    row: &'p (dyn Fn(u32, u64) -> tallrow::Result<Vec<u8>> + Sync),
    /// The split keys of a salt; without a salt, those of a sample are used.
    splits: Option<Vec<Vec<u8>>>,
    one: Vec<RowRange>,
    of_user: Option<Vec<RowRange>>,
    minute: Option<Vec<RowRange>>,
}

/// The measurements of a pattern.
struct Measured {
    key_bytes: f64,
    busiest: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let minute = || NOW..NOW + 60_000;
    println!("| pattern | key | busiest region | one row | newest of a user | a minute of all |");
    println!("|---|---|---|---|---|---|");
    let time_first = Pattern {
        name: "time first",
        row: &|user, at| bytes(&TimeFirst { at, user }),
        splits: None,
        one: ranges(TimeFirst::scan().at(NOW).user(7))?,
        of_user: None,
        minute: Some(ranges(TimeFirst::scan().at(minute()))?),
    };
    assert_eq!(measure(&time_first)?.busiest, 1.0, "a hot spot");
    let user_first = Pattern {
        name: "user first",
        row: &|user, at| bytes(&UserFirst { user, at }),
        splits: None,
        one: ranges(UserFirst::scan().user(7).at(NOW))?,
        of_user: Some(ranges(UserFirst::scan().user(7))?),
        minute: None,
    };
    assert!(measure(&user_first)?.busiest > 0.5, "the newest users are neighbours");
    for pattern in [
        Pattern {
            name: "reversed digits",
            row: &|user, at| bytes(&Reversed { user, at }),
            splits: None,
            one: ranges(Reversed::scan().user(7).at(NOW))?,
            of_user: Some(ranges(Reversed::scan().user(7))?),
            minute: None,
        },
        Pattern {
            name: "hash of the user",
            row: &|user, at| bytes(&Hashed { user, at }),
            splits: None,
            one: ranges(Hashed::scan().user(7).at(NOW))?,
            of_user: Some(ranges(Hashed::scan().user(7))?),
            minute: None,
        },
        Pattern {
            name: "hash prefix",
            row: &|user, at| bytes(&HashPrefix { user, at }),
            splits: None,
            one: ranges(HashPrefix::scan().user(7).at(NOW))?,
            of_user: Some(ranges(HashPrefix::scan().user(7))?),
            minute: None,
        },
        Pattern {
            name: "salt of the user",
            row: &|user, at| bytes(&SaltOfUser { user, at }),
            splits: Some(SaltOfUser::SPLITS.iter().map(|split| split.to_vec()).collect()),
            one: ranges(SaltOfUser::scan().user(7).at(NOW))?,
            of_user: Some(ranges(SaltOfUser::scan().user(7))?),
            minute: None,
        },
        Pattern {
            name: "salt of all, time first",
            row: &|user, at| bytes(&SaltOfAll { at, user }),
            splits: Some(SaltOfAll::SPLITS.iter().map(|split| split.to_vec()).collect()),
            one: ranges(SaltOfAll::scan().at(NOW).user(7))?,
            of_user: None,
            minute: Some(ranges(SaltOfAll::scan().at(minute()))?),
        },
        Pattern {
            name: "time modulo 16",
            row: &|user, at| bytes(&TimeModulo { at, user }),
            splits: Some(TimeModulo::SPLITS.iter().map(|split| split.to_vec()).collect()),
            one: ranges(TimeModulo::scan().at(NOW).user(7))?,
            of_user: None,
            minute: Some(ranges(TimeModulo::scan().at(minute()))?),
        },
        Pattern {
            name: "random salt, time first",
            // A program would call `random_salt`; this program always counts the same.
            row: &|user, at| bytes(&RandomSalt { at, user }.salted(mixed(at))),
            splits: Some(RandomSalt::SPLITS.iter().map(|split| split.to_vec()).collect()),
            one: ranges(RandomSalt::scan().at(NOW).user(7))?,
            of_user: None,
            minute: Some(ranges(RandomSalt::scan().at(minute()))?),
        },
    ] {
        let Measured { key_bytes, busiest } = measure(&pattern)?;
        assert!(busiest < 0.25, "{}: {busiest}", pattern.name);
        assert!(key_bytes <= 17.0, "{}: {key_bytes}", pattern.name);
    }
    Ok(())
}

fn ranges(ranges: impl RowRanges) -> Result<Vec<RowRange>, Box<dyn Error>> {
    Ok(ranges.row_ranges()?.into_iter().collect())
}

fn bytes(key: &impl RowKey) -> tallrow::Result<Vec<u8>> {
    Ok(key.encode_key()?.as_ref().to_vec())
}

/// A number that looks random.
fn mixed(number: u64) -> u32 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// Simulates the writes, and prints a line.
fn measure(pattern: &Pattern<'_>) -> Result<Measured, Box<dyn Error>> {
    let Pattern { name, row, splits, one, of_user, minute } = pattern;
    let active = Zipf::new(ACTIVE, 0.8)?;
    let user =
        |event: u64, draw: &mut ValueGenerator| (100_000 + event / 100 - draw.zipf(&active)) as u32;
    // HBase has split a table by the rows in it; a salted table is created with a region for each
    // bucket.
    let older = std::sync::Mutex::new(Vec::new());
    let sample = |draw: &mut ValueGenerator| {
        let made = row(user(draw.index(), draw), NOW - EVENTS + draw.index())?;
        older.lock().unwrap_or_else(|e| e.into_inner()).push(made.clone());
        Ok(made)
    };
    Simulation::new([[0x80]])?.keys(EVENTS).run_rows(sample)?;
    let older = older.into_inner().unwrap_or_else(|e| e.into_inner());
    let splits = match splits {
        Some(splits) => splits.clone(),
        None => split::from_samples(older, REGIONS)?,
    };
    let map = RegionMap::new(&splits)?;

    let spread = Simulation::new(&splits)?
        .keys(EVENTS)
        .seed(2)
        .run_rows(|draw| row(user(EVENTS + draw.index(), draw), NOW + draw.index()))?;
    let cost = |ranges: &[RowRange]| {
        let cost = map.cost(ranges);
        format!("{} / {}", cost.ranges, cost.regions)
    };
    let or_all = |ranges: &Option<Vec<RowRange>>| match ranges {
        Some(ranges) => cost(ranges),
        None => "all rows".to_owned(),
    };
    let measured =
        Measured { key_bytes: spread.mean_key_len(), busiest: spread.busiest_region_share() };
    println!(
        "| {name} | {:.0} bytes | {:.0} % | {} | {} | {} |",
        measured.key_bytes,
        measured.busiest * 100.0,
        cost(one),
        or_all(of_user),
        or_all(minute)
    );
    Ok(measured)
}
