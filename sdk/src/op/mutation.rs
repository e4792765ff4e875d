use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::{Append, Delete, Increment, Put, RowMutations};
use crate::row_op::{Idempotency, RowOp, Undated};
use crate::rpc::Request;
use crate::wire::WireError;
use crate::wire::cell::{Cell, CellType, KeyValue, LATEST_TIMESTAMP, MAX_ROW_LEN};
use crate::wire::cell_block::{self, CellBlock};
use crate::wire::proto::{ColumnValue, MutationProto, MutationType, NameBytesPair, QualifierValue};
use crate::{Delivery, Error, Result, TableName, Timestamp};

/// Any change of one row.
///
/// ```
/// use tallrow::{Mutation, Put};
///
/// let mutation: Mutation = Put::new("r").cell("f", "q", "v").into();
/// assert!(matches!(mutation, Mutation::Put(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mutation {
    /// Writes cells.
    Put(Put),
    /// Deletes cells.
    Delete(Delete),
    /// Adds to counters.
    Increment(Increment),
    /// Appends to values.
    Append(Append),
    /// Does several of these in one step.
    RowMutations(RowMutations),
}

macro_rules! mutation_from {
    ($($name:ident)*) => {
        $(impl From<$name> for Mutation {
            fn from(mutation: $name) -> Self {
                Self::$name(mutation)
            }
        })*
    };
}
mutation_from!(Put Delete Increment Append RowMutations);

impl Mutation {
    /// The row key.
    ///
    /// ```
    /// use tallrow::{Delete, Mutation};
    /// assert_eq!(Mutation::from(Delete::new("r")).row(), b"r");
    /// ```
    pub fn row(&self) -> &[u8] {
        match self {
            Self::Put(put) => put.row(),
            Self::Delete(delete) => delete.row(),
            Self::Increment(increment) => increment.row(),
            Self::Append(append) => append.row(),
            Self::RowMutations(mutations) => mutations.row(),
        }
    }

    pub(crate) fn into_op(self, to: &Sender<'_>) -> Result<RowOp> {
        let (kind, cells) = match self.one() {
            Ok(one) => one,
            Err(several) => return several.into_op(to),
        };
        let encoded = cells.encode(kind, to)?;
        Ok(RowOp {
            name: name(kind),
            table: to.table.clone(),
            row: encoded.row,
            request: Request::Mutate(encoded.message.encode_to_vec().into()),
            cells: encoded.cells,
            condition: None,
            repeat: encoded.repeat,
            undated: encoded.undated,
            timeout: to.timeout,
        })
    }

    /// What kind of change of which cells it is, unless it is several.
    pub(super) fn one(self) -> Result<(MutationType, Cells), RowMutations> {
        match self {
            Self::Put(put) => Ok((MutationType::Put, put.cells)),
            Self::Delete(delete) => Ok((MutationType::Delete, delete.cells)),
            Self::Increment(increment) => Ok((MutationType::Increment, increment.cells)),
            Self::Append(append) => Ok((MutationType::Append, append.cells)),
            Self::RowMutations(several) => Err(several),
        }
    }
}

/// What an operation with a mutation of this kind is called.
fn name(kind: MutationType) -> &'static str {
    match kind {
        MutationType::Put => "put",
        MutationType::Delete => "delete",
        MutationType::Increment => "increment",
        MutationType::Append => "append",
    }
}

/// One mutation, checked and ready to be sent.
pub(super) struct Encoded {
    pub(super) row: Bytes,
    pub(super) message: MutationProto,
    /// The cells that are not in the message.
    pub(super) cells: Bytes,
    pub(super) repeat: Idempotency,
    /// What is to get a time from the client, if it is to give one.
    pub(super) undated: Option<Undated>,
}

/// What every operation of a table needs to become one that can be sent.
pub(crate) struct Sender<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) timeout: Duration,
    pub(crate) max_cell_bytes: usize,
    pub(crate) nonce: u64,
    pub(crate) delivery: Delivery,
}

impl Sender<'_> {
    pub(crate) fn invalid(&self, name: &'static str, row: &Bytes, why: String) -> Error {
        Error::invalid(why).during(name).on_table(self.table).on_row(row)
    }
}

/// The cells a mutation writes, as the block they are sent in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    row: Bytes,
    block: BytesMut,
    count: i32,
    /// Of the largest cell, as the server counts it: with the length in front.
    largest: usize,
    /// For a whole row that is deleted: up to when.
    timestamp: Option<u64>,
    ttl: Option<Duration>,
    /// Whether a cell is to get the server's time.
    server_time: bool,
    delivery: Option<Delivery>,
    once: bool,
    /// The first thing that was wrong; told when the mutation is sent.
    problem: Option<String>,
}

