//! The lists of tables, namespaces and snapshots. They leave out what the user of the call may not
//! see.

use tallrow_wire::proto::PermissionAction::{Admin, Create};
use tallrow_wire::proto::{SnapshotDescription, TableName};

use super::caller::Caller;
use crate::hbase::call::Call;
use crate::state::{ALL_ACTIONS, Scope};

/// Whether the user of a call may do anything in a table, and so may know its name.
pub(in crate::hbase) fn is_listed(call: &Call<'_>, table: &TableName) -> bool {
    let scope = Scope::table(table);
    Caller::of(call).is_none_or(|caller| {
        let may = |action| caller.permissions.allows_in_part(caller.user, &scope, action);
        ALL_ACTIONS.into_iter().any(may)
    })
}

/// Whether the user of a call may know the schema of a table.
pub(in crate::hbase) fn is_described(call: &Call<'_>, table: &TableName) -> bool {
    let scope = Scope::table(table);
    Caller::of(call).is_none_or(|caller| caller.may(&scope, Admin) || caller.may(&scope, Create))
}

/// Whether the user of a call may know the descriptor of a namespace.
pub(in crate::hbase) fn is_namespace_listed(call: &Call<'_>, namespace: &str) -> bool {
    let scope = Scope::Namespace(namespace.to_owned());
    Caller::of(call).is_none_or(|caller| caller.may(&scope, Admin))
}

/// Whether the user of a call may know a snapshot.
pub(in crate::hbase) fn is_snapshot_listed(
    call: &Call<'_>,
    snapshot: &SnapshotDescription,
) -> bool {
    let own = |caller: &Caller<'_>| snapshot.owner() == caller.user;
    Caller::of(call).is_none_or(|caller| own(&caller) || caller.may(&Scope::Global, Admin))
}
