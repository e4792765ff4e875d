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
}
