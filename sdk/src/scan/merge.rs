use std::task::{Context, Poll};

use super::{RowStream, ScanOrder};
use crate::{Result, Row};

/// The rows of several scans as one, in the order of a salted key.
///
/// Every scan must have reported its end before this one is: a bucket that failed is an error, never a gap.
pub(crate) struct Merge {
    scans: Vec<RowStream>,
    heads: Vec<Head>,
    order: ScanOrder,
    limit: Option<u64>,
}

enum Head {
    Lookup,
    Row(Row),
    Ended,
}

impl Merge {
    pub(crate) fn new(scans: Vec<RowStream>, order: ScanOrder, limit: Option<u64>) -> Self {
        let heads = scans.iter().map(|_| Head::Lookup).collect();
        Self { scans, heads, order, limit }
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        if self.limit == Some(0) {
            return Poll::Ready(None);
        }
        let mut waiting = false;
        for (scan, head) in self.scans.iter_mut().zip(&mut self.heads) {
            if let Head::Lookup = head {
                *head = match scan.poll_row(cx) {
                    Poll::Ready(Some(Ok(row))) => Head::Row(row),
                    Poll::Ready(Some(Err(error))) => {
                        self.limit = Some(0);
                        return Poll::Ready(Some(Err(error)));
                    }
                    Poll::Ready(None) => Head::Ended,
                    Poll::Pending => {
                        waiting = true;
                        continue;
                    }
                };
            }
        }
        if waiting {
            return Poll::Pending;
        }
        let mut first: Option<(usize, &[u8])> = None;
        for (at, head) in self.heads.iter().enumerate() {
            let Head::Row(row) = head else { continue };
            if first.is_none_or(|(_, first)| self.order.compare(row.key(), first).is_lt()) {
                first = Some((at, row.key()));
            }
        }
        let first = first.map(|(at, _)| at).and_then(|at| self.heads.get_mut(at));
        match first.map(|head| std::mem::replace(head, Head::Lookup)) {
            Some(Head::Row(row)) => {
                self.limit = self.limit.map(|limit| limit - 1);
                Poll::Ready(Some(Ok(row)))
            }
            _ => Poll::Ready(None),
        }
    }
}
