//! Encodes gets and mutations as messages. A mutation is validated first; its cells go into a cell
//! block, or into the message if it is an increment or an append.

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::options::{durability, write_attributes};
use super::row_op::MissingTimestamps;
use crate::backend::hbase::nonce::nonce;
use crate::backend::repeat::{Idempotency, RepeatPolicy};
use crate::model::cell::Cell;
use crate::model::columns::FamilyColumns;
use crate::request::call_options::CallOptions;
use crate::request::op::{CallTarget, MutationKind, SingleMutation};
use crate::wire::frame::append_up_to;
use crate::wire::multi::{column_len, put_column};
use crate::wire::proto::{
    ColumnValue, Get, MutationProto, MutationType, NameBytesPair, QualifierValue,
};
use crate::{Error, ErrorKind, Result};

/// An encoder of operations, with the maximum size of a cell and the memory for messages.
#[derive(Debug)]
pub(crate) struct Encoder {
    max_cell_bytes: usize,
    /// The memory that the messages of many operations share.
    shared: Option<BytesMut>,
}

impl Encoder {
    /// Makes an encoder for one operation.
    pub(crate) fn new(max_cell_bytes: usize) -> Self {
        Self { max_cell_bytes, shared: None }
    }

    /// Makes an encoder for about `count` operations, whose messages share memory.
    pub(crate) fn for_many(max_cell_bytes: usize, count: usize) -> Self {
        let bytes = count.clamp(1, SHARED_BYTES / MESSAGE_BYTES) * MESSAGE_BYTES;
        Self { max_cell_bytes, shared: Some(BytesMut::with_capacity(bytes)) }
    }

    pub(super) fn encode_message(&mut self, message: &impl Message) -> Bytes {
        self.put(message.encoded_len(), |out| message.encode_raw(out))
    }

    /// Encodes a `Get` message together with the columns to read. The columns are only borrowed,
    /// because many reads may share them.
    pub(super) fn encode_get(&mut self, get: &Get, families: &[FamilyColumns]) -> Bytes {
        let columns = || families.iter().map(|f| (&f.family[..], f.qualifiers.iter()));
        let of_columns: usize = columns().map(|(family, rest)| column_len(family, rest)).sum();
        self.put(get.encoded_len() + of_columns, |out| {
            get.encode_raw(out);
            columns().for_each(|(family, qualifiers)| put_column(family, qualifiers, out));
        })
    }

    fn put(&mut self, len: usize, put: impl FnOnce(&mut &mut [u8])) -> Bytes {
        match &mut self.shared {
            Some(shared) => {
                append_up_to(shared, len, put);
                shared.split().freeze()
            }
            None => {
                let mut own = BytesMut::with_capacity(len);
                append_up_to(&mut own, len, put);
                own.freeze()
            }
        }
    }
}

/// The most bytes that the message of an operation usually takes.
const MESSAGE_BYTES: usize = 64;
/// The most bytes that are allocated for messages at once.
const SHARED_BYTES: usize = 64 << 10;

/// One mutation, validated and ready to be sent.
pub(super) struct EncodedMutation {
    pub(super) row: Bytes,
    /// A `MutationProto`.
    pub(super) message: Bytes,
    /// The cells that are not in the message.
    pub(super) cells: Bytes,
    pub(super) repeat_policy: RepeatPolicy,
    /// Whether the mutation deletes cells up to the server's time when it is applied.
    pub(super) deletes_until_server_time: bool,
    /// The parts of the mutation that get a timestamp from the client, if the client sets one.
    pub(super) undated: Option<MissingTimestamps>,
}

