//! Sessions of the HBase shell from the reference guide and from books, with a call for each
//! command: deleted cells that are kept or not, counters, scans, and a row key in two families.
//!
//! `cargo run -p tallrow-cases --example transcript` prints the commands and their results:
//! ```text
//! create 'tallrow_transcript', {NAME => 'e', VERSIONS => 2147483647}
//! put at 10, 12 and 14; delete at 11
//!   scan, raw: 14, 12, 11 DeleteColumn, 10
//! flush
//!   scan, raw: 14, 12, 11 DeleteColumn
//! major_compact
//!   scan, raw: 14, 12
//! alter 'tallrow_transcript', {NAME => 'e', KEEP_DELETED_CELLS => 'TRUE'}
//! put at 10, 12 and 14; delete at 11
//!   scan, raw: 14, 12, 11 DeleteColumn, 10
//! flush
//!   scan, raw: 14, 12, 11 DeleteColumn, 10
//! major_compact
//!   scan, raw: 14, 12, 11 DeleteColumn, 10
//! get before 11: 10
//! incr 'tallrow_counters', 'rk1', 'c:1': 1
//! incr 'tallrow_counters', 'rk1', 'c:2', 100: 100
//! get 'tallrow_counters', 'rk1'
//!   c:1 = \x00\x00\x00\x00\x00\x00\x00\x01
//!   c:2 = \x00\x00\x00\x00\x00\x00\x00d
//! incr of text: NotACounter
//! the same row in family d: text
//! scan from rk2, 2 rows: rk2, rk3
//! the same, reversed: rk2, rk1
//! ```

use std::time::Duration;

use tallrow::admin::{CompactionState, KeepDeletedCells};
use tallrow::cell::CellType;
use tallrow::key::show::shell;
use tallrow::{
    Client, Delete, FamilyDescriptor, Get, Increment, Put, RawTable, Result, Scan, TableDescriptor,
    Timestamp,
};
use tallrow_cases::tables;
use tallrow_examples::place;

const NO_SPLITS: &[&str] = &[];
const AT: fn(u64) -> Timestamp = Timestamp::from_millis;

#[tokio::main]
async fn main() -> Result<()> {
    let client = place::connect().await?;
    kept_cells(&client).await?;
    counters(&client).await
}

async fn kept_cells(client: &Client) -> Result<()> {
    const TABLE: &str = "tallrow_transcript";
    let definition = TableDescriptor::new(TABLE)?;
    let family = FamilyDescriptor::new("e").versions(i32::MAX as u32);
    let table =
        tables::split(client, &definition.clone().family(family.clone()), NO_SPLITS).await?;
    println!("create '{TABLE}', {{NAME => 'e', VERSIONS => 2147483647}}");
    let not_kept = session(client, &table).await?;
    assert_eq!(not_kept, ["14, 12, 11 DeleteColumn, 10", "14, 12, 11 DeleteColumn", "14, 12"]);

    // The row is deleted and compacted away, so that nothing of the first session remains.
    table.delete("r1").await?;
    client.admin().hbase()?.flush(TABLE).await?;
    major_compact(client, TABLE).await?;
    let kept = definition.family(family.keep_deleted_cells(KeepDeletedCells::Yes));
    let difference = client.admin().diff_table(&kept).await?;
    print!("{}", difference.to_shell());
    client.admin().alter(&difference).await?;
    let kept = session(client, &table).await?;
    assert_eq!(kept, ["14, 12, 11 DeleteColumn, 10"; 3]);

    // The cells from before the delete.
    let before = table.get(Get::new("r1").time_range(..AT(11))).await?;
    let times: Vec<_> = before.iter().flat_map(|row| row.cells()).map(shown).collect();
    println!("get before 11: {}", times.join(", "));
    assert_eq!(times, ["10"]);
    Ok(())
}

/// Puts, deletes, flushes and compacts, and returns the cells that are stored after each step.
async fn session(client: &Client, table: &RawTable) -> Result<Vec<String>> {
    let name = table.name().as_str();
    let mut stored = Vec::new();
    for at in [10, 12, 14] {
        table.put(Put::new("r1").cell_at("e", "c1", AT(at), "value")).await?;
    }
    table.delete(Delete::new("r1").column_until("e", "c1", AT(11))).await?;
    println!("put at 10, 12 and 14; delete at 11");
    stored.push(raw_scan(table).await?);
    client.admin().hbase()?.flush(name).await?;
    println!("flush");
    stored.push(raw_scan(table).await?);
    major_compact(client, name).await?;
    println!("major_compact");
    stored.push(raw_scan(table).await?);
    Ok(stored)
}

