//! Encodes the outcomes of the rows of a MutateRows.

use std::ops::Range;

use bytes::Bytes;
use prost::Message;
use prost::encoding::{encode_varint, encoded_len_varint};

use crate::bigtable::call::{finish_frame, start_frame};
use crate::bigtable::status::StatusResult;

/// The key of an outcome in a `MutateRowsResponse`: field 1, a message.
const OUTCOME: u8 = 1 << 3 | 2;
/// The key of the entry's index in an outcome: field 1, a number.
const INDEX: u8 = 1 << 3;
/// The key of the status in an outcome: field 2, a message.
const STATUS: u8 = 2 << 3 | 2;

/// The size of an outcome without an error. The first outcomes, with small indexes, are smaller.
const USUAL_BYTES: usize = 8;

/// Returns the frame of a `MutateRowsResponse` with some of the outcomes.
pub(super) fn outcomes_frame(outcomes: &[StatusResult<()>], range: Range<usize>) -> Bytes {
    let mut out = start_frame(range.len() * USUAL_BYTES);
    for (index, outcome) in outcomes.iter().enumerate().take(range.end).skip(range.start) {
        append(index as u64, outcome, &mut out);
    }
    finish_frame(out)
}

fn append(index: u64, outcome: &StatusResult<()>, out: &mut Vec<u8>) {
    let of_index = if index == 0 { 0 } else { 1 + encoded_len_varint(index) };
    let status = outcome.as_ref().err().map_or(0, Message::encoded_len);
    out.push(OUTCOME);
    encode_varint((of_index + 1 + encoded_len_varint(status as u64) + status) as u64, out);
    if index != 0 {
        out.push(INDEX);
        encode_varint(index, out);
    }
    out.push(STATUS);
    encode_varint(status as u64, out);
    if let Err(status) = outcome {
        status.encode_raw(out);
    }
}

#[cfg(test)]
mod tests {
    use tallrow_wire::bigtable::{MutateRowsOutcome, MutateRowsResponse, Status};

    use super::*;
    use crate::bigtable::call::frame;
    use crate::bigtable::status::invalid;

    #[test]
    fn outcomes_are_written_as_the_message_is() {
        let mut outcomes = vec![Ok(()); 300];
        outcomes[1] = Err(invalid("bad"));
        outcomes[299] = Err(invalid("b".repeat(300)));
        let outcome = |index: usize| MutateRowsOutcome {
            index: index as i64,
            status: Some(outcomes[index].clone().err().unwrap_or_else(Status::default)),
        };
        for range in [0..300, 0..1, 1..2, 2..300] {
            let entries = range.clone().map(outcome).collect();
            let expected = MutateRowsResponse { entries, rate_limit_info: None };
            assert_eq!(outcomes_frame(&outcomes, range), frame(&expected));
        }
    }
}
