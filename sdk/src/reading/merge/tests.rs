//! Tests of merged scans: their order, and that a scan which fails leaves no gap.

use std::collections::VecDeque;
use std::time::Duration;

use super::*;
use crate::model::cell::{Cell, CellType};
use crate::reading::{FetchedPage, PageSource, ScanMeter};
use crate::{Error, ErrorKind, Timestamp};

/// Pages that are known before.
struct Pages(VecDeque<Result<Vec<Row>>>);

impl PageSource for Pages {
    async fn next_page(&mut self) -> Result<Option<FetchedPage>> {
        tokio::task::yield_now().await;
        Ok(self.0.pop_front().transpose()?.map(FetchedPage::Rows))
    }

    fn idle_limit(&self) -> Option<Duration> {
        None
    }

    async fn keep_alive(&mut self) {}
}

fn row(key: [u8; 2]) -> Row {
    let cell = Cell::new(key, "f", "q", Timestamp::from_millis(1), CellType::Put, "").unwrap();
    Row::new(vec![cell], false).unwrap()
}

fn order(reversed: bool) -> ScanOrder {
    ScanOrder { salt_len: 1, reversed }
}

/// The rows of a bucket, in pages of two.
fn bucket(bucket: u8, reversed: bool) -> Vec<[u8; 2]> {
    let mut rows: Vec<_> = (0..bucket % 7 * 3).map(|i| [bucket, i * 5 + bucket % 4]).collect();
    if reversed {
        rows.reverse();
    }
    rows
}

async fn read(mut merge: MergedRows) -> Result<Vec<Vec<u8>>> {
    let mut keys = Vec::new();
    while let Some(row) = std::future::poll_fn(|cx| merge.poll_row(cx)).await {
        keys.push(row?.key().to_vec());
    }
    assert!(std::future::poll_fn(|cx| merge.poll_row(cx)).await.is_none());
    Ok(keys)
}

fn stream(rows: &[[u8; 2]], failure: Option<Error>) -> FetchedRows {
    let pages = rows.chunks(2).map(|page| Ok(page.iter().map(|key| row(*key)).collect()));
    FetchedRows::new(Pages(pages.chain(failure.map(Err)).collect()), ScanMeter::default())
}

#[tokio::test]
async fn buckets_are_merged_in_the_order_of_their_keys() {
    for buckets in [1, 2, 3, 16, 100] {
        for reversed in [false, true] {
            let rows: Vec<_> = (0..buckets).map(|at| bucket(at, reversed)).collect();
            let mut expected: Vec<_> = rows.concat().iter().map(|key| key.to_vec()).collect();
            expected.sort_by(|a, b| order(reversed).compare(a, b));
            for limit in [None, Some(0), Some(5)] {
                let streams = rows.iter().map(|rows| stream(rows, None)).collect();
                let found = read(MergedRows::new(streams, order(reversed), limit)).await.unwrap();
                let len = limit.map_or(expected.len(), |limit| expected.len().min(limit as usize));
                assert_eq!(found, expected[..len], "{buckets} buckets, limit {limit:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_bucket_that_fails_is_an_error_and_no_gap() {
    let failure = || Error::new(ErrorKind::Busy, "too much to do");
    let streams = vec![
        stream(&bucket(3, false), None),
        stream(&bucket(4, false)[..1], Some(failure())),
        stream(&bucket(5, false), None),
    ];
    let error = read(MergedRows::new(streams, order(false), None)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
}
