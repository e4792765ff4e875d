//! Tables that are split when they are created: by a sample of hashed keys, by partition, by the
//! first hexadecimal digit, and by the bytes of hexadecimal keys, which leaves most regions without
//! a row.
//!
//! `cargo run -p tallrow-cases --example presplit` prints how many of 10,000 rows are in each
//! region:
//! ```text
//! hashed, 10 regions by a sample: all with 950 to 1070 rows
//! partitioned, 20 regions: all with 500 rows
//! hexadecimal, 16 regions by digit: all with 620 to 630 rows
//! hexadecimal, by bytes: 3 of 10 regions have rows, and 7 none
//!            0
//!   0     4375
//!   6     1876
//!   =        0
//!   D        0
//!   K        0
//!   R        0
//!   X        0
//!   _     3749
//!   f        0
//! the same by digits: 10 of 10 regions have rows
//! ```

use tallrow::key::split;
use tallrow::simulate::Simulation;
use tallrow::{Client, FamilyDescriptor, Put, RowKey, TableDescriptor};
use tallrow_cases::tables::{self, rows_by_region};
use tallrow_examples::place;

const ROWS: u64 = 10_000;

/// The first 8 hexadecimal digits of the MD5 of the id, then the id.
#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 8, fields = (id)))]
struct Hashed {
    id: u64,
}

/// The remainder of the id by 20, then the id, both in 8 bytes.
#[derive(RowKey)]
#[row_key(salt(buckets = 20, fields = (id), hash = modulo, width = 8))]
struct Partitioned {
    id: u64,
}

/// 16 hexadecimal digits.
fn hex(id: u64) -> String {
    // The digits of consecutive numbers, mixed.
    format!("{:016x}", id.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;

    // A sample of keys is sorted and cut evenly; the keys that are written are not in the sample.
    let sample = (0..100_000).map(|n| Hashed { id: ROWS + n }.encode());
    let splits = split::from_samples(sample, 10)?;
    let rows = write(&client, "hash_split", &splits, |id| Hashed { id }.encode().to_vec()).await?;
    println!("hashed, 10 regions by a sample: {}", range(&rows, 10));

    let rows = write(&client, "partition_split", &Partitioned::SPLITS, |id| {
        Partitioned { id }.encode().to_vec()
    });
    let rows = rows.await?;
    assert!(rows.iter().all(|(_, rows)| *rows == ROWS / 20), "exactly even");
    println!("partitioned, 20 regions: all with {} rows", ROWS / 20);

    // `SPLITS => ['1', '2', .. 'e', 'f']`
    let digits: Vec<String> = (1..16).map(|digit| format!("{digit:x}")).collect();
    let rows = write(&client, "digit_split", &digits, |id| hex(id).into_bytes()).await?;
    println!("hexadecimal, 16 regions by digit: {}", range(&rows, 10));

    // `Bytes.split` from "0000000000000000" to "ffffffffffffffff" with both ends, as
    // `createTable(start, end, 10)` does: '0' is byte 48 and 'f' is byte 102, and no key starts
    // with most of the bytes between.
    let (first, last) = (&b"0000000000000000"[..], &b"ffffffffffffffff"[..]);
    let inner = split::between(first, last, false, 7)?;
    let by_bytes = [vec![first.to_vec()], inner, vec![last.to_vec()]].concat();
    let leading: Vec<u8> = by_bytes.iter().map(|split| split[0]).collect();
    assert_eq!(leading, [48, 54, 61, 68, 75, 82, 88, 95, 102]);
    let rows = write(&client, "bytes_split", &by_bytes, |id| hex(id).into_bytes()).await?;
    let used = rows.iter().filter(|(_, rows)| *rows > 0).count();
    println!("hexadecimal, by bytes: {used} of 10 regions have rows, and {} none", 10 - used);
    for (start, rows) in &rows {
        println!("  {:1} {rows:8}", start.chars().next().unwrap_or(' '));
    }
    assert_eq!(used, 3);

    let by_digits = split::hex_between("0000000000000000", "ffffffffffffffff", 10)?;
    let rows = write(&client, "hex_split", &by_digits, |id| hex(id).into_bytes()).await?;
    let used = rows.iter().filter(|(_, rows)| *rows > 0).count();
    println!("the same by digits: {used} of 10 regions have rows");
    assert_eq!(used, 10);
    Ok(())
}

/// Creates a table, writes the rows, and returns the number of rows in each region; a simulation
/// gives the same numbers.
async fn write<S: AsRef<[u8]>>(
    client: &Client,
    name: &str,
    splits: &[S],
    key: impl Fn(u64) -> Vec<u8> + Sync,
) -> Result<Vec<(String, u64)>, Box<dyn std::error::Error>> {
    let name = format!("tallrow_{name}");
    let table = TableDescriptor::new(&name)?.family(FamilyDescriptor::new("d"));
    let table = tables::split(client, &table, splits).await?;
    let puts = (0..ROWS).map(|id| Put::new(key(id)).cell("d", "v", "1"));
    table.put_all(puts).await.into_result()?;
    let rows = rows_by_region(client, &name).await?;
    let simulated = Simulation::new(splits)?.keys(ROWS).run_rows(|draw| Ok(key(draw.index())))?;
    assert_eq!(rows.iter().map(|(_, rows)| *rows).collect::<Vec<_>>(), simulated.rows());
    Ok(rows)
}

/// Returns the fewest and the most rows of a region, rounded outwards.
fn range(rows: &[(String, u64)], step: u64) -> String {
    let least = rows.iter().map(|(_, rows)| rows / step * step).min().unwrap_or(0);
    let most = rows.iter().map(|(_, rows)| rows.next_multiple_of(step)).max().unwrap_or(0);
    format!("all with {least} to {most} rows")
}
