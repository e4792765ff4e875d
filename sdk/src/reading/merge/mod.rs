//! Merges the scans of the buckets of a salted key into one scan, in the order of the key without
//! the salt.
//!
//! # Invariants
//!
//! - A bucket that failed is an error, not a gap: the merge ends only when every bucket has ended.
//!   Tests: `a_bucket_that_fails_is_an_error_and_no_gap`.

use std::cmp::Ordering;
use std::task::{Context, Poll};

use super::FetchedRows;
use crate::reading::loser_tree::LoserTree;
use crate::request::scan::ScanOrder;
use crate::{Result, Row};

/// The rows of several scans, merged in the order of a salted key.
///
/// The merge ends only after every scan has reported its end: a bucket that failed is an error,
/// never a gap.
pub(crate) struct MergedRows {
    scans: Vec<FetchedRows>,
    /// The next row of each scan; `None` for a scan that has ended.
    heads: Vec<Option<Head>>,
    /// The scans whose next row is not known.
    wanted: Vec<usize>,
    /// The tournament of the heads, once all of them are known.
    tree: Option<LoserTree>,
    order: ScanOrder,
    limit: Option<u64>,
}

/// The next row of a scan, with the first bytes by which rows are ordered.
struct Head {
    row: Row,
    first: u64,
}

impl MergedRows {
    pub(crate) fn new(scans: Vec<FetchedRows>, order: ScanOrder, limit: Option<u64>) -> Self {
        let heads = scans.iter().map(|_| None).collect();
        let wanted = (0..scans.len()).collect();
        Self { scans, heads, wanted, tree: None, order, limit }
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        if self.limit == Some(0) {
            return Poll::Ready(None);
        }
        if let Err(error) = self.poll_wanted(cx) {
            self.limit = Some(0);
            return Poll::Ready(Some(Err(error)));
        }
        if !self.wanted.is_empty() {
            return Poll::Pending;
        }
        let (order, heads) = (self.order, &self.heads);
        let before = |a, b| is_before(order, heads, a, b);
        let winner = match &mut self.tree {
            Some(tree) => {
                tree.replay(before);
                tree.winner()
            }
            None => self.tree.insert(LoserTree::play(heads.len(), before)).winner(),
        };
        let Some(head) = self.heads.get_mut(winner).and_then(Option::take) else {
            self.limit = Some(0);
            return Poll::Ready(None);
        };
        self.wanted.push(winner);
        self.limit = self.limit.map(|limit| limit - 1);
        Poll::Ready(Some(Ok(head.row)))
    }

    /// Polls the scans whose next row is not known. Afterwards only the scans that are still
    /// pending are in `wanted`.
    fn poll_wanted(&mut self, cx: &mut Context<'_>) -> Result<()> {
        let Self { scans, heads, wanted, order, .. } = self;
        let mut failed = Ok(());
        wanted.retain(|at| {
            let (Some(scan), Some(head)) = (scans.get_mut(*at), heads.get_mut(*at)) else {
                return false;
            };
            match scan.poll_row(cx) {
                Poll::Ready(Some(Ok(row))) => {
                    *head = Some(Head { first: order.sort_prefix(row.key()), row });
                    false
                }
                Poll::Ready(Some(Err(error))) => {
                    failed = Err(error);
                    false
                }
                Poll::Ready(None) => false,
                Poll::Pending => true,
            }
        });
        failed
    }
}

/// Returns whether the head of scan `a` comes before the head of scan `b`.
fn is_before(order: ScanOrder, heads: &[Option<Head>], a: usize, b: usize) -> bool {
    let head = |at: usize| heads.get(at).and_then(Option::as_ref);
    match (head(a), head(b)) {
        (Some(a), Some(b)) => {
            let first = order.apply_direction(a.first.cmp(&b.first));
            first.then_with(|| order.compare(a.row.key(), b.row.key())) == Ordering::Less
        }
        (a, _) => a.is_some(),
    }
}

#[cfg(test)]
mod tests;
