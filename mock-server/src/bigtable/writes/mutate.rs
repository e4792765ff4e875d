//! MutateRow, MutateRows and CheckAndMutateRow.

use tallrow_wire::WireError;
use tallrow_wire::bigtable::{
    CheckAndMutateRowRequest, CheckAndMutateRowResponse, Field, Fields, MutateRowRequest,
    MutateRowResponse, MutateRowsRequest,
};

use super::idempotency::Idempotency;
use super::mutation::RowMutation;
use super::outcomes::outcomes_frame;
use super::row_change::{RowChange, status_in_element};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::filter::{self, FilterRun, FilteredCell};
use crate::bigtable::limits;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::{StatusResult, invalid};
use crate::bigtable::views::ViewSubset;
use crate::regions::RowReader;

/// The request of a MutateRow.
#[derive(Debug, Default)]
struct OneRow<'m> {
    table: &'m str,
    authorized_view: &'m str,
    row: &'m [u8],
    mutations: Vec<RowMutation<'m>>,
    idempotency: Option<Idempotency<'m>>,
}

/// The request of a MutateRows.
#[derive(Debug, Default)]
struct Rows<'m> {
    table: &'m str,
    authorized_view: &'m str,
    rows: Vec<Entry<'m>>,
    /// The mutations of all rows, one after the other.
    mutations: Vec<RowMutation<'m>>,
}

/// An entry of a MutateRows.
#[derive(Debug)]
struct Entry<'m> {
    row: &'m [u8],
    idempotency: Option<Idempotency<'m>>,
    /// The end of the row's mutations in the mutations of all rows.
    mutations_end: usize,
}

/// Answers a MutateRow.
pub(crate) fn mutate_row(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request = call.decode_with::<MutateRowRequest, _>(OneRow::read)?;
    let mut table =
        OpenTable::of_request(call.cluster, request.table, request.authorized_view, "")?;
    check_count(request.mutations.len())?;
    let (row, mutations, idempotency) = (request.row, &request.mutations, request.idempotency);
    let change = RowChange { row, mutations, idempotency };
    change.check()?;
    apply(call, &mut table, &change)?;
    Ok(ReplyMessages::one(&MutateRowResponse {}))
}

/// Answers a MutateRows: each row is changed by itself.
pub(crate) fn mutate_rows(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request = call.decode_with::<MutateRowsRequest, _>(Rows::read)?;
    let mut table =
        OpenTable::of_request(call.cluster, request.table, request.authorized_view, "")?;
    if request.rows.is_empty() {
        return Err(invalid("No entries provided"));
    }
    check_count(request.mutations.len())?;
    for (at, change) in request.changes().enumerate() {
        let checked = check_count(change.mutations.len()).and_then(|()| change.check());
        checked.map_err(|status| status_in_element("Entry list", at, status))?;
    }
    let outcomes: Vec<StatusResult<()>> =
        request.changes().map(|change| apply(call, &mut table, &change)).collect();
    let mut frames = Vec::with_capacity(1);
    let mut left = outcomes.len();
    if let Some(mut random) = call.cluster.torn_reply_rng() {
        while left > 1 {
            let from = random.usize(1..left);
            frames.push(outcomes_frame(&outcomes, from..left));
            left = from;
        }
    }
    frames.push(outcomes_frame(&outcomes, 0..left));
    Ok(ReplyMessages::frames(frames))
}

fn apply(call: &GrpcCall<'_>, table: &mut OpenTable, change: &RowChange<'_>) -> StatusResult<()> {
    if let Some(view) = table.view() {
        check_view(change, view)?;
    }
    table.change_row(call.cluster, change.row, |shown, state, now| {
        change.apply((call.cluster, shown), state, now)
    })
}

/// Returns an error unless all that the mutations may change is in a view.
fn check_view(change: &RowChange<'_>, view: &ViewSubset) -> StatusResult<()> {
    view.check_row(change.row)?;
    for (at, mutation) in change.mutations.iter().enumerate() {
        let checked = mutation.check_view(view);
        checked.map_err(|status| status_in_element("Mutation list", at, status))?;
    }
    Ok(())
}

