//! Lowers changes of several rows of one region, which are applied in one step, to a request to
//! HBase's `MultiRowMutationService`.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;

use super::encoder::{by_family, ttl_attribute};
use super::options::{durability, priority, write_attributes};
use crate::backend::repeat::RepeatPolicy;
use crate::model::cell::{Cell, CellType};
use crate::request::call_options::CallOptions;
use crate::request::op::{
    CallTarget, Mutation, MutationKind, RowMutations, SingleMutation, conflict,
};
use crate::wire::proto::{
    ColumnValue, DeleteType, MutateRowsRequest, MutationProto, MutationType, QualifierValue,
};
use crate::{Result, Timestamp};

const NAME: &str = "mutate rows";

/// The changes of several rows that are applied in one step, lowered to messages.
pub(crate) struct MultiRowMutation {
    /// The first row, which determines the region.
    pub(crate) row: Bytes,
    /// The rows of all changes, in the order of the changes.
    pub(crate) rows: Vec<Bytes>,
    messages: Vec<MutationProto>,
    /// Whether the step deletes cells up to the server's time when it is applied.
    pub(crate) deletes_until_server_time: bool,
    /// Whether one of the changes is a delete.
    pub(crate) deletes: bool,
    pub(crate) repeat_policy: RepeatPolicy,
    /// The shortest timeout that is set for a change or for the whole step.
    pub(crate) timeout: Duration,
    /// The shortest attempt timeout that is set for a change or for the whole step, if there is
    /// any.
    pub(crate) attempt_timeout: Option<Duration>,
    /// The highest priority that is set for a change or for the whole step.
    pub(crate) priority: u32,
}

/// Lowers puts and deletes to one step. The cells are inside the messages, because a call of an
/// endpoint has no cell block.
pub(crate) fn lower_mutate_rows(
    mutations: Vec<Mutation>,
    to: &CallTarget<'_>,
    max_cell_bytes: usize,
) -> Result<MultiRowMutation> {
    let mut parts: Vec<(MutationKind, SingleMutation)> = Vec::with_capacity(mutations.len());
    for mutation in mutations {
        match mutation.try_into_single() {
            Ok(single) => parts.push(single),
            Err(several) => {
                if let Some(problem) = several.problem() {
                    return Err(to.invalid(NAME, &several.row, problem));
                }
                let RowMutations { mutations, delivery, options, .. } = several;
                parts.extend(mutations.into_iter().map(|(kind, mut cells)| {
                    cells.delivery = delivery.or(cells.delivery);
                    cells.options = CallOptions::merge(cells.options.as_ref(), options.as_ref());
                    (kind, cells)
                }));
            }
        }
    }
    let rows: Vec<_> = parts.iter().map(|(_, cells)| cells.row.clone()).collect();
    let row = rows.first().cloned().unwrap_or_default();
    let invalid = |row: &Bytes, why: String| to.invalid(NAME, row, why);
    if parts.is_empty() {
        return Err(invalid(&row, "it has nothing to do; add a change to it".into()));
    }
    if let Some((row, problem)) = conflict_in_a_row(&parts) {
        return Err(invalid(row, problem));
    }
    let (mut deletes_until_server_time, mut deletes) = (false, false);
    let mut repetitions = Vec::with_capacity(parts.len());
    let (mut timeout, mut attempt_timeout) = (to.timeout, None::<Duration>);
    let mut call_priority = priority(to);
    let mut messages = Vec::with_capacity(parts.len());
    for (kind, cells) in parts {
        let mutate_type = match kind {
            MutationKind::Put => MutationType::Put,
            MutationKind::Delete => MutationType::Delete,
            MutationKind::Increment | MutationKind::Append => {
                let why = format!("only puts and deletes, not an {}", kind.name());
                return Err(invalid(&cells.row, why));
            }
            MutationKind::AddToCells | MutationKind::MergeToCells => {
                let why = "only puts and deletes, not changes of aggregates".to_owned();
                return Err(invalid(&cells.row, why));
            }
        };
        if let Some(problem) = cells.problem(kind) {
            return Err(invalid(&cells.row, problem));
        }
        if cells.cells.is_empty() && kind != MutationKind::Delete {
            let why = "a put has no cells; name at least one column";
            return Err(invalid(&cells.row, why.into()));
        }
        if cells.cells.largest_cell_size() > max_cell_bytes {
            let largest = cells.cells.largest_cell_size();
            let why =
                format!("a cell of {largest} bytes, more than max_cell_bytes, {max_cell_bytes}");
            return Err(invalid(&cells.row, why));
        }
        let delivery = cells.delivery.unwrap_or(to.delivery);
        let server_time = cells.server_time || cells.deletes_row(kind);
        deletes_until_server_time |= kind == MutationKind::Delete && server_time;
        deletes |= kind == MutationKind::Delete;
        repetitions.push(RepeatPolicy::of_write(delivery, server_time, cells.must_not_repeat));
        if let Some(own) = &cells.options {
            timeout = own.timeout.map_or(timeout, |own| own.min(timeout));
            call_priority = own.priority.map_or(call_priority, |own| own.max(call_priority));
        }
        let options = CallOptions::merge(cells.options.as_ref(), to.options);
        let of_attempt = options.as_ref().and_then(|options| options.attempt_timeout);
        attempt_timeout = attempt_timeout.into_iter().chain(of_attempt).min();
        let wrong = |why| invalid(&cells.row, why);
        let mut attribute = write_attributes(options.as_deref()).map_err(wrong)?;
        attribute.extend(ttl_attribute(&cells).map_err(wrong)?);
        let durable = options.as_deref().and_then(|options| options.durability);
        messages.push(MutationProto {
            mutate_type: Some(mutate_type as i32),
            column_value: column_values(cells.cells.cells()),
            timestamp: cells.until.map(Timestamp::as_millis),
            attribute,
            durability: durable.map(|durable| durability(durable) as i32),
            row: Some(cells.row),
            ..Default::default()
        });
    }
    let priority = call_priority;
    Ok(MultiRowMutation {
        row,
        rows,
        messages,
        deletes_until_server_time,
        deletes,
        repeat_policy: RepeatPolicy::of_step(repetitions),
        timeout,
        attempt_timeout,
        priority,
    })
}