pub(super) fn encode_mutation(
    kind: MutationKind,
    mut mutation: SingleMutation,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedMutation> {
    let kind = match kind {
        MutationKind::AddToCells => additions_as_increment(&mutation, to)?,
        MutationKind::MergeToCells => {
            let what = "HBase has no aggregate families, into whose cells it could be merged; add \
                        numbers with AddToCells or Increment, or write values with Put";
            let error = Error::new(ErrorKind::Unsupported, what);
            return Err(to.with_context(kind.name(), &mutation.row, error));
        }
        kind => kind,
    };
    let combined = mutation.combine_repeated(kind);
    let invalid = |why: String| to.invalid(kind.name(), &mutation.row, why);
    combined.map_err(invalid)?;
    if mutation.cells.is_empty() && kind != MutationKind::Delete {
        return Err(invalid("it has no cells; name at least one column".into()));
    }
    let (largest, limit) = (mutation.cells.largest_cell_size(), encoder.max_cell_bytes);
    if largest > limit {
        return Err(invalid(format!(
            "a cell of {largest} bytes, more than max_cell_bytes, {limit}; split it, or keep it elsewhere"
        )));
    }
    let options = CallOptions::merge(mutation.options.as_ref(), to.options);
    let mut attribute = write_attributes(options.as_deref()).map_err(invalid)?;
    attribute.extend(ttl_attribute(&mutation).map_err(invalid)?);
    // HBase 2.5.10 frees the memory of a request's cell block before it has written the answer to
    // an increment or append. The cells of the answer are still in that memory, so the answer may
    // contain bytes of another request. The server copies cells that are inside the message, so the
    // cells of increments and appends are put there.
    let adds = matches!(kind, MutationKind::Increment | MutationKind::Append);
    let whole_row = mutation.deletes_row(kind);
    let server_time = !adds && (mutation.server_time || whole_row);
    let delivery = mutation.delivery.unwrap_or(to.delivery);
    let repeat_policy = match adds {
        true => RepeatPolicy::of_increment_or_append(Idempotency::WithNonce),
        false => RepeatPolicy::of_write(delivery, server_time, mutation.must_not_repeat),
    };
    let undated = repeat_policy.has_client_timestamp.then(|| MissingTimestamps {
        row_delete_positions: whole_row.then_some(0).into_iter().collect(),
        deletes: kind == MutationKind::Delete,
    });
    let deletes_until_server_time = kind == MutationKind::Delete && server_time;
    let count = i32::try_from(mutation.cells.cell_count())
        .map_err(|_| invalid("it has more than 2^31 - 1 cells".into()))?;
    let (column_value, cells) = match adds {
        true => (column_values(mutation.cells.cells()), Bytes::new()),
        false => (Vec::new(), mutation.cells.into_block()),
    };
    let durable = options.as_deref().and_then(|options| options.durability);
    let mut message = MutationProto {
        row: Some(mutation.row),
        column_value,
        mutate_type: Some(mutation_type(kind) as i32),
        timestamp: mutation.until.map(crate::Timestamp::as_millis),
        attribute,
        durability: durable.map(|durable| durability(durable) as i32),
        // A delete of the whole row has no cells, and its message then announces no cell block.
        associated_cell_count: (!cells.is_empty()).then_some(count),
        nonce: adds.then(nonce),
        ..Default::default()
    };
    let encoded = encoder.encode_message(&message);
    // The row key is taken back, because cloning it would allocate memory.
    let row = message.row.take().unwrap_or_default();
    Ok(EncodedMutation {
        row,
        message: encoded,
        cells,
        repeat_policy,
        deletes_until_server_time,
        undated,
    })
}

/// Returns the kind of the mutation that makes additions to cells on HBase: an increment, whose
/// cells have the server's time.
fn additions_as_increment(additions: &SingleMutation, to: &CallTarget<'_>) -> Result<MutationKind> {
    match additions.cells.cells().find_map(|cell| cell.given_timestamp()) {
        None => Ok(MutationKind::Increment),
        Some(at) => {
            let what = format!(
                "an addition to the cell of {} ms; on HBase an addition is an increment, whose cell \
                 gets the server's time: add without a time, or keep the time in the qualifier",
                at.as_millis()
            );
            let error = Error::new(ErrorKind::Unsupported, what);
            Err(to.with_context(MutationKind::AddToCells.name(), &additions.row, error))
        }
    }
}

/// The longest time to live in ms: half of the largest number that a server can add to a timestamp.
/// With a longer time to live, cells never expire.
const LONGEST_TTL: i64 = i64::MAX / 2;

/// Returns the attribute of a mutation that sets the time to live of its cells, if it needs one.
///
/// A server adds the time to live to the timestamp of each cell, as signed 64-bit numbers. If the
/// sum overflowed, it would be a time in the past, and the cell would expire at once.
pub(super) fn ttl_attribute(cells: &SingleMutation) -> Result<Option<NameBytesPair>, String> {
    let Some(ttl) = cells.ttl else { return Ok(None) };
    let millis = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX).min(LONGEST_TTL);
    if let Some(late) = cells.cells.cells().filter_map(|cell| cell.given_timestamp()).max() {
        // If no cell has a timestamp, the attribute is sent even for the longest time to live: an
        // increment or append would otherwise keep the time to live that the cell had.
        if millis == LONGEST_TTL {
            return Ok(None);
        }
        if late.as_millis() > (i64::MAX - millis).unsigned_abs() {
            return Err(format!(
                "a cell at {late:?} with a time to live of {ttl:?}, which ends after the last time \
                 that there is; without one it never ends"
            ));
        }
    }
    let value = Some(millis.to_be_bytes().to_vec().into());
    Ok(Some(NameBytesPair { name: "_ttl".into(), value }))
}

fn mutation_type(kind: MutationKind) -> MutationType {
    match kind {
        MutationKind::Put => MutationType::Put,
        MutationKind::Delete => MutationType::Delete,
        MutationKind::Increment | MutationKind::AddToCells => MutationType::Increment,
        // A merge was refused before.
        MutationKind::Append | MutationKind::MergeToCells => MutationType::Append,
    }
}

/// Groups cells by family, as in a message.
fn column_values(cells: impl Iterator<Item = Cell>) -> Vec<ColumnValue> {
    by_family(cells, |_| QualifierValue::default())
}

/// Groups cells by family. Each cell becomes its qualifier and value, with the other fields that
/// `rest` returns for the cell.
pub(super) fn by_family(
    cells: impl Iterator<Item = Cell>,
    rest: impl Fn(&Cell) -> QualifierValue,
) -> Vec<ColumnValue> {
    let mut columns: Vec<ColumnValue> = Vec::new();
    for cell in cells {
        let value = QualifierValue {
            qualifier: Some(cell.slice_ref(cell.qualifier())),
            value: Some(cell.slice_ref(cell.value())),
            ..rest(&cell)
        };
        match columns.iter_mut().find(|c| c.family == cell.family()) {
            Some(column) => column.qualifier_value.push(value),
            None => columns.push(ColumnValue {
                family: cell.slice_ref(cell.family()),
                qualifier_value: vec![value],
            }),
        }
    }
    columns
}
