//! Salts and hashes: rows with adjacent keys, distributed over four regions, and the ranges that
//! are read to get them back.
//!
//! `cargo run -p tallrow-cases --example salting` prints where the rows are with each design, and
//! the ranges that are read:
//! ```text
//! plain: foo0001..foo0008 are in 1 of 4 regions
//!   one row: 1 range; all rows in order: 1 range
//! random salt: foo0001..foo0008 are in 4 of 4 regions
//!   one row: 4 ranges; all rows in order: 4 ranges
//! salt by hash: foo0001..foo0008 are in 4 of 4 regions
//!   one row: 1 range; all rows in order: 4 ranges
//! MD5 in front: foo0001..foo0008 are in 4 of 4 regions
//!   one row: 1 range; all rows in order: not by ranges
//! time modulo 100: 1000..1100 is in 4 of 4 regions
//!   one time: 1 range; a range of time in order: 100 ranges
//! ```

use tallrow::key::RowRanges;
use tallrow::{Client, Result, RowKey, Table, TypedTable};
use tallrow_examples::place;

use tallrow_cases::tables::{rows_by_region, split_for};

/// The name alone as the key: all new rows are next to each other.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct Plain {
    name: String,
}

/// `a-foo0003`, `b-foo0001`, ..: a salt that is chosen for each row.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(random, buckets = 4))]
struct Random {
    name: String,
}

/// The same row always has the same salt, so that a reader can compute the salt.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4))]
struct Hashed {
    name: String,
}

/// The key after the first hexadecimal digits of its MD5.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(hash_prefix(md5, hex = 8, fields = (name)))]
struct Md5 {
    name: String,
}

/// `[time % 100][time]`
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 100, fields = (at), hash = modulo), allow(hotspot))]
struct Modulo {
    at: u64,
}

/// Defines a row type with one cell for each of the keys.
macro_rules! tables {
    ($($row:ident: $key:ty, $name:literal;)*) => {$(
        #[derive(Table, Debug)]
        #[table(name = $name)]
        #[family("d")]
        struct $row {
            #[key]
            key: $key,
            #[cell("d:v")]
            value: u8,
        }
    )*};
}
tables! {
    PlainRow: Plain, "tallrow_salting_plain";
    RandomRow: tallrow::key::RandomSalted<Random>, "tallrow_salting_random";
    HashedRow: Hashed, "tallrow_salting_hashed";
    Md5Row: Md5, "tallrow_salting_md5";
    ModuloRow: Modulo, "tallrow_salting_modulo";
}

fn names() -> impl Iterator<Item = String> {
    (1..=8).map(|n| format!("foo{n:04}"))
}

/// Returns how many regions have rows.
async fn used(client: &Client, table: &str) -> Result<String> {
    let rows = rows_by_region(client, table).await?;
    let used = rows.iter().filter(|(_, rows)| *rows > 0).count();
    Ok(format!("{used} of {} regions", rows.len()))
}

#[tokio::main]
async fn main() -> Result<()> {
    let client = place::connect().await?;

    let plain: TypedTable<PlainRow> = split_for(&client, &["g", "n", "t"]).await?;
    for name in names() {
        plain.put(&PlainRow { key: Plain { name }, value: 1 }).await?;
    }
    println!("plain: foo0001..foo0008 are in {}", used(&client, PlainRow::TABLE).await?);
    let all = Plain::scan().row_ranges()?.len();
    println!("  one row: 1 range; all rows in order: {all} range");

    let random: TypedTable<RandomRow> = place::empty(&client).await?;
    for (bucket, name) in (0..).zip(names()) {
        // A program would call `random_salt`; this program always prints the same.
        let key = Random { name }.salted(bucket);
        random.put(&RandomRow { key, value: 1 }).await?;
    }
    println!("random salt: foo0001..foo0008 are in {}", used(&client, RandomRow::TABLE).await?);
    let one = Random::scan().name("foo0003");
    let (ranges, all) = (one.row_ranges()?.len(), Random::scan().row_ranges()?.len());
    println!("  one row: {ranges} ranges; all rows in order: {all} ranges");
    let found = random.scan(Random::scan().name("foo0003")).rows().next_row().await?;
    assert_eq!(found.map(|row| row.key.into_key().name), Some("foo0003".into()));
    let mut rows = random.scan(Random::scan()).rows();
    for name in names() {
        let row = rows.next_row().await?;
        assert_eq!(row.map(|row| row.key.into_key().name), Some(name), "in order");
    }

    let hashed: TypedTable<HashedRow> = place::empty(&client).await?;
    for name in names() {
        hashed.put(&HashedRow { key: Hashed { name }, value: 1 }).await?;
    }
    println!("salt by hash: foo0001..foo0008 are in {}", used(&client, HashedRow::TABLE).await?);
    let all = Hashed::scan().row_ranges()?.len();
    println!("  one row: 1 range; all rows in order: {all} ranges");
    // The row key can be computed, so a get is possible.
    assert!(hashed.exists(&Hashed { name: "foo0003".into() }).await?);
    let mut rows = hashed.scan(Hashed::scan()).rows();
    for name in names() {
        assert_eq!(rows.next_row().await?.map(|row| row.key.name), Some(name), "in order");
    }

    let md5: TypedTable<Md5Row> = split_for(&client, &["4", "8", "c"]).await?;
    for name in names() {
        md5.put(&Md5Row { key: Md5 { name }, value: 1 }).await?;
    }
    println!("MD5 in front: foo0001..foo0008 are in {}", used(&client, Md5Row::TABLE).await?);
    println!("  one row: 1 range; all rows in order: not by ranges");
    assert!(md5.exists(&Md5 { name: "foo0003".into() }).await?);

    // A region for each bucket is not needed: 25 buckets are in one region.
    let modulo: TypedTable<ModuloRow> = split_for(&client, &["\x19", "\x32", "\x4b"]).await?;
    let rows: Vec<_> =
        (1_000..1_100).map(|at| ModuloRow { key: Modulo { at }, value: 1 }).collect();
    modulo.put_all(&rows).await.into_result()?;
    println!("time modulo 100: 1000..1100 is in {}", used(&client, ModuloRow::TABLE).await?);
    let some = || Modulo::scan().at(1_020..1_080);
    let one = Modulo::scan().at(1_050).row_ranges()?.len();
    let ranges = some().row_ranges()?.len();
    println!("  one time: {one} range; a range of time in order: {ranges} ranges");
    let mut rows = modulo.scan(some()).rows();
    for at in 1_020..1_080 {
        assert_eq!(rows.next_row().await?.map(|row| row.key.at), Some(at), "merged in order");
    }
    assert!(rows.next_row().await?.is_none());
    Ok(())
}
