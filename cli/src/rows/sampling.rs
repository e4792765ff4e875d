//! Samples of the row keys of a live table.

use clap::Args;
use tallrow::{Client, Filter, Scan};

use crate::cluster::tables;
use crate::failure::Result;
use crate::terminal::output::say;

/// The flags of a sample.
#[derive(Args, Clone, Debug)]
pub(crate) struct Sampling {
    /// The chance of each row of a live table, 0 to 1: with less than 1, the servers read all rows
    /// and send only some
    #[arg(long, default_value_t = 1.0, value_parser = chance)]
    chance: f32,

    /// How many rows of a live table at most, 0 for all: all rows have the same chance to be among
    /// them
    #[arg(
        long,
        value_name = "ROWS",
        default_value_t = 100_000,
        allow_negative_numbers = true,
        value_parser = parse_limit,
    )]
    limit: u64,
}

/// Parses a maximum number of rows, where 0 means all rows.
pub(crate) fn parse_limit(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| "it is not a number of rows; 0 is all of them".into())
}

/// The number of rows that are read between two progress messages.
const STEP: u64 = 1_000_000;

fn chance(text: &str) -> std::result::Result<f32, String> {
    let chance: f32 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if chance > 0.0 && chance <= 1.0 { Ok(chance) } else { Err("it is not in 0 to 1".into()) }
}

/// Reads a sample of the row keys of a table, and returns it in the order of the keys.
pub(crate) async fn sample_keys(
    client: &Client,
    table: &str,
    sampling: &Sampling,
) -> Result<Vec<Vec<u8>>> {
    let mut scan = Scan::all().keys_only();
    if sampling.chance < 1.0 {
        scan = scan.filter(Filter::random_row(sampling.chance));
    }
    let mut rows = client.raw_table(table)?.scan(scan)?;
    let mut reservoir = Reservoir::new(if sampling.limit == 0 { u64::MAX } else { sampling.limit });
    while let Some(row) =
        tables::suggest_similar_table(client, table, rows.next_row().await).await?
    {
        reservoir.add(row.key());
        if reservoir.seen.is_multiple_of(STEP) {
            say(format!(
                "{} rows so far; --chance 0.01 makes the servers send fewer",
                reservoir.seen
            ));
        }
    }
    Ok(reservoir.sorted())
}

/// A bounded sample of keys. Each added key has the same probability of being in the sample.
struct Reservoir {
    keys: Vec<Vec<u8>>,
    most: u64,
    seen: u64,
    random: fastrand::Rng,
}

impl Reservoir {
    fn new(most: u64) -> Self {
        Self { keys: Vec::new(), most, seen: 0, random: fastrand::Rng::new() }
    }

    fn add(&mut self, key: &[u8]) {
        self.seen += 1;
        if (self.keys.len() as u64) < self.most {
            self.keys.push(key.to_vec());
            return;
        }
        let place = usize::try_from(self.random.u64(..self.seen)).ok();
        if let Some(kept) = place.and_then(|place| self.keys.get_mut(place)) {
            *kept = key.to_vec();
        }
    }

    fn sorted(mut self) -> Vec<Vec<u8>> {
        self.keys.sort_unstable();
        self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_the_keys_has_its_share_of_the_sample() {
        let mut reservoir = Reservoir::new(1_000);
        reservoir.random.seed(7);
        for key in 0_u32..100_000 {
            reservoir.add(&key.to_be_bytes());
        }
        let keys = reservoir.sorted();
        assert_eq!(keys.len(), 1_000);
        for tenth in 0_u32..10 {
            let range = (tenth * 10_000).to_be_bytes()..((tenth + 1) * 10_000).to_be_bytes();
            let count = keys
                .iter()
                .filter(|key| range.start[..] <= key[..] && key[..] < range.end[..])
                .count();
            // 100 are expected, with a standard deviation of 9.5.
            assert!((50..=150).contains(&count), "{tenth}: {count}");
        }
    }

    #[test]
    fn few_keys_are_all_in_the_sample() {
        let mut reservoir = Reservoir::new(3);
        for key in ["b", "a"] {
            reservoir.add(key.as_bytes());
        }
        assert_eq!(reservoir.sorted(), [b"a", b"b"]);
    }
}
