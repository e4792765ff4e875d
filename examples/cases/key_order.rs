//! Access logs of systems, users and months: three orders of the same fields and a hashed key, each
//! measured by the regions that contain its rows and by the cost of three questions.
//!
//! `cargo run -p tallrow-cases --example key_order` prints the regions of four rows, from 0 to 15,
//! then the spread of 100,000 simulated entries of one month, in which a few users are the most
//! active:
//! ```text
//! period|system|user       rows in [0, 0, 0, 0], used: 1 of 16
//!                          the busiest: 100 %, regions read: [16, 1, 16]
//! system|user|period       rows in [8, 8, 3, 8], used: 4 of 16
//!                          the busiest: 27 %, regions read: [1, 16, 16]
//! user|system|period       rows in [3, 4, 4, 5], used: 14 of 16
//!                          the busiest: 13 %, regions read: [1, 16, 1]
//! hash|system|user|period  rows in [1, 13, 13, 5], used: 16 of 16
//!                          the busiest: 11 %, regions read: [1, 16, 1]
//! ```

use std::error::Error;

use tallrow::key::{RowRange, RowRanges};
use tallrow::simulate::{RegionMap, Simulation, Zipf};
use tallrow::{Client, FamilyDescriptor, Put, RowKey, TableDescriptor};
use tallrow_cases::tables::{self, rows_by_region};
use tallrow_examples::place;

#[derive(RowKey)]
#[row_key(text_sep = '|', allow(unsorted_text))]
struct ByPeriod {
    #[key(width = 6, chars = "0-9")]
    period: String,
    system: String,
    user: String,
}

#[derive(RowKey)]
#[row_key(text_sep = '|', allow(unsorted_text))]
struct BySystem {
    system: String,
    user: String,
    #[key(width = 6, chars = "0-9")]
    period: String,
}

#[derive(RowKey)]
#[row_key(text_sep = '|', allow(unsorted_text))]
struct ByUser {
    user: String,
    system: String,
    #[key(width = 6, chars = "0-9")]
    period: String,
}

/// The first five hexadecimal digits of the MD5 of the user, as in the table of the book.
#[derive(RowKey)]
#[row_key(text_sep = '|', hash_prefix(md5, hex = 5, fields = (user), sep = '|'), allow(unsorted_text))]
struct ByHash {
    system: String,
    user: String,
    #[key(width = 6, chars = "0-9")]
    period: String,
}

/// A region for each of these letters, as a table for names would be split.
const LETTERS: [&str; 15] =
    ["b", "c", "d", "e", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "t"];
/// A region for each hexadecimal digit.
const DIGITS: [&str; 15] =
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];

const SYSTEMS: [&str; 4] = ["jericho", "discus", "helios", "minerva"];
/// The example rows of the book.
const ROWS: [(&str, &str, &str); 4] = [
    ("jericho", "dave", "201510"),
    ("jericho", "elton", "201510"),
    ("discus", "elton", "201511"),
    ("jericho", "fred", "201510"),
];

