//! Samples of the row keys of a live table.

use clap::Args;
use tallrow::{Client, Filter, Scan};

use crate::failure::Result;

/// The flags of a sample.
#[derive(Args, Clone, Debug)]
pub(crate) struct Sampling {
    /// The chance of each row of a live table, 0 to 1: the servers read all rows and return these
    #[arg(long, default_value_t = 1.0, value_parser = chance)]
    chance: f32,

    /// How many rows of a live table at most
    #[arg(long, value_name = "ROWS", default_value_t = 100_000)]
    max_rows: u64,
}

fn chance(text: &str) -> std::result::Result<f32, String> {
    let chance: f32 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if chance > 0.0 && chance <= 1.0 { Ok(chance) } else { Err("it is not in 0 to 1".into()) }
}

/// Reads row keys of a table.
pub(crate) async fn sampled_keys(
    client: &Client,
    table: &str,
    sampling: &Sampling,
) -> Result<Vec<Vec<u8>>> {
    let mut scan = Scan::all().keys_only().limit(sampling.max_rows);
    if sampling.chance < 1.0 {
        scan = scan.filter(Filter::random_row(sampling.chance));
    }
    let mut rows = client.raw_table(table)?.scan(scan)?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await? {
        keys.push(row.key().to_vec());
    }
    Ok(keys)
}
