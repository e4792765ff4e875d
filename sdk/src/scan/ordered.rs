use std::task::{Context, Poll};

use super::{Merge, RowStream};
use crate::{Result, Row};

/// The rows of all ranges of a scan, in its order.
pub(crate) enum OrderedRows {
    One(RowStream),
    Merged(Merge),
}

impl OrderedRows {
    pub(crate) async fn next_row(&mut self) -> Result<Option<Row>> {
        std::future::poll_fn(|cx| self.poll_row(cx)).await.transpose()
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        match self {
            Self::One(rows) => rows.poll_row(cx),
            Self::Merged(merge) => merge.poll_row(cx),
        }
    }

    /// How many rows are left.
    pub(crate) async fn count(mut self) -> Result<u64> {
        let mut rows = 0;
        while self.next_row().await?.is_some() {
            rows += 1;
        }
        Ok(rows)
    }
}
