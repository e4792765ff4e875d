//! The simulations in the pictures.

use tallrow::key::split;
use tallrow::simulate::{RegionDistribution, Simulation, ValueGenerator, Zipf};
use tallrow::{Result, RowKey};

use crate::keys::Picture;
use crate::spread_picture;

const EVENTS: u64 = 48_000;
const NOW: u64 = 1_700_000_000_000;

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct TimeFirst {
    at: u64,
    user: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (user)))]
struct SaltOfUser {
    user: u32,
    #[key(rev_ts)]
    at: u64,
}

/// Returns the pictures of simulations.
pub(crate) fn pictures() -> Vec<Picture> {
    vec![
        Picture { file: "spread-over-time.svg", svg: over_time().expect("rows that fit") },
        Picture { file: "dead-regions.svg", svg: dead_regions().expect("rows that fit") },
    ]
}

fn over_time() -> Result<String> {
    let active = Zipf::new(2_000, 0.8)?;
    let user = |draw: &mut ValueGenerator| draw.zipf(&active) as u32;
    let at = |index: u64| NOW + index;
    // Split by the time of older rows, twice as many as those that are written.
    let splits = (1..16).map(|part| at(0) - (16 - part) * 2 * EVENTS / 16);
    let time_first = Simulation::new(splits.map(u64::to_be_bytes))?.keys(EVENTS).windows(24);
    let time_first = time_first.run(|draw| TimeFirst { at: at(draw.index()), user: user(draw) })?;
    let salted = Simulation::new(SaltOfUser::SPLITS)?.keys(EVENTS).windows(24);
    let salted = salted.run(|draw| SaltOfUser { at: at(draw.index()), user: user(draw) })?;
    let title = "Which regions new rows are written to";
    let spreads = [("[at][user]", time_first), ("[salt of user][user][at]", salted)];
    Ok(spread_picture::over_time(title, &spreads))
}

fn dead_regions() -> Result<String, Box<dyn std::error::Error>> {
    let (first, last) = (&b"0000000000000000"[..], &b"ffffffffffffffff"[..]);
    let inner = split::between(first, last, false, 7)?;
    let by_bytes = [vec![first.to_vec()], inner, vec![last.to_vec()]].concat();
    let by_digits = split::hex_between("0000000000000000", "ffffffffffffffff", 10)?;
    let hex = |draw: &mut ValueGenerator| Ok(format!("{:016x}", draw.random_u64()));
    let keys = 10_000;
    let spreads = [
        ("Bytes.split(\"00..\", \"ff..\")", run(&by_bytes, keys, hex)?),
        ("split::hex_between", run(&by_digits, keys, hex)?),
    ];
    Ok(spread_picture::bars("10,000 hexadecimal keys in ten regions", &spreads))
}

fn run<S: AsRef<[u8]>>(
    splits: &[S],
    keys: u64,
    row: impl Fn(&mut ValueGenerator) -> Result<String> + Sync,
) -> Result<RegionDistribution> {
    Simulation::new(splits)?.keys(keys).run_rows(row)
}