impl<'m> OneRow<'m> {
    fn read(message: &'m [u8]) -> Result<Self, WireError> {
        let mut request = Self::default();
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => request.table = field.text()?,
                2 => request.row = field.bytes()?,
                3 => request.mutations.push(RowMutation::read(field.bytes()?)?),
                4 => drop(field.text()?),
                6 => request.authorized_view = field.text()?,
                8 => request.idempotency = Some(read_idempotency(request.idempotency, &field)?),
                _ => {}
            }
        }
        Ok(request)
    }
}

impl<'m> Rows<'m> {
    fn read(message: &'m [u8]) -> Result<Self, WireError> {
        let mut request = Self::default();
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => request.table = field.text()?,
                2 => request.read_entry(field.bytes()?)?,
                3 => drop(field.text()?),
                5 => request.authorized_view = field.text()?,
                _ => {}
            }
        }
        Ok(request)
    }

    fn read_entry(&mut self, message: &'m [u8]) -> Result<(), WireError> {
        let mut row: &[u8] = &[];
        let mut idempotency = None;
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => row = field.bytes()?,
                2 => self.mutations.push(RowMutation::read(field.bytes()?)?),
                3 => idempotency = Some(read_idempotency(idempotency, &field)?),
                _ => {}
            }
        }
        self.rows.push(Entry { row, idempotency, mutations_end: self.mutations.len() });
        Ok(())
    }

    /// Returns the changes of each row.
    fn changes(&self) -> impl Iterator<Item = RowChange<'_>> {
        let mut from = 0;
        self.rows.iter().map(move |entry| {
            let mutations = self.mutations.get(from..entry.mutations_end).unwrap_or_default();
            from = entry.mutations_end;
            RowChange { row: entry.row, mutations, idempotency: entry.idempotency }
        })
    }
}

/// Reads a field with an idempotency, which is merged into that of an earlier field.
fn read_idempotency<'m>(
    earlier: Option<Idempotency<'m>>,
    field: &Field<'m>,
) -> Result<Idempotency<'m>, WireError> {
    earlier.unwrap_or_default().merge_encoded(field.bytes()?)
}

/// Returns an error for a number of mutations that no call may have: 0, or more than the limit.
pub(super) fn check_count(mutations: usize) -> StatusResult<()> {
    match mutations {
        0 => Err(invalid("No mutations provided")),
        n if n > limits::MUTATIONS => Err(invalid(format!(
            "Too many mutations: {n}, the limit is {}. Divide them over several requests",
            limits::MUTATIONS
        ))),
        _ => Ok(()),
    }
}

