//! Groups the gets of a batch by what they have in common, so that each group is sent in one call.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::explanation::{invalid_answer_error, unrequested_row_text};
use super::lower::{Call, LoweredOperation, check_row_key};
use super::outcome::new_outcome;
use super::request_room::RequestRoom;
use super::rows::RowBlock;
use crate::model::columns::CopyOnWriteCellSelection;
use crate::request::op::{BatchOutcome, Get, NamedOperation, RowOperation};
use crate::wire::bigtable::MergedRow;
use crate::{Error, Filter, Result};

/// The maximum number of gets in a group, and so of rows that one call requests.
const CALL_ROWS: usize = 1_000;

/// The outcomes of gets, with their positions in the batch.
pub(super) type Outcomes = Vec<(usize, Result<BatchOutcome>)>;

/// The gets of a batch.
#[derive(Default)]
pub(super) struct GetGroups {
    groups: Vec<Group>,
    /// The index of the last group of each kind.
    open: FxHashMap<Kind, usize>,
    last: Option<(GetSelection, usize)>,
    /// How many gets all groups have.
    get_count: usize,
}

/// What the gets of one group have in common: the encoded fields of the request, whether they only
/// ask if the row exists, the timeout of the operation, the timeout of an attempt, and the name.
type Kind = (Vec<u8>, bool, Duration, Option<Duration>, &'static str);

/// What a get reads, without its row.
pub(super) struct GetSelection {
    operation_name: Option<&'static str>,
    existence_only: bool,
    columns: CopyOnWriteCellSelection,
    filter: Option<Box<Filter>>,
}

/// Gets that differ only in their rows.
pub(super) struct Group {
    /// The first get of the group.
    pub(super) lowered: LoweredOperation,
    pub(super) timeout: Duration,
    /// The rows that have no outcome yet, in the order of their keys, with the positions of their
    /// gets.
    pub(super) rows: VecDeque<(Bytes, usize)>,
    /// The room that is left for row keys.
    room: RequestRoom,
    /// The gets whose rows were not in the answer, although it already contains a later row. Once
    /// the answer has ended well, it is known that these rows are not in the table.
    passed: Vec<(Bytes, usize)>,
}

impl GetSelection {
    /// Returns what an operation reads; `None` unless it is a get that has no options of its own.
    pub(super) fn of(named: &NamedOperation) -> Option<Self> {
        let (get, existence_only) = read(&named.operation)?;
        let (columns, filter) = (get.columns.clone(), get.filter.clone());
        Some(Self { operation_name: named.operation_name, existence_only, columns, filter })
    }

    fn is_of(&self, named: &NamedOperation) -> bool {
        read(&named.operation).is_some_and(|(get, existence_only)| {
            (self.operation_name, self.existence_only) == (named.operation_name, existence_only)
                && self.columns == get.columns
                && self.filter == get.filter
        })
    }
}

/// Returns the get of an operation, and whether it only asks if the row exists; `None` unless the
/// operation is a get that has no options of its own.
fn read(operation: &RowOperation) -> Option<(&Get, bool)> {
    let (get, existence_only) = match operation {
        RowOperation::Get(get) => (get, false),
        RowOperation::Exists(get) => (get, true),
        _ => return None,
    };
    get.options.is_none().then_some((get, existence_only))
}

impl GetGroups {
    /// The number of gets in all groups.
    pub(super) fn get_count(&self) -> usize {
        self.get_count
    }

    /// Whether the operation can be added to the group of the previous get without being lowered:
    /// the group has room, and the operation is a get of the same selection with a valid row key.
    pub(super) fn fits_last_group(&self, named: &NamedOperation) -> bool {
        let (Some((selection, place)), Some((get, _))) = (&self.last, read(&named.operation))
        else {
            return false;
        };
        let has_room = self.groups.get(*place).is_some_and(|group| group.has_room(&get.row));
        has_room && selection.is_of(named) && check_row_key(&get.row).is_ok()
    }

    /// Adds a get of the same selection as the previous one.
    pub(super) fn add_to_last_group(&mut self, at: usize, named: NamedOperation) {
        let group = self.last.as_ref().and_then(|(_, place)| self.groups.get_mut(*place));
        if let (Some(group), RowOperation::Get(get) | RowOperation::Exists(get)) =
            (group, named.operation)
        {
            group.push(get.row, at);
            self.get_count += 1;
        }
    }

    /// Adds a lowered get. `selection` is `None` if the get has options of its own.
    pub(super) fn add(
        &mut self,
        at: usize,
        mut lowered: LoweredOperation,
        timeout: Duration,
        selection: Option<GetSelection>,
    ) {
        let Call::Read { fields, existence_only } = &lowered.call else { return };
        let kind =
            (fields.clone(), *existence_only, timeout, lowered.attempt_timeout, lowered.name);
        let place = self.open.entry(kind).or_insert(usize::MAX);
        let row = std::mem::take(&mut lowered.row);
        match self.groups.get_mut(*place).filter(|group| group.has_room(&row)) {
            Some(group) => group.push(row, at),
            None => {
                *place = self.groups.len();
                let mut group = Group::new(lowered, timeout);
                group.push(row, at);
                self.groups.push(group);
            }
        }
        self.last = selection.map(|selection| (selection, *place));
        self.get_count += 1;
    }

    pub(super) fn into_groups(mut self) -> Vec<Group> {
        self.groups.iter_mut().for_each(|group| group.rows.make_contiguous().sort_unstable());
        self.groups
    }
}

impl Group {
    fn new(lowered: LoweredOperation, timeout: Duration) -> Self {
        let room = RequestRoom::new();
        Self { lowered, timeout, rows: VecDeque::new(), room, passed: Vec::new() }
    }

    /// Whether a get of this row can be added.
    fn has_room(&self, row: &[u8]) -> bool {
        self.rows.len() < CALL_ROWS && self.room.fits(row.len())
    }

    fn push(&mut self, row: Bytes, at: usize) {
        self.room.take(row.len());
        self.rows.push_back((row, at));
    }

    /// Begins another request: returns the rows that have no outcome yet, each only once.
    pub(super) fn start_request(&mut self) -> impl Iterator<Item = &[u8]> + Clone {
        for get in self.passed.drain(..).rev() {
            self.rows.push_front(get);
        }
        let mut last = None;
        self.rows.iter().filter_map(move |(key, _)| {
            let key = &**key;
            (last.replace(key) != Some(key)).then_some(key)
        })
    }

    /// Whether each row has an outcome.
    pub(super) fn is_settled(&self) -> bool {
        self.rows.is_empty() && self.passed.is_empty()
    }

    /// Returns the rows that have no outcome, with the positions of their gets.
    pub(super) fn unsettled(self) -> impl Iterator<Item = (Bytes, usize)> {
        self.passed.into_iter().chain(self.rows)
    }

    /// Handles the next row of an answer: adds the gets of earlier rows to `passed`, and adds the
    /// row to `found`, which collects the rows of one message. Fails if the row was not requested.
    pub(super) fn handle_row(
        &mut self,
        row: &mut MergedRow,
        found: &mut FoundRows,
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let existence_only = matches!(self.lowered.call, Call::Read { existence_only: true, .. });
        while let Some(get) = self.next_if(|key| *key < *row.key()) {
            self.passed.push(get);
        }
        let Some((_, first)) = self.next_if(|key| *key == *row.key()) else {
            return Err(invalid_answer_error(unrequested_row_text(row.key())));
        };
        let added = if existence_only { Ok(()) } else { found.block.add(row) };
        if added.is_err() {
            std::mem::take(found).push_outcomes(outcomes);
        }
        let error = added.err().map(Arc::new);
        let mut next = Some(first);
        while let Some(at) = next {
            match &error {
                Some(error) => outcomes.push((at, Err(Error::from_shared(error.clone())))),
                None if existence_only => outcomes.push((at, Ok(new_outcome(None, true, true)))),
                None => {
                    found.gets.push(RequestedRow { row_number: found.block.row_count(), at });
                }
            }
            next = self.next_if(|other| *other == *row.key()).map(|(_, at)| at);
        }
        Ok(())
    }

    /// Notes that the answer has ended well: the rows that have no outcome yet are not in the
    /// table.
    pub(super) fn settle_missing_rows(&mut self, outcomes: &mut Outcomes) {
        let absent = self.passed.drain(..).chain(self.rows.drain(..));
        outcomes.extend(absent.map(|(_, at)| (at, Ok(new_outcome(None, false, true)))));
    }

    /// Removes and returns the next get if `is` holds for its row.
    fn next_if(&mut self, is: impl Fn(&[u8]) -> bool) -> Option<(Bytes, usize)> {
        self.rows.front().filter(|(key, _)| is(key))?;
        self.rows.pop_front()
    }
}

/// The rows of a message, and the gets that ask for them.
#[derive(Default)]
pub(super) struct FoundRows {
    block: RowBlock,
    /// The gets that ask for the rows, in the order of the rows.
    gets: Vec<RequestedRow>,
}

/// A get that asks for a row of a message.
struct RequestedRow {
    /// The number of the row in the message, from 1.
    row_number: usize,
    /// The position of the get.
    at: usize,
}

impl FoundRows {
    /// Returns an empty value with room for the rows of `gets` gets in a message of `bytes` bytes.
    pub(super) fn with_capacity(bytes: usize, gets: usize) -> Self {
        Self { block: RowBlock::with_capacity(bytes, gets), gets: Vec::with_capacity(gets) }
    }

    /// Adds the outcome of each get, which contains its row, to `outcomes`.
    pub(super) fn push_outcomes(self, outcomes: &mut Outcomes) {
        let mut gets = self.gets.into_iter().peekable();
        for (n, row) in (1..).zip(self.block.finish(None)) {
            let mut row = Some(row);
            while let Some(get) = gets.next_if(|get| get.row_number == n) {
                let is_last = gets.peek().is_none_or(|get| get.row_number != n);
                let row = if is_last { row.take() } else { row.clone() };
                outcomes.push((get.at, Ok(new_outcome(row, true, true))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::backend::bigtable::rows::tests::merged;
    use crate::backend::repeat::Idempotency;

    fn group(rows: &[&'static str]) -> Group {
        let lowered = LoweredOperation {
            name: "get",
            row: Bytes::new(),
            call: Call::Read { fields: Vec::new(), existence_only: false },
            idempotency: Idempotency::Read,
            needs_timestamp: false,
            deletes: false,
            waits: false,
            attempt_timeout: None,
        };
        let mut group = Group::new(lowered, Duration::ZERO);
        rows.iter().enumerate().for_each(|(at, row)| group.push(Bytes::from(*row), at));
        group
    }

    /// Passes the rows of a message to a group; fails at a row that was not requested.
    fn find(
        group: &mut Group,
        rows: &[(&'static str, i64)],
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let mut found = FoundRows::default();
        let read = rows.iter().try_for_each(|(key, time)| {
            group.handle_row(&mut merged(key, &[*time]), &mut found, outcomes)
        });
        found.push_outcomes(outcomes);
        read
    }

    /// Returns the row key or the error that each get got, in the order of the gets.
    fn shown(mut outcomes: Outcomes) -> Vec<Result<Option<Bytes>, ErrorKind>> {
        outcomes.sort_by_key(|(at, _)| *at);
        assert!(outcomes.iter().enumerate().all(|(n, (at, _))| n == *at), "each has one outcome");
        let of = |outcome: BatchOutcome| outcome.row.map(|row| Bytes::copy_from_slice(row.key()));
        outcomes.into_iter().map(|(_, o)| o.map(of).map_err(|error| error.kind())).collect()
    }

    #[test]
    fn a_row_that_cannot_be_read_fails_alone() {
        let mut group = group(&["a", "b", "b", "c", "d"]);
        let mut outcomes = Vec::new();
        find(&mut group, &[("a", 1_000), ("b", 1_001)], &mut outcomes).unwrap();
        assert!(group.start_request().eq([b"c", b"d"]), "what is still to be read");
        find(&mut group, &[("d", 1_000)], &mut outcomes).unwrap();
        assert!(group.start_request().eq([b"c"]), "the answer that passed it has not ended");
        group.settle_missing_rows(&mut outcomes);
        assert!(group.is_settled());
        let (a, d) = (Ok(Some("a".into())), Ok(Some("d".into())));
        let wrong = Err(ErrorKind::Decode);
        assert_eq!(shown(outcomes), [a, wrong.clone(), wrong, Ok(None), d]);
    }

    #[test]
    fn a_row_that_was_not_asked_for_ends_the_reading() {
        let mut group = group(&["a", "b", "c"]);
        let mut outcomes = Vec::new();
        let rows = [("b", 0), ("bb", 0), ("c", 0)];
        let error = find(&mut group, &rows, &mut outcomes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol);
        assert!(error.to_string().contains("row \"bb\", which was not asked for"), "{error}");
        assert_eq!(outcomes.len(), 1);
        assert!(group.unsettled().map(|(row, _)| row).eq(["a", "c"]), "no one knows of these");
    }
}
