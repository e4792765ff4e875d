//! The spread of the rows of three key designs over regions, before there is a table: ids in order,
//! hashed ids, and ids after their remainder.
//!
//! `cargo run --release -p tallrow-cases --example spread` makes 1,000,000 keys for each design;
//! with `-- 100000000` it makes 100,000,000, which takes seconds. It asserts what a published
//! simulation of 100,000,000 keys found: a hash over sampled split keys fills no region more than
//! 1.011 times as much as another, and partitions are exactly even. It also counts the regions that
//! remain empty if a hexadecimal key space is split by its bytes.
use std::error::Error;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use tallrow::RowKey;
use tallrow::key::split;
use tallrow::simulate::{RegionDistribution, Simulation, ValueGenerator};

/// The id alone: rows are in the order in which they were written.
#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct InOrder {
    id: u64,
}

/// The first 8 hexadecimal digits of the id's MD5, then the id.
#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 8, fields = (id)))]
struct Hashed {
    id: u64,
}

/// The remainder of the id by 20, then the id: both as Java's `Bytes.toBytes(long)`.
#[derive(RowKey)]
#[row_key(salt(buckets = 20, fields = (id), hash = modulo, width = 8))]
struct Partitioned {
    id: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let keys = match std::env::args().nth(1) {
        None => 1_000_000,
        Some(keys) => keys.parse().map_err(|e| format!("{keys:?} is no number of keys: {e}"))?,
    };

    // A sample of keys like those that will be counted, sorted and cut evenly.
    let sample = keys.min(1_000_000);
    let splits = split::from_samples((keys..keys + sample).map(|id| Hashed { id }.encode()), 10)?;
    let hashed = count("hashed", &splits, keys, |draw| Hashed { id: draw.index() })?;
    // If `keys` random keys fall into ten equal parts, the relative standard deviation of the
    // number in one part; the same for samples.
    let tenth = |keys: u64| (10.0 / keys as f64).sqrt();
    let uneven = 4.0 * (tenth(keys) + tenth(sample));
    assert!(hashed.largest_to_smallest() < 1.0 + uneven, "{hashed}");
    assert!(hashed.busiest_region_share() < 0.12 + uneven, "{hashed}");

    let in_order = count("in order", &splits, keys, |draw| InOrder { id: draw.index() })?;
    assert_eq!((in_order.empty_regions(), in_order.busiest_region_share()), (9, 1.0), "{in_order}");

    let partitioned =
        count("partitioned", &Partitioned::SPLITS, keys, |draw| Partitioned { id: draw.index() })?;
    assert!(partitioned.largest_to_smallest() == 1.0 || keys % 20 != 0, "{partitioned}");

    // `Bytes.split` from "0000000000000000" to "ffffffffffffffff" into ten; then the same range,
    // split by its digits.
    let by_bytes = split::between(b"0000000000000000", b"ffffffffffffffff", true, 8)?;
    let hex = |draw: &mut ValueGenerator| Ok(format!("{:016x}", draw.random_u64()));
    let dead = simulation(&by_bytes, keys)?.run_rows(hex)?.empty_regions();
    let by_digits = split::hex_between("0000000000000000", "ffffffffffffffff", 10)?;
    let even = simulation(&by_digits, keys)?.run_rows(hex)?;
    assert!(dead > 0 && even.empty_regions() == 0);
    println!("hexadecimal keys, split by bytes: {dead} regions without a row; by digits: none");
    Ok(())
}

fn simulation<'p, S: AsRef<[u8]>>(splits: &[S], keys: u64) -> tallrow::Result<Simulation<'p>> {
    Ok(Simulation::new(splits)?.keys(keys))
}

fn count<K: RowKey, S: AsRef<[u8]>>(
    name: &str,
    splits: &[S],
    keys: u64,
    key: impl Fn(&mut ValueGenerator) -> K + Sync,
) -> tallrow::Result<RegionDistribution> {
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(keys),
        false => ProgressBar::hidden(),
    };
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} keys, {eta} left")
    {
        bar.set_style(style);
    }
    let show = |made| bar.set_position(made);
    let spread = simulation(splits, keys)?.on_progress(&show).run(key)?;
    bar.finish_and_clear();
    println!("{name}\n{spread}");
    Ok(spread)
}