/// Answers a CheckAndMutateRow.
pub(crate) fn check_and_mutate_row(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CheckAndMutateRowRequest = call.decode()?;
    let view = &request.authorized_view_name;
    let mut table = OpenTable::of_request(call.cluster, &request.table_name, view, "")?;
    check_count(request.true_mutations.len() + request.false_mutations.len())?;
    let predicate = request.predicate_filter.as_ref().map(filter::decode).transpose()?;
    let row = &request.row_key[..];
    let [met, not_met] = [&request.true_mutations, &request.false_mutations]
        .map(|mutations| mutations.iter().map(RowMutation::from).collect::<Vec<_>>());
    for mutations in [&met, &not_met] {
        let change = RowChange { row, mutations, idempotency: None };
        change.check()?;
        table.view().map_or(Ok(()), |view| check_view(&change, view))?;
    }
    let view = table.view().cloned();
    let predicate_matched = table.change_row(call.cluster, row, |shown, state, now| {
        let mut cells = RowReader::new(state, now).read_row(row);
        if let Some(view) = &view {
            cells.retain(|cell| view.has_column(cell.family(), cell.qualifier()));
        }
        let mut cells: Vec<_> = cells.into_iter().map(FilteredCell::of).collect();
        if let Some(predicate) = &predicate {
            FilterRun::apply_to_row(predicate, row, &mut cells);
        }
        let matched = !cells.is_empty();
        let mutations = if matched { &met } else { &not_met };
        RowChange { row, mutations, idempotency: None }.apply((call.cluster, shown), state, now)?;
        Ok(matched)
    })?;
    Ok(ReplyMessages::one(&CheckAndMutateRowResponse { predicate_matched }))
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use tallrow_wire::bigtable::{self, MutateRowsEntry};

    use super::*;

    #[test]
    fn requests_are_read_as_their_messages_are_decoded() {
        let mutation = |family: &str| bigtable::Mutation {
            mutation: Some(bigtable::Change::SetCell(bigtable::SetCell {
                family_name: family.to_owned(),
                ..Default::default()
            })),
        };
        let mutations = vec![mutation("f"), mutation("g")];
        let start_time = Some(bigtable::Timestamp { seconds: 5, nanos: -7 });
        let idempotency = bigtable::Idempotency { token: "token".into(), start_time };
        let one = MutateRowRequest {
            table_name: "t".into(),
            row_key: "r".into(),
            mutations: mutations.clone(),
            app_profile_id: "a".into(),
            authorized_view_name: "v".into(),
            idempotency: Some(idempotency.clone()),
        };
        let entry = |row_key: &'static str, mutations: Vec<_>| MutateRowsEntry {
            row_key: row_key.into(),
            idempotency: (mutations.len() == 1).then(|| idempotency.clone()),
            mutations,
        };
        let rows = MutateRowsRequest {
            table_name: "t".into(),
            entries: vec![
                entry("a", mutations),
                entry("", vec![]),
                entry("b", vec![mutation("h")]),
            ],
            app_profile_id: "a".into(),
            authorized_view_name: "v".into(),
        };
        let (one, rows) = (one.encode_to_vec(), rows.encode_to_vec());
        // Both decoders accept or refuse the same truncated messages, repeated messages, and
        // messages with an app profile that is not UTF-8.
        let bad = [b"\x22\x01\xff", b"\x1a\x01\xff"];
        let parts = |whole: &[u8]| {
            let twice = [whole, whole].concat();
            let parts = (0..=twice.len()).map(move |len| twice[..len].to_vec());
            parts.chain(bad.map(|bad| bad.to_vec())).collect::<Vec<_>>()
        };
        for part in parts(&one) {
            let decoded = MutateRowRequest::decode(&part[..]).ok();
            let read = OneRow::read(&part).ok();
            assert_eq!(read.is_some(), decoded.is_some());
            let Some((read, decoded)) = read.zip(decoded) else { continue };
            assert_eq!((read.table, read.row), (&decoded.table_name[..], &decoded.row_key[..]));
            assert_eq!(read.authorized_view, decoded.authorized_view_name);
            assert_eq!(read.idempotency, decoded.idempotency.as_ref().map(Idempotency::from));
            assert_eq!(
                read.mutations,
                decoded.mutations.iter().map(RowMutation::from).collect::<Vec<_>>()
            );
        }
        for part in parts(&rows) {
            let decoded = MutateRowsRequest::decode(&part[..]).ok();
            let read = Rows::read(&part).ok();
            assert_eq!(read.is_some(), decoded.is_some());
            let Some((read, decoded)) = read.zip(decoded) else { continue };
            assert_eq!(
                (read.table, read.rows.len()),
                (&decoded.table_name[..], decoded.entries.len())
            );
            for (change, entry) in read.changes().zip(&decoded.entries) {
                assert_eq!(change.row, entry.row_key);
                let mutations = entry.mutations.iter().map(RowMutation::from).collect::<Vec<_>>();
                assert_eq!(change.mutations, mutations);
                assert_eq!(change.idempotency, entry.idempotency.as_ref().map(Idempotency::from));
            }
        }
    }
}
