//! Unique ids in blocks of a thousand: one call to the counter for each thousand ids, in several
//! tasks and processes.
//!
//! `cargo run -p tallrow-cases --example id_blocks` prints the ids that two processes get, and how
//! often they call the counter:
//! ```text
//! first process: 1, 2, 3 .. 2500
//! second process: 3001, 3002, 3003 .. 4000
//! the counter is at 4000, after 4 increments
//! ids given out twice: 0; skipped, because their process ended: 500
//! ```

use std::collections::BTreeSet;

use tallrow::ids::IdBlocks;
use tallrow::{Client, RawTable, Result, RowKey, Table};
use tallrow_examples::place;

#[derive(RowKey)]
struct CounterKey {
    name: String,
}

#[derive(Table)]
#[table(name = "tallrow_ids")]
#[family("d")]
struct Ids {
    #[key]
    key: CounterKey,
    #[cell("d:n")]
    last: tallrow::Counter,
}

/// Returns the ids of one process: each process has its own block.
fn process(table: &RawTable) -> Result<IdBlocks> {
    IdBlocks::builder(table.clone(), "orders", "d", "n").block_size(1_000).build()
}

async fn take(ids: &IdBlocks, count: usize) -> Result<Vec<u64>> {
    let mut taken = Vec::new();
    for _ in 0..count {
        taken.push(ids.next_id().await?);
    }
    Ok(taken)
}

fn print(who: &str, ids: &[u64]) {
    let first: Vec<_> = ids.iter().take(3).map(u64::to_string).collect();
    println!("{who}: {} .. {}", first.join(", "), ids.last().copied().unwrap_or_default());
}

#[tokio::main]
async fn main() -> Result<()> {
    let client: Client = place::connect().await?;
    let counters = place::empty::<Ids>(&client).await?;
    let table = client.raw_table(Ids::TABLE)?;

    let first = take(&process(&table)?, 2_500).await?;
    let second = take(&process(&table)?, 1_000).await?;
    print("first process", &first);
    print("second process", &second);

    let key = CounterKey { name: "orders".into() };
    let last = counters.get(&key).await?.map_or(0, |row| row.last.0);
    println!("the counter is at {last}, after {} increments", last / 1_000);
    let different: BTreeSet<_> = first.iter().chain(&second).collect();
    let taken = first.len() + second.len();
    let skipped = last as usize - taken;
    println!(
        "ids given out twice: {}; skipped, because their process ended: {skipped}",
        taken - different.len()
    );
    assert_eq!((different.len(), last, skipped), (3_500, 4_000, 500));
    Ok(())
}
