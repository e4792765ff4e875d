//! Reads and writes of rows, and calls of coprocessors. A read that is permitted only for some of
//! its columns returns those columns; if none is permitted, it is refused. A write is either
//! permitted as a whole or refused.

use std::borrow::Cow;

use bytes::Bytes;
use tallrow_wire::proto::{Column, Condition, PermissionAction};

use super::caller::{Caller, column_text};
use crate::base::RemoteResult;
use crate::hbase::call::Call;
use crate::regions::{Mutation, MutationKind, Region};
use crate::schema::{self, RegionSchema};
use crate::state::Scope;

/// Returns the columns that the user of the call may read, out of `columns`. As in a request, an
/// empty list of columns stands for all families, and a column without a qualifier stands for the
/// whole family.
pub(in crate::hbase) fn readable_columns<'c>(
    call: &Call<'_>,
    region: &Region,
    schema: &RegionSchema,
    columns: &'c [Column],
) -> RemoteResult<Cow<'c, [Column]>> {
    let (table, read) = (&region.info.table_name, PermissionAction::Read);
    let Some(caller) = Caller::of(call) else { return Ok(Cow::Borrowed(columns)) };
    // Everybody may read `hbase:meta`. A family that does not exist is another exception.
    if *table == schema::meta_table_name()
        || caller.may(&Scope::table(table), read)
        || columns.iter().any(|column| schema.family(&column.family).is_none())
    {
        return Ok(Cow::Borrowed(columns));
    }
    let of_family = |family: &Bytes| Column { family: family.clone(), qualifier: Vec::new() };
    let asked: Vec<Column> = match columns {
        [] => schema.families.iter().map(|family| of_family(&family.name)).collect(),
        some => some.to_vec(),
    };
    let narrowed = asked.into_iter().filter_map(|mut column| {
        let family = Scope::column(table, &column.family, &Bytes::new());
        if caller.may(&family, read) {
            return Some(column);
        }
        let granted = caller.permissions.permitted_qualifiers(caller.user, &family, read);
        match column.qualifier.is_empty() {
            true => column.qualifier = granted,
            false => column.qualifier.retain(|qualifier| granted.contains(qualifier)),
        }
        (!column.qualifier.is_empty()).then_some(column)
    });
    let narrowed: Vec<Column> = narrowed.collect();
    match narrowed.is_empty() {
        true => Err(caller.denied_to_read(table)),
        false => Ok(Cow::Owned(narrowed)),
    }
}

/// Requires that the user of the call may write every column that the mutations change. A deletion
/// of a row changes all families.
pub(in crate::hbase) fn check_writes<'m>(
    call: &Call<'_>,
    region: &Region,
    schema: &RegionSchema,
    mutations: impl IntoIterator<Item = &'m Mutation>,
) -> RemoteResult<()> {
    let Some(caller) = Caller::of(call) else { return Ok(()) };
    let none = Bytes::new();
    for mutation in mutations {
        let mut columns: Vec<(&Bytes, &Bytes)> = mutation.columns().collect();
        if columns.is_empty() && mutation.kind == MutationKind::Delete {
            columns = schema.families.iter().map(|family| (&family.name, &none)).collect();
        }
        // The exception names the first column in the order of families.
        columns.sort_by_key(|(family, _)| *family);
        for (family, qualifier) in columns {
            caller.require_column(region, family, qualifier, PermissionAction::Write)?;
        }
    }
    Ok(())
}

/// Requires that the user of the call may read and write the column of a condition. HBase checks
/// this only for the condition of a single Put or Delete, and not if the condition has a filter.
pub(in crate::hbase) fn check_condition(
    call: &Call<'_>,
    region: &Region,
    condition: &Condition,
    mutations: &[Mutation],
) -> RemoteResult<()> {
    let Some(caller) = Caller::of(call) else { return Ok(()) };
    let [mutation] = mutations else { return Ok(()) };
    if condition.filter.is_some() || mutation.is_read_modify_write() {
        return Ok(());
    }
    let family = condition.family.clone().unwrap_or_default();
    let qualifier = condition.qualifier.clone().unwrap_or_default();
    for action in [PermissionAction::Read, PermissionAction::Write] {
        caller.require_column(region, &family, &qualifier, action)?;
    }
    Ok(())
}

/// Requires that the user of the call may call the coprocessors of a region, if the cluster checks
/// this permission (`hbase.security.exec.permission.checks`).
pub(in crate::hbase) fn check_exec(call: &Call<'_>, region: &Region) -> RemoteResult<()> {
    match Caller::of(call) {
        Some(caller) if caller.permissions.checks_exec => {
            caller.require(&Scope::table(&region.info.table_name), &[PermissionAction::Exec])
        }
        _ => Ok(()),
    }
}

impl Caller<'_> {
    fn require_column(
        &self,
        region: &Region,
        family: &Bytes,
        qualifier: &Bytes,
        action: PermissionAction,
    ) -> RemoteResult<()> {
        let table = &region.info.table_name;
        match self.may(&Scope::column(table, family, qualifier), action) {
            true => Ok(()),
            false => {
                let column = column_text(family, qualifier);
                Err(self.denied_in_table(table, &column, None, action))
            }
        }
    }
}
