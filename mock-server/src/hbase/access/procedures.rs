//! The permissions that come and go with tables and namespaces.

use tallrow_wire::proto::{CreateTableRequest, DeleteNamespaceRequest, TableName};

use super::caller::Caller;
use crate::base::RemoteResult;
use crate::hbase::call::Call;
use crate::state::{ALL_ACTIONS, Grant, Scope};

/// A request whose first field is a table.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TableRequest {
    #[prost(message, required, tag = "1")]
    pub(super) table: TableName,
}

/// Changes permissions after the procedure that a call has started. The permissions in a table that
/// was truncated stay.
pub(in crate::hbase) fn update_permissions_after_procedure(call: &Call<'_>) -> RemoteResult<()> {
    let Some(caller) = Caller::of(call) else { return Ok(()) };
    match call.method {
        "CreateTable" => {
            let schema = call.param::<CreateTableRequest>(&[])?.table_schema;
            grant_table_to_caller(call, &schema.table_name.unwrap_or_default());
        }
        // HBase treats who changes a table as its owner.
        "AddColumn" | "DeleteColumn" | "ModifyColumn" | "ModifyTable" => {
            grant_table_to_caller(call, &call.param::<TableRequest>(&[])?.table);
        }
        "DeleteTable" => {
            let table = call.param::<TableRequest>(&[])?.table;
            caller.permissions.revoke_all(&Scope::table(&table));
        }
        "DeleteNamespace" => {
            let name = call.param::<DeleteNamespaceRequest>(&[])?.namespace_name;
            caller.permissions.revoke_all(&Scope::Namespace(name));
        }
        _ => {}
    }
    Ok(())
}

/// Grants the user of a call everything in a table.
pub(in crate::hbase) fn grant_table_to_caller(call: &Call<'_>, table: &TableName) {
    // A call without a user is one of the server's own, who needs no permission.
    let Some(caller) = Caller::of(call).filter(|caller| !caller.user.is_empty()) else { return };
    let (user, actions) = (caller.user.to_owned(), ALL_ACTIONS.into());
    caller.permissions.grant(Grant { user, scope: Scope::table(table), actions }, false);
}
