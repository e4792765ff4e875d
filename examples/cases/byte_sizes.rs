//! The bytes that keys, names and values take in every cell: numbers as bytes and as text, hashes,
//! and long names.
//!
//! `cargo run -p tallrow-cases --example byte_sizes` prints the sizes, and a cell as the shell and
//! as the schema of its table show it:
//! ```text
//! 1234567890 as a number: 8 bytes, as text: 10
//! its MD5: 16 bytes, as hexadecimal text: 32
//! 18446744073709551615 as a number: 8 bytes, as text: 20
//! a cell with family d, column via: 34 bytes; with myVeryImportantAttribute: 55
//! keys of 128 bytes, 10 cells a row, 1,000,000 rows: 1.28 GB of keys
//! keys of 100 bytes, 1 cell a row, 10,000,000 rows: 1.00 GB of keys
//! keys of 16 bytes, 1 cell a row, 10,000,000 rows: 0.16 GB of keys
//! tallrow_sizes
//!   \x00\x00\x00\x00I\x96\x02\xD2  d:n = \x00\x00\x00\x00\x00\x00\x00\x01
//! read with the schema of the table: id: 1234567890
//! ```

use tallrow::admin::KeyLayout;
use tallrow::key::schema::Schema;
use tallrow::key::{Digest, Md5};
use tallrow::sizes::CellSize;
use tallrow::{Counter, RowKey, Scan, Table};
use tallrow_examples::place;

#[derive(RowKey, Debug)]
struct Number {
    id: u64,
}

#[derive(RowKey, Debug)]
struct Text {
    id: String,
}

#[derive(RowKey, Debug)]
struct Hash {
    id: Digest<16>,
}

#[derive(Table)]
#[table(name = "tallrow_sizes")]
#[family("d")]
struct Row {
    #[key]
    id: Number,
    #[cell("d:n")]
    hits: Counter,
}

/// The bytes that the row keys of a table take, in gigabytes: each cell contains its row key.
fn key_gigabytes(key: usize, cells: usize, rows: usize) -> f64 {
    let without_key = CellSize::new(0, 1, 1, 8).total();
    ((CellSize::new(key, 1, 1, 8).total() - without_key) * cells * rows) as f64 / 1e9
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = 1_234_567_890;
    let number = Number { id }.encode().len();
    let text = Text { id: id.to_string() }.encode().len();
    let hash = Digest::of::<Md5<16>, _>(id.to_string().as_str());
    let (digest, hex) = (Hash { id: hash }.encode().len(), hash.to_string().len());
    println!("{id} as a number: {number} bytes, as text: {text}");
    println!("its MD5: {digest} bytes, as hexadecimal text: {hex}");
    assert_eq!((number, text, digest, hex), (8, 10, 16, 32));
    let largest = Text { id: u64::MAX.to_string() }.encode().len();
    println!("{} as a number: {number} bytes, as text: {largest}", u64::MAX);
    assert_eq!(largest, 20);

    let named = |name: &str| CellSize::new(8, 1, name.len(), 2).total();
    let (short, long) = (named("via"), named("myVeryImportantAttribute"));
    println!(
        "a cell with family d, column via: {short} bytes; with myVeryImportantAttribute: {long}"
    );
    for (key, cells, rows) in [(128, 10, 1_000_000), (100, 1, 10_000_000), (16, 1, 10_000_000)] {
        let gigabytes = key_gigabytes(key, cells, rows);
        let plural = if cells == 1 { "" } else { "s" };
        let rows = if rows == 1_000_000 { "1,000,000" } else { "10,000,000" };
        println!(
            "keys of {key} bytes, {cells} cell{plural} a row, {rows} rows: {gigabytes:.2} GB of keys"
        );
    }
    assert_eq!((key_gigabytes(128, 10, 1_000_000) * 1e9) as u64, 1_280_000_000);
    assert_eq!((key_gigabytes(100, 1, 10_000_000) * 1e9) as u64, 1_000_000_000);

    // The table records its schema, so that its keys can be read without this program.
    let client = place::connect().await?;
    let rows = place::empty::<Row>(&client).await?;
    rows.increment(&Number { id }, Row::HITS, 1).await?;
    place::print_cells(&client, Row::TABLE).await?;
    let recorded = client.admin().describe(Row::TABLE).await?;
    let layout = KeyLayout::of_table(&recorded).ok_or("no schema is recorded")?;
    let schema = Schema::parse(layout.schema())?;
    let row = client.raw_table(Row::TABLE)?.scan(Scan::all())?.next_row().await?;
    let row = row.ok_or("no row")?;
    println!("read with the schema of the table: {}", schema.decode(row.key())?);
    // In memory and on disk, a cell takes as many bytes as were computed.
    let sizes: Vec<_> = row.cells().iter().map(CellSize::of).collect();
    assert_eq!(sizes, [CellSize::new(8, 1, 1, 8)]);
    Ok(())
}
