//! ReadModifyWriteRow: increments and appends, which return the cells that they wrote.

use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::bigtable::{
    Cell, Change, Column, Family, Mutation, ReadModifyWriteRowRequest, ReadModifyWriteRowResponse,
    ReadModifyWriteRule, Row, Rule, SetCell,
};
use tallrow_wire::cell::KeyValue;

use super::change_log;
use super::row_change::{self, status_in_element};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::limits;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::timestamp::millis_to_micros;
use crate::regions::RegionState;

/// A value and its timestamp in ms.
type Version = (u64, Bytes);

/// The columns that are changed, by family and qualifier.
type Columns<'r> = BTreeMap<(&'r str, &'r Bytes), Version>;

/// Answers a ReadModifyWriteRow.
pub(crate) fn read_modify_write_row(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ReadModifyWriteRowRequest = call.decode()?;
    let view = &request.authorized_view_name;
    let mut table = OpenTable::of_request(call.cluster, &request.table_name, view, "")?;
    limits::check_row_key(&request.row_key)?;
    check_rules(&request.rules)?;
    let row = &request.row_key;
    if let Some(view) = table.view() {
        view.check_row(row)?;
        for (at, rule) in request.rules.iter().enumerate() {
            let checked = view.check_column(&rule.family_name, &rule.column_qualifier);
            checked.map_err(|status| status_in_element("rules", at, status))?;
        }
    }
    let columns = table.change_row(call.cluster, row, |shown, state, now| {
        for rule in &request.rules {
            let family = rule.family_name.as_bytes();
            row_change::check_not_aggregate(row_change::family(family, shown, row, state)?)?;
        }
        let columns = apply(state, row, &request.rules, now)?;
        change_log::add(call.cluster, (shown, row), state, now, |_| {
            columns.iter().map(logged).collect()
        });
        Ok(columns)
    })?;
    let row = Some(message(row.clone(), columns));
    Ok(ReplyMessages::one(&ReadModifyWriteRowResponse { row }))
}

fn check_rules(rules: &[ReadModifyWriteRule]) -> StatusResult<()> {
    if rules.is_empty() {
        return Err(invalid("No rules provided"));
    }
    if rules.len() > limits::MUTATIONS {
        return Err(invalid(format!(
            "Too many rules: {}, the limit is {}",
            rules.len(),
            limits::MUTATIONS
        )));
    }
    for (at, rule) in rules.iter().enumerate() {
        let checked = match &rule.rule {
            None => Err(invalid("The rule is neither append_value nor increment_amount")),
            Some(_) => limits::check_qualifier(&rule.column_qualifier),
        };
        checked.map_err(|status| status_in_element("rules", at, status))?;
    }
    Ok(())
}

/// Applies the rules in their order, in one write.
fn apply<'r>(
    state: &mut RegionState,
    row: &Bytes,
    rules: &'r [ReadModifyWriteRule],
    now: u64,
) -> StatusResult<Columns<'r>> {
    if state.store.has_delete_markers() {
        row_change::remove_hidden_cells(state, row, now);
    }
    let mut columns = Columns::new();
    for (at, rule) in rules.iter().enumerate() {
        let column @ (family, qualifier) = (&rule.family_name[..], &rule.column_qualifier);
        let newest = columns.get(&column).cloned().or_else(|| {
            let newest = state.newest_version(row, family.as_bytes(), qualifier, now)?;
            Some((newest.timestamp(), Bytes::copy_from_slice(newest.value())))
        });
        let (timestamp, value) = newest.map_or((0, None), |(at, value)| (at, Some(value)));
        let value =
            changed(rule, value).map_err(|status| status_in_element("rules", at, status))?;
        columns.insert(column, (timestamp.max(now), value));
    }
    let writes: Vec<KeyValue<'_>> = columns
        .iter()
        .map(|((family, qualifier), (timestamp, value))| {
            row_change::put_key_value(row, (family.as_bytes(), qualifier), *timestamp, value)
        })
        .collect();
    row_change::write(state, &writes, &[], now)?;
    Ok(columns)
}

/// Returns the new value of a column after a rule is applied to it. An increment of a column
/// without a value starts at 0; an empty value is an error.
fn changed(rule: &ReadModifyWriteRule, value: Option<Bytes>) -> StatusResult<Bytes> {
    match &rule.rule {
        Some(Rule::IncrementAmount(amount)) => {
            let old = match &value {
                None => Some(0),
                Some(value) => value[..].try_into().ok().map(i64::from_be_bytes),
            };
            let Some(old) = old else {
                return Err(StatusCode::FailedPrecondition.status(format!(
                    "The value of {}:{} has {} bytes. Only 64-bit big-endian integers, of 8 bytes, \
                     can be incremented",
                    rule.family_name,
                    rule.column_qualifier.escape_ascii(),
                    value.map_or(0, |value| value.len())
                )));
            };
            Ok(Bytes::copy_from_slice(&old.wrapping_add(*amount).to_be_bytes()))
        }
        Some(Rule::AppendValue(end)) => {
            let whole = Bytes::from([&value.unwrap_or_default()[..], end].concat());
            limits::check_value(&whole)?;
            Ok(whole)
        }
        None => Ok(value.unwrap_or_default()),
    }
}

/// Returns how a change stream shows a changed column: the cell that was written.
fn logged(((family, qualifier), (timestamp, value)): (&(&str, &Bytes), &Version)) -> Mutation {
    let timestamp_micros = millis_to_micros(*timestamp);
    let (family_name, column_qualifier) = ((*family).to_owned(), (*qualifier).clone());
    let value = value.clone();
    let cell = SetCell { family_name, column_qualifier, timestamp_micros, value };
    Mutation { mutation: Some(Change::SetCell(cell)) }
}

/// Makes the message of a row with the changed columns.
fn message(key: Bytes, columns: Columns<'_>) -> Row {
    let mut families: Vec<Family> = Vec::new();
    for ((family, qualifier), (timestamp, value)) in columns {
        let cell =
            Cell { timestamp_micros: millis_to_micros(timestamp), value, labels: Vec::new() };
        let column = Column { qualifier: qualifier.clone(), cells: vec![cell] };
        match families.last_mut().filter(|last| last.name == family) {
            Some(last) => last.columns.push(column),
            None => families.push(Family { name: family.to_owned(), columns: vec![column] }),
        }
    }
    Row { key, families }
}
