use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::Mutation;
use super::mutation::{Cells, Encoded, Sender};
use crate::row_op::{Idempotency, RowOp, Undated};
use crate::rpc::Request;
use crate::wire::WireError;
use crate::wire::cell::{CellType, LATEST_TIMESTAMP};
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::MutationType;
use crate::{Delivery, Result};

/// Several changes of one row, all of them or none: nobody ever reads some of them without the others.
///
/// They are one step: each starts from the row as it was before, and what has no time of its own gets the same time of
/// the server. So a column is written by one of them only, and what one of them writes must not be deleted by another
/// that has no time, whose marker would hide it; both are refused before they are sent.
///
/// Increments and appends in it are applied once, however often it has to be sent (HBase 2.4 and later; before, the
/// server refuses them in company).
///
/// ```
/// use tallrow::{Delete, Increment, Put, RowMutations};
///
/// let sale = RowMutations::new("book1")
///     .add(Put::new("book1").cell("d", "buyer", "Ada"))
///     .add(Increment::new("book1").add("c", "sold", 1))
///     .add(Delete::new("book1").column("d", "reserved"));
/// assert_eq!(sale.row(), b"book1");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RowMutations {
    row: Bytes,
    mutations: Vec<(MutationType, Cells)>,
    delivery: Option<Delivery>,
}

const NAME: &str = "mutate row";

impl RowMutations {
    /// Changes of this row, none yet.
    ///
    /// See [`RowMutations`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { row: Bytes::copy_from_slice(row.as_ref()), mutations: Vec::new(), delivery: None }
    }

    /// One change more; it must be of the same row.
    #[allow(clippy::should_implement_trait, reason = "HBase's word, as in increments and appends")]
    pub fn add(mut self, mutation: impl Into<Mutation>) -> Self {
        match mutation.into().one() {
            Ok(one) => self.mutations.push(one),
            Err(several) => self.mutations.extend(several.mutations),
        }
        self
    }

    /// What becomes of it when its reply is lost, in place of what its parts and its table say.
    ///
    /// ```
    /// use tallrow::{Delivery, Put, RowMutations};
    ///
    /// let step = RowMutations::new("r").add(Put::new("r").cell("d", "q", "v")).delivery(Delivery::AtLeastOnce);
    /// assert_ne!(step, RowMutations::new("r").add(Put::new("r").cell("d", "q", "v")));
    /// ```
    pub fn delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = Some(delivery);
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Whether it changes nothing yet; such a step is refused.
    ///
    /// ```
    /// assert!(tallrow::RowMutations::new("r").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.mutations.is_empty()
    }

    pub(super) fn into_op(self, to: &Sender<'_>) -> Result<RowOp> {
        let row = self.row;
        let invalid = |why: String| to.invalid(NAME, &row, why);
        let encode = |(kind, mut cells): (MutationType, Cells)| {
            self.delivery.iter().for_each(|delivery| cells.deliver(*delivery));
            cells.encode(kind, to)
        };
        let parts: Vec<Encoded> = self.mutations.into_iter().map(encode).collect::<Result<_>>()?;
        if parts.is_empty() {
            return Err(invalid("it has nothing to do; add a change to it".into()));
        }
        if let Some(other) = parts.iter().find(|part| part.row != row) {
            let other = crate::show::row_key(&other.row);
            return Err(invalid(format!("one of its changes is of another row, {other}")));
        }
        if parts.len() > 1 {
            let conflict = conflict(&parts).map_err(|e| invalid(e.to_string()))?;
            conflict.map_or(Ok(()), |why| Err(invalid(why)))?;
        }
        let repeats = |repeat| parts.iter().any(|part| part.repeat == repeat);
        let repeat = match () {
            () if repeats(Idempotency::Never) => Idempotency::Never,
            // A server that knows the nonce leaves out the increments and appends, and makes the other changes again.
            () if repeats(Idempotency::WithNonce) => Idempotency::WithNonce,
            () => Idempotency::Write,
        };
        let undated = merge(&parts);
        let mut cells = BytesMut::with_capacity(parts.iter().map(|part| part.cells.len()).sum());
        parts.iter().for_each(|part| cells.extend_from_slice(&part.cells));
        let messages: Arc<[Bytes]> =
            parts.iter().map(|part| part.message.encode_to_vec().into()).collect();
        Ok(RowOp {
            name: NAME,
            table: to.table.clone(),
            row,
            request: match &*messages {
                [only] => Request::Mutate(only.clone()),
                _ => Request::MutateRow(messages),
            },
            cells: cells.freeze(),
            condition: None,
            repeat,
            undated,
            timeout: to.timeout,
        })
    }
}

/// What of a step is to get a time: nothing if a part of it must not be sent twice whatever its time.
fn merge(parts: &[Encoded]) -> Option<Undated> {
    if parts.iter().any(|part| part.repeat == Idempotency::Never) {
        return None;
    }
    let dated =
        parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.undated.as_ref()?)));
    dated.fold(None, |all, (at, part)| {
        let mut all = all.unwrap_or_default();
        all.rows.extend(part.rows.iter().map(|_| at));
        all.deletes |= part.deletes;
        Some(all)
    })
}