/// `scan 't', {RAW => true, VERSIONS => 1000}`
async fn raw_scan(table: &RawTable) -> Result<String> {
    let mut rows = table.scan(Scan::all().raw().versions(1_000))?;
    let mut cells = Vec::new();
    while let Some(row) = rows.next_row().await? {
        cells.extend(row.cells().iter().map(shown));
    }
    println!("  scan, raw: {}", cells.join(", "));
    Ok(cells.join(", "))
}

fn shown(cell: &tallrow::cell::Cell) -> String {
    match cell.kind() {
        CellType::Put => cell.timestamp().as_millis().to_string(),
        kind => format!("{} {kind:?}", cell.timestamp().as_millis()),
    }
}

/// Starts a major compaction, and returns when it has ended.
async fn major_compact(client: &Client, table: &str) -> Result<()> {
    let admin = client.admin().hbase()?;
    admin.major_compact(table).await?;
    while admin.compaction_state(table).await? != CompactionState::None {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

async fn counters(client: &Client) -> Result<()> {
    const TABLE: &str = "tallrow_counters";
    let definition = TableDescriptor::new(TABLE)?.family(FamilyDescriptor::new("c"));
    let definition = definition.family(FamilyDescriptor::new("d"));
    let counters = tables::split(client, &definition, NO_SPLITS).await?;

    let one = counters.increment(Increment::new("rk1").add("c", "1", 1)).await?;
    let one = one.and_then(|row| row.counter("c", "1").transpose()).transpose()?;
    let hundred = counters.increment(Increment::new("rk1").add("c", "2", 100)).await?;
    let hundred = hundred.and_then(|row| row.counter("c", "2").transpose()).transpose()?;
    println!("incr '{TABLE}', 'rk1', 'c:1': {}", one.unwrap_or_default());
    println!("incr '{TABLE}', 'rk1', 'c:2', 100: {}", hundred.unwrap_or_default());
    assert_eq!((one, hundred), (Some(1), Some(100)));

    println!("get '{TABLE}', 'rk1'");
    let row = counters.get("rk1").await?;
    for cell in row.iter().flat_map(|row| row.cells()) {
        println!("  c:{} = {}", shell(cell.qualifier()), shell(cell.value()));
    }

    // "Attempted to increment field that isn't 64 bits wide", says the server.
    counters.put(Put::new("rk1").cell("d", "1", "text")).await?;
    let error = counters.increment(Increment::new("rk1").add("d", "1", 1)).await;
    let error = error.expect_err("a cell of 4 bytes");
    println!("incr of text: {:?}", error.kind());
    assert_eq!(error.kind(), tallrow::ErrorKind::NotACounter);
    assert!(error.to_string().contains("8 bytes wide"), "{error}");

    // A row key identifies one row in all families.
    let row = counters.get("rk1").await?;
    let text = row.as_ref().and_then(|row| row.value("d", "1"));
    println!("the same row in family d: {}", shell(text.unwrap_or_default()));
    assert!(row.is_some_and(|row| row.cells().len() == 3));

    for row in ["rk2", "rk3", "rk4"] {
        counters.put(Put::new(row).cell("d", "1", "x")).await?;
    }
    let two = keys(&counters, Scan::range("rk2"..).limit(2)).await?;
    let back = keys(&counters, Scan::range(..="rk2").reversed().limit(2)).await?;
    println!("scan from rk2, 2 rows: {}\nthe same, reversed: {}", two.join(", "), back.join(", "));
    assert_eq!((two, back), (vec!["rk2".into(), "rk3".into()], vec!["rk2".into(), "rk1".into()]));
    Ok(())
}

async fn keys(table: &RawTable, scan: Scan) -> Result<Vec<String>> {
    let mut rows = table.scan(scan)?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await? {
        keys.push(shell(row.key()).to_string());
    }
    Ok(keys)
}