impl MultiRowMutation {
    /// Sets the timestamps of cells and of deletes of whole rows that have none: each gets the time
    /// that `time_of` returns for its row.
    pub(crate) fn set_timestamps(&mut self, time_of: impl Fn(&[u8]) -> Option<u64>) {
        for message in &mut self.messages {
            let time = message.row.as_deref().and_then(&time_of);
            // A message without cells deletes the row.
            if message.column_value.is_empty() {
                message.timestamp = message.timestamp.or(time);
            }
            let columns = message.column_value.iter_mut();
            for value in columns.flat_map(|column| &mut column.qualifier_value) {
                value.timestamp = value.timestamp.or(time);
            }
        }
    }

    /// Removes the changes from the step, and returns them as the encoded message of the call.
    pub(crate) fn take_request(&mut self) -> Bytes {
        let messages = std::mem::take(&mut self.messages);
        let request = MutateRowsRequest { mutation_request: messages, ..Default::default() };
        request.encode_to_vec().into()
    }
}

/// Returns the first row whose changes cannot be made in one step, and the reason, if there is such
/// a row.
fn conflict_in_a_row(parts: &[(MutationKind, SingleMutation)]) -> Option<(&Bytes, String)> {
    let mut by_row: HashMap<&Bytes, Vec<&(MutationKind, SingleMutation)>> = HashMap::new();
    for part in parts {
        by_row.entry(&part.1.row).or_default().push(part);
    }
    // In the order of the step, so that the same step always has the same error.
    let rows = parts.iter().map(|(_, cells)| &cells.row);
    rows.into_iter().find_map(|row| {
        let of_row = by_row.remove(row)?;
        Some((row, conflict(of_row.iter().copied())?))
    })
}

/// Groups cells by family, as in a message. Each cell has its timestamp; a delete marker also has
/// the kind of its delete.
fn column_values(cells: impl Iterator<Item = Cell>) -> Vec<ColumnValue> {
    by_family(cells, |cell| {
        let delete_type = match cell.kind() {
            CellType::Put => None,
            CellType::Delete => Some(DeleteType::DeleteOneVersion),
            CellType::DeleteColumn => Some(DeleteType::DeleteMultipleVersions),
            CellType::DeleteFamily => Some(DeleteType::DeleteFamily),
            CellType::DeleteFamilyVersion => Some(DeleteType::DeleteFamilyVersion),
        };
        QualifierValue {
            timestamp: cell.given_timestamp().map(Timestamp::as_millis),
            delete_type: delete_type.map(|kind| kind as i32),
            ..Default::default()
        }
    })
}