/// A key design: how it makes a row key from system, user and period, and the ranges that three
/// questions read.
struct Design {
    name: &'static str,
    splits: [&'static str; 15],
    row: fn(&str, &str, &str) -> Result<Vec<u8>, tallrow::Error>,
    /// All months of a user on a system; all rows of a month; all rows of a user.
    questions: [Vec<RowRange>; 3],
}

/// A row key as bytes.
macro_rules! row {
    ($key:ident) => {
        |system, user, period| {
            let (system, user, period) = (system.into(), user.into(), period.into());
            Ok($key { system, user, period }.encode()?.to_vec())
        }
    };
}

fn ranges(ranges: impl RowRanges) -> Result<Vec<RowRange>, Box<dyn Error>> {
    Ok(ranges.row_ranges()?.into_iter().collect())
}

fn designs() -> Result<[Design; 4], Box<dyn Error>> {
    // If a question does not fix the first field, all rows are read.
    let hashed = |system: &&str| ranges(ByHash::scan().system(*system).user("dave"));
    let all_systems = SYSTEMS.iter().map(hashed).collect::<Result<Vec<_>, _>>()?.concat();
    Ok([
        Design {
            name: "period|system|user",
            splits: LETTERS,
            row: row!(ByPeriod),
            questions: [
                ranges(ByPeriod::scan())?,
                ranges(ByPeriod::scan().period("201510"))?,
                ranges(ByPeriod::scan())?,
            ],
        },
        Design {
            name: "system|user|period",
            splits: LETTERS,
            row: row!(BySystem),
            questions: [
                ranges(BySystem::scan().system("jericho").user("dave"))?,
                ranges(BySystem::scan())?,
                ranges(BySystem::scan())?,
            ],
        },
        Design {
            name: "user|system|period",
            splits: LETTERS,
            row: row!(ByUser),
            questions: [
                ranges(ByUser::scan().user("dave").system("jericho"))?,
                ranges(ByUser::scan())?,
                ranges(ByUser::scan().user("dave"))?,
            ],
        },
        Design {
            name: "hash|system|user|period",
            splits: DIGITS,
            row: row!(ByHash),
            questions: [
                ranges(ByHash::scan().system("jericho").user("dave"))?,
                ranges(ByHash::scan())?,
                all_systems,
            ],
        },
    ])
}

/// A name that begins with one of 14 consonants.
fn name(user: u64) -> String {
    const FIRST: &[u8] = b"bcdfghjklmnprt";
    const NEXT: &[u8] = b"aeiou";
    let mut name = String::new();
    let mut rest = user.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    for _ in 0..4 {
        for letters in [FIRST, NEXT] {
            name.push(char::from(letters[(rest % letters.len() as u64) as usize]));
            rest /= letters.len() as u64;
        }
    }
    name
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = place::connect().await?;
    let users = Zipf::new(10_000, 0.9)?;
    let mut measured = Vec::new();
    for (number, design) in designs()?.iter().enumerate() {
        let regions = on_cluster(&client, number, design).await?;
        let spread = Simulation::new(design.splits)?.keys(100_000).run_rows(|draw| {
            let user = name(draw.zipf(&users));
            let system = SYSTEMS[draw.below(4) as usize];
            (design.row)(system, &user, "201510")
        })?;
        let map = RegionMap::new(design.splits)?;
        let cost = design.questions.each_ref().map(|ranges| map.cost(ranges).regions);
        let used = 16 - spread.empty_regions();
        println!("{:23}  rows in {regions:?}, used: {used} of 16", design.name);
        println!(
            "{:23}  the busiest: {:.0} %, regions read: {cost:?}",
            "",
            spread.busiest_region_share() * 100.0
        );
        measured.push((regions, used, cost));
    }
    let expected = [
        (vec![0, 0, 0, 0], 1, [16, 1, 16]),
        (vec![8, 8, 3, 8], 4, [1, 16, 16]),
        (vec![3, 4, 4, 5], 14, [1, 16, 1]),
        (vec![1, 13, 13, 5], 16, [1, 16, 1]),
    ];
    assert_eq!(measured, expected);
    Ok(())
}

/// Writes the four rows to a table, and returns the regions that contain them.
async fn on_cluster(
    client: &Client,
    number: usize,
    design: &Design,
) -> Result<Vec<usize>, Box<dyn Error>> {
    let name = format!("tallrow_key_order_{number}");
    let table = TableDescriptor::new(&name)?.family(FamilyDescriptor::new("t"));
    let table = tables::split(client, &table, &design.splits).await?;
    let map = RegionMap::new(design.splits)?;
    let mut regions = Vec::new();
    let mut rows = [0; 16];
    for (system, user, period) in ROWS {
        let row = (design.row)(system, user, period)?;
        regions.push(map.region_of(&row));
        rows[map.region_of(&row)] += 1;
        table.put(Put::new(row).cell("t", "s", "1")).await?;
    }
    let found = rows_by_region(client, &name).await?;
    assert_eq!(found.iter().map(|(_, rows)| *rows).collect::<Vec<_>>(), rows);
    Ok(regions)
}
