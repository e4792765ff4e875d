//! The stages `tput`, `tget` and `tscan`, which use the same rows through `#[derive(Table)]`.

use std::time::Instant;

use tallrow::{Result, RowKey, Table, TypedTable};
use tallrow_bench::{cpu_time, report};

use super::spread;

/// The row key that the raw stages make of a number.
#[derive(RowKey)]
pub(crate) struct SampleKey {
    spread: u64,
    number: u64,
}

/// The rows of the raw stages.
#[derive(Table)]
#[table(name = "bench_tallrow")]
#[family("f")]
pub(crate) struct Sample {
    #[key]
    key: SampleKey,
    #[cell("f:q")]
    value: Vec<u8>,
}

fn key(number: u64) -> SampleKey {
    SampleKey { spread: spread(number), number }
}

pub(crate) async fn put(table: &TypedTable<Sample>, number: u64, value: &[u8]) -> Result<()> {
    table.put(&Sample { key: key(number), value: value.to_vec() }).await
}

pub(crate) async fn get(table: &TypedTable<Sample>, number: u64) -> Result<()> {
    table.get(&key(number)).await.map(drop)
}

pub(crate) async fn scan(table: &TypedTable<Sample>, value_len: usize) -> Result<()> {
    let (cpu, start) = (cpu_time(), Instant::now());
    let mut rows = table.scan(SampleKey::scan()).rows();
    let (mut count, mut wrong) = (0, 0);
    while let Some(row) = rows.next_row().await? {
        count += 1;
        let right = row.value.len() == value_len && row.key.spread == spread(row.key.number);
        wrong += u64::from(!right);
    }
    report("tscan", count, start.elapsed(), cpu_time().saturating_sub(cpu), None, wrong);
    Ok(())
}
