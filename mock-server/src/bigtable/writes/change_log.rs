//! What a change stream shows of the changes of a row.

use tallrow_wire::bigtable::{
    AddToCell, Change, DeleteFromColumn, DeleteFromFamily, MergeToCell, Mutation, SetCell,
    TimestampRange, Type, Value,
};

use super::cell_input::AggregateInput;
use super::mutation::RowMutation;
use crate::bigtable::timestamp::millis_to_micros;
use crate::regions::RegionState;
use crate::schema::RegionSchema;
use crate::state::Cluster;

/// Adds the changes of a row, made at `now` in its region, to the stream of its table, if the table
/// has one.
pub(super) fn add(
    cluster: &Cluster,
    (table, row): (&str, &[u8]),
    state: &mut RegionState,
    now: u64,
    mutations: impl FnOnce(&RegionSchema) -> Vec<Mutation>,
) {
    let table = table.rsplit('/').next().unwrap_or_default().as_bytes();
    if cluster.change_logs.has(table) {
        let entry = cluster.change_logs.add(table, row, mutations(&state.schema), now);
        if let Some(entry) = entry {
            state.store.note_stream_entry(entry);
        }
    }
}

/// Returns a mutation as a change stream shows it: with the time that the server has given to a
/// cell, and with the deletion of a row as that of each family.
pub(super) fn logged(mutation: &RowMutation<'_>, schema: &RegionSchema, now: u64) -> Vec<Mutation> {
    let change = match mutation {
        RowMutation::Unknown => return Vec::new(),
        RowMutation::Set(set) => Change::SetCell(SetCell {
            family_name: set.family.to_owned(),
            column_qualifier: set.qualifier.to_vec().into(),
            timestamp_micros: millis_to_micros(set.millis(now)),
            value: set.value.to_vec().into(),
        }),
        RowMutation::Add(input) => Change::AddToCell(AddToCell {
            family_name: input.family.to_owned(),
            column_qualifier: Some(Value::raw(input.qualifier().to_vec())),
            timestamp: Some(time_of(input)),
            input: input.integer_to_add().ok().map(|amount| Value {
                r#type: Some(Type::big_endian_int64()),
                ..Value::int(amount)
            }),
        }),
        RowMutation::Merge(input) => Change::MergeToCell(MergeToCell {
            family_name: input.family.to_owned(),
            column_qualifier: Some(Value::raw(input.qualifier().to_vec())),
            timestamp: Some(time_of(input)),
            input: input
                .integer_to_merge()
                .ok()
                .flatten()
                .map(|state| Value::raw(state.to_be_bytes().to_vec())),
        }),
        RowMutation::DeleteColumn(delete) => Change::DeleteFromColumn(DeleteFromColumn {
            family_name: delete.family.to_owned(),
            column_qualifier: delete.qualifier.to_vec().into(),
            time_range: delete.range.map(|range| TimestampRange::from(&range)),
        }),
        RowMutation::DeleteFamily { family } => delete_family((*family).to_owned()),
        RowMutation::DeleteRow => return deleted_row(schema),
    };
    vec![Mutation { mutation: Some(change) }]
}

/// Returns how a change stream shows the deletion of a row.
pub(crate) fn deleted_row(schema: &RegionSchema) -> Vec<Mutation> {
    let names = schema.families.iter().map(|family| String::from_utf8_lossy(&family.name));
    names.map(|name| Mutation { mutation: Some(delete_family(name.into_owned())) }).collect()
}

fn delete_family(family_name: String) -> Change {
    Change::DeleteFromFamily(DeleteFromFamily { family_name })
}

fn time_of(input: &AggregateInput<'_>) -> Value {
    Value::timestamp(millis_to_micros(input.millis()))
}
