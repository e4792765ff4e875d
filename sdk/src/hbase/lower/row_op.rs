//! One operation on one row as plain data, and how often it may be sent.

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

use crate::TableName;
use crate::hbase::rpc::Request;
use crate::wire::cell_block;
use crate::wire::proto::MutationProto;

/// What may be done with an operation whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idempotency {
    /// It changes nothing.
    Read,
    /// It is idempotent.
    Write,
    /// The server recognizes it by its nonce and does not do it twice, if it is the same server, or one that recovered
    /// its log.
    WithNonce,
    /// It may only be reported as unknown.
    Never,
}

/// One operation on one row, as plain data: what the retry loop works on.
#[derive(Clone, Debug)]
pub(crate) struct RowOp {
    pub(crate) name: &'static str,
    pub(crate) table: TableName,
    pub(crate) row: Bytes,
    pub(crate) request: Request,
    pub(crate) cells: Bytes,
    pub(crate) condition: Option<Bytes>,
    pub(crate) idempotency: Idempotency,
    pub(crate) undated: Option<Undated>,
    pub(crate) timeout: Duration,
}

/// The parts of an idempotent write that get a time from the client: its cells without one, and these.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Undated {
    /// Which of its messages delete the whole row.
    pub(crate) rows: Vec<usize>,
    /// Whether it deletes anything.
    pub(crate) deletes: bool,
}

impl RowOp {
    /// Gives it its time.
    pub(crate) fn date(&mut self, time: u64) {
        let mut cells = BytesMut::from(std::mem::take(&mut self.cells));
        cell_block::replace_latest_timestamp(&mut cells, time);
        self.cells = cells.freeze();
        for at in self.undated.iter().flat_map(|undated| &undated.rows) {
            let Some(message) = self.request.messages_mut().get_mut(*at) else { continue };
            // The fields of a message may come in any order, so the time is appended.
            let mut dated = BytesMut::from(std::mem::take(message));
            dated.put(
                &*MutationProto { timestamp: Some(time), ..Default::default() }.encode_to_vec(),
            );
            *message = dated.freeze();
        }
    }
}