/// What would be lost if these were made in one step, if anything.
fn conflict(parts: &[Encoded]) -> Result<Option<String>, WireError> {
    let mut written: HashMap<(Bytes, Bytes, u64), usize> = HashMap::new();
    let mut whole_row = false;
    let mut families: HashSet<Bytes> = HashSet::new();
    let mut columns: HashSet<(Bytes, Bytes)> = HashSet::new();
    for (at, part) in parts.iter().enumerate() {
        let mut write = |family: Bytes, qualifier: Bytes, timestamp| {
            let shown = show(&family, &qualifier);
            let before = written.insert((family, qualifier, timestamp), at);
            before.filter(|before| *before != at).map(|_| {
                format!(
                    "column {shown} is written by two of its changes, which are one step; write it in one of them"
                )
            })
        };
        for column in &part.message.column_value {
            for value in &column.qualifier_value {
                let qualifier = value.qualifier.clone().unwrap_or_default();
                if let Some(twice) = write(column.family.clone(), qualifier, LATEST_TIMESTAMP) {
                    return Ok(Some(twice));
                }
            }
        }
        for cell in CellBlock::new(part.cells.clone()) {
            let cell = cell?;
            let (family, qualifier) = (cell.share(cell.family()), cell.share(cell.qualifier()));
            match cell.kind() {
                CellType::Put => {
                    if let Some(twice) = write(family, qualifier, cell.timestamp()) {
                        return Ok(Some(twice));
                    }
                }
                _ if cell.timestamp() != LATEST_TIMESTAMP => {}
                CellType::DeleteFamily | CellType::DeleteFamilyVersion => {
                    families.insert(family);
                }
                CellType::Delete | CellType::DeleteColumn => {
                    columns.insert((family, qualifier));
                }
            }
        }
        let message = &part.message;
        whole_row |= message.mutate_type == Some(MutationType::Delete as i32)
            && part.cells.is_empty()
            && message.timestamp.is_none();
    }
    let hidden = written.into_keys().find_map(|(family, qualifier, timestamp)| {
        let shown = show(&family, &qualifier);
        let hides = timestamp == LATEST_TIMESTAMP
            && (whole_row || families.contains(&family) || columns.contains(&(family, qualifier)));
        hides.then_some(shown)
    });
    Ok(hidden.map(|column| {
        format!(
            "column {column} is written and deleted in one step, so at one time, and the delete would hide what is \
             written; delete other columns by name, or only what is older than a time"
        )
    }))
}

fn show(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", family.escape_ascii(), qualifier.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::mutation::tests::sender;
    use crate::{Append, Delete, Increment, Put, Timestamp};

    fn op(mutations: RowMutations) -> Result<RowOp> {
        let table = "t".parse().unwrap();
        mutations.into_op(&sender(&table, Delivery::AtLeastOnce))
    }

    fn refused(mutations: RowMutations) -> String {
        op(mutations).unwrap_err().to_string()
    }

    fn row() -> RowMutations {
        RowMutations::new("r")
    }

    fn put(qualifier: &str) -> Put {
        Put::new("r").cell("f", qualifier, "v")
    }

    #[test]
    fn what_may_be_repeated_is_what_each_of_them_allows() {
        let repeat = |mutations| op(mutations).unwrap().repeat;
        let delete = Delete::new("r").column("f", "b");
        let add = Increment::new("r").add("f", "n", 1);
        let newest = Delete::new("r").newest_version("f", "x");
        let writes = row().add(put("a")).add(delete);
        assert_eq!(repeat(writes.clone()), Idempotency::Write);
        assert_eq!(repeat(writes.clone().add(add.clone())), Idempotency::WithNonce);
        assert_eq!(repeat(writes.clone().add(add.clone()).add(newest)), Idempotency::Never);
        let once = writes.add(add).delivery(Delivery::AtMostOnce);
        assert_eq!(repeat(once), Idempotency::Never, "the puts would be made again");
    }

    #[test]
    fn a_lone_change_goes_as_itself_and_nested_ones_are_one_step() {
        let request = |mutations| op(mutations).unwrap().request;
        assert!(matches!(request(row().add(row().add(put("a")))), Request::Mutate(_)));
        let nested = row().add(row().add(put("a")).add(put("b"))).add(put("c"));
        assert!(matches!(request(nested), Request::MutateRow(m) if m.len() == 3));
    }

    #[test]
    fn what_would_be_lost_in_one_step_is_refused() {
        let add = || Increment::new("r").add("f", "n", 1);
        let both = "column f:n is written by two of its changes";
        assert!(refused(row().add(add()).add(add())).contains(both));
        assert!(refused(row().add(add()).add(put("n"))).contains(both));
        let append = Append::new("r").add("f", "n", "x");
        assert!(refused(row().add(append).add(put("n"))).contains(both));
        let deletes = [
            Delete::new("r"),
            Delete::new("r").family("f"),
            Delete::new("r").column("f", "a"),
            Delete::new("r").newest_version("f", "a"),
        ];
        for delete in deletes {
            let hidden = "column f:a is written and deleted in one step";
            let text = refused(row().add(delete.clone()).add(put("a")));
            assert!(text.contains(hidden), "{text}");
            let text = refused(row().add(Append::new("r").add("f", "a", "x")).add(delete));
            assert!(text.contains(hidden), "{text}");
        }
        let at = Timestamp::from_millis(5);
        let apart = [
            row().add(Delete::new("r").until(at)).add(put("a")),
            row().add(Delete::new("r").version("f", "a", at)).add(put("a")),
            row().add(Delete::new("r").family("g")).add(put("a")),
            row().add(put("a")).add(Put::new("r").cell_at("f", "a", at, "old")),
        ];
        for mutations in apart {
            op(mutations).unwrap();
        }
    }

    #[test]
    fn what_is_wrong_in_itself_is_refused() {
        assert!(refused(row()).contains("nothing to do"));
        assert!(refused(row().add(put("a")).add(Delete::new("s"))).contains("another row, \"s\""));
        assert!(refused(row().add(put("a")).add(Put::new("r"))).contains("no cells"));
    }
}