impl Cells {
    pub(crate) fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        let problem = check_row(&row).err();
        Self {
            row,
            block: BytesMut::new(),
            count: 0,
            largest: 0,
            timestamp: None,
            ttl: None,
            server_time: false,
            delivery: None,
            once: false,
            problem,
        }
    }

    pub(crate) fn row(&self) -> &Bytes {
        &self.row
    }

    /// The cells, or what is wrong with one.
    pub(crate) fn read(&self) -> impl Iterator<Item = Result<Cell>> {
        let problem = self.problem.clone().map(|problem| Err(Error::invalid(problem)));
        let block = CellBlock::new(self.block.clone().freeze());
        problem.into_iter().chain(block.map(|cell| cell.map_err(Error::protocol)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn push(
        &mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Option<Timestamp>,
        kind: CellType,
        value: &[u8],
    ) {
        self.server_time |= timestamp.is_none();
        let timestamp = timestamp.map_or(LATEST_TIMESTAMP, Timestamp::as_millis);
        let (family, qualifier) = (family.as_ref(), qualifier.as_ref());
        let cell = KeyValue { row: &self.row, family, qualifier, timestamp, kind, value };
        let before = self.block.len();
        let put = match family {
            [] => Err("a column needs a family".to_owned()),
            _ => cell_block::put_key_value(&cell, &mut self.block).map_err(|e| e.to_string()),
        };
        match put {
            Ok(()) => {
                self.count += 1;
                self.largest = self.largest.max(self.block.len() - before);
            }
            Err(problem) => drop(self.problem.get_or_insert(problem)),
        }
    }

    pub(crate) fn until(&mut self, timestamp: Timestamp) {
        self.timestamp = Some(timestamp.as_millis());
    }

    pub(crate) fn expire_after(&mut self, ttl: Duration) {
        self.ttl = Some(ttl);
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.delivery = Some(delivery);
    }

    /// Doing it twice is not as good as once, whatever time it gets.
    pub(crate) fn only_once(&mut self) {
        self.once = true;
    }

    pub(super) fn encode(self, kind: MutationType, to: &Sender<'_>) -> Result<Encoded> {
        let invalid = |why: String| to.invalid(name(kind), &self.row, why);
        if let Some(problem) = &self.problem {
            return Err(invalid(problem.clone()));
        }
        if self.is_empty() && kind != MutationType::Delete {
            return Err(invalid("it has no cells; name at least one column".into()));
        }
        if self.largest > to.max_cell_bytes {
            return Err(invalid(format!(
                "a cell of {} bytes, more than max_cell_bytes, {}; split it, or keep it elsewhere",
                self.largest, to.max_cell_bytes
            )));
        }
        let ttl = self.ttl.map(|ttl| {
            let millis = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
            NameBytesPair { name: "_ttl".into(), value: Some(millis.to_be_bytes().to_vec().into()) }
        });
        // HBase 2.5.10 gives the memory of a request's cell block back before it has written the answer to an increment
        // or append, whose cells still lie in it: the answer may then hold another request's bytes. Cells inside the
        // message are copied by the server.
        let changes = matches!(kind, MutationType::Increment | MutationType::Append);
        let whole_row = self.is_empty() && self.timestamp.is_none();
        let server_time = !changes && (self.server_time || whole_row);
        let delivery = self.delivery.unwrap_or(to.delivery);
        let repeat = match delivery {
            _ if self.once => Idempotency::Never,
            _ if changes => Idempotency::WithNonce,
            Delivery::AtMostOnce if server_time => Idempotency::Never,
            _ => Idempotency::Write,
        };
        let dates = delivery == Delivery::Idempotent && server_time && !self.once;
        let undated = dates.then(|| Undated {
            rows: whole_row.then_some(0).into_iter().collect(),
            deletes: kind == MutationType::Delete,
        });
        let block = self.block.freeze();
        let (column_value, cells) = match changes {
            true => (column_values(&block).map_err(|e| invalid(e.to_string()))?, Bytes::new()),
            false => (Vec::new(), block),
        };
        let message = MutationProto {
            row: Some(self.row.clone()),
            column_value,
            mutate_type: Some(kind as i32),
            timestamp: self.timestamp,
            attribute: ttl.into_iter().collect(),
            // A delete of the whole row names no cells, and then no block is announced.
            associated_cell_count: (!cells.is_empty()).then_some(self.count),
            nonce: changes.then_some(to.nonce),
            ..Default::default()
        };
        Ok(Encoded { row: self.row, message, cells, repeat, undated })
    }
}

/// The cells of a block, as a message carries them: by family.
fn column_values(block: &Bytes) -> Result<Vec<ColumnValue>, WireError> {
    let mut columns: Vec<ColumnValue> = Vec::new();
    for cell in CellBlock::new(block.clone()) {
        let cell = cell?;
        let value = QualifierValue {
            qualifier: Some(cell.share(cell.qualifier())),
            value: Some(cell.share(cell.value())),
            ..Default::default()
        };
        match columns.iter_mut().find(|c| c.family == cell.family()) {
            Some(column) => column.qualifier_value.push(value),
            None => columns.push(ColumnValue {
                family: cell.share(cell.family()),
                qualifier_value: vec![value],
            }),
        }
    }
    Ok(columns)
}

/// What is wrong with a row key, if anything.
pub(crate) fn check_row(row: &[u8]) -> Result<(), String> {
    match row.len() {
        0 => Err("a row key must not be empty".into()),
        n if n > MAX_ROW_LEN => Err(format!("a row key of {n} bytes, more than {MAX_ROW_LEN}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::op::{Append, Increment, Put};

    pub(in crate::op) fn sender(table: &TableName, delivery: Delivery) -> Sender<'_> {
        let timeout = Duration::from_secs(1);
        Sender { table, timeout, max_cell_bytes: 1 << 20, nonce: 7, delivery }
    }

    #[test]
    fn an_idempotent_step_has_one_time_and_keeps_the_times_it_was_given() {
        let table = "t".parse().unwrap();
        let to = sender(&table, Delivery::Idempotent);
        let put =
            Put::new("r").cell("f", "a", "1").cell_at("f", "b", Timestamp::from_millis(5), "2");
        let delete = Delete::new("r").column("f", "c");
        let step = RowMutations::new("r").add(put).add(delete);
        let mut op = Mutation::from(step).into_op(&to).unwrap();
        op.date(9);
        let times = CellBlock::new(op.cells).map(|cell| cell.unwrap().timestamp());
        assert_eq!(times.collect::<Vec<_>>(), [9, 5, 9]);

        let other = Delete::new("r").column_until("f", "q", Timestamp::from_millis(5));
        let step = RowMutations::new("r").add(other).add(Delete::new("r"));
        let mut op = Mutation::from(step).into_op(&to).unwrap();
        op.date(9);
        let messages = op.request.messages().iter();
        let times = messages.map(|m| MutationProto::decode(m.clone()).unwrap().timestamp);
        assert_eq!(times.collect::<Vec<_>>(), [None, Some(9)]);
    }

    #[test]
    fn a_delete_of_the_newest_version_gets_no_time_for_it_says_which_version_it_is() {
        let table = "t".parse().unwrap();
        let to = sender(&table, Delivery::Idempotent);
        let newest = Delete::new("r").newest_version("f", "a");
        let op = Mutation::from(newest).into_op(&to).unwrap();
        assert_eq!((op.undated, op.repeat), (None, Idempotency::Never));
    }

    /// On HBase 2.5.10 counters came back with bytes of other requests in them, under a suite that ran side by side.
    #[test]
    fn increments_and_appends_carry_their_cells_in_the_message() {
        let table = "t".parse().unwrap();
        let to = sender(&table, Delivery::AtMostOnce);
        let message = |mutation: Mutation| {
            let op = mutation.into_op(&to).unwrap();
            (MutationProto::decode(op.request.messages()[0].clone()).unwrap(), op.cells)
        };
        let increment = Increment::new("r").add("f", "a", 1).add("g", "b", 2).add("f", "c", 3);
        for mutation in [increment.into(), Append::new("r").add("f", "a", "x").into()] {
            let (message, cells) = message(mutation);
            assert!(cells.is_empty() && message.associated_cell_count.is_none());
            assert_eq!(
                message.column_value[0].qualifier_value[0].qualifier.as_deref(),
                Some(&b"a"[..])
            );
            assert_eq!(message.nonce, Some(7));
        }
        let (message, cells) = message(Put::new("r").cell("f", "a", "x").into());
        assert!(!cells.is_empty() && message.column_value.is_empty());
        assert_eq!((message.associated_cell_count, message.nonce), (Some(1), None));
    }
}
