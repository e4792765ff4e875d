//! The user of a call, and the exceptions for what this user may not do, with the texts of HBase's
//! `AccessChecker` and `AuthResult`.

use bytes::Bytes;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{PermissionAction, TableName};

use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::Call;
use crate::schema::table_text;
use crate::state::{Permissions, Scope};

/// The user of a call in a cluster that has permissions.
#[derive(Clone, Copy)]
pub(in crate::hbase) struct Caller<'a> {
    /// The name of the user; empty if the client has named none.
    pub(in crate::hbase) user: &'a str,
    /// The permissions of all users.
    pub(in crate::hbase) permissions: &'a Permissions,
}

impl<'a> Caller<'a> {
    /// Returns the user of a call; `None` if the cluster permits everything to everybody.
    pub(in crate::hbase) fn of(call: &Call<'a>) -> Option<Self> {
        let permissions = call.cluster.permissions.as_ref()?;
        Some(Self { user: &call.peer.user, permissions })
    }

    /// Whether the user may do this in the whole scope.
    pub(super) fn may(&self, scope: &Scope, action: PermissionAction) -> bool {
        self.permissions.allows(self.user, scope, action)
    }

    /// Requires one of these actions in the whole scope.
    pub(in crate::hbase) fn require(
        &self,
        scope: &Scope,
        actions: &[PermissionAction],
    ) -> RemoteResult<()> {
        self.require_to_see_permissions(scope, None, actions)
    }

    /// Requires one of these actions in the whole scope, to answer a question about the permissions
    /// of another user.
    pub(in crate::hbase) fn require_to_see_permissions(
        &self,
        scope: &Scope,
        other: Option<&str>,
        actions: &[PermissionAction],
    ) -> RemoteResult<()> {
        if actions.iter().any(|action| self.may(scope, *action)) {
            return Ok(());
        }
        // The text of HBase has the action that was tried last.
        let Some(action) = actions.last() else { return Ok(()) };
        let other = other.map(|user| format!("filterUser={user}"));
        Err(match scope {
            Scope::Global => {
                let user = format!("for user '{}'", self.user);
                denied(&format!("{user} (global, action={})", name_of(*action)))
            }
            Scope::Namespace(namespace) => self.denied_in_namespace(namespace, other, *action),
            Scope::Table { table, family, qualifier } => {
                let columns = match qualifier.is_empty() {
                    true => String::from_utf8_lossy(family).into_owned(),
                    false => column_text(family, qualifier),
                };
                self.denied_in_table(table, &columns, other, *action)
            }
        })
    }

    /// Makes the exception for an action that is denied in a namespace; `details` says more about
    /// it.
    pub(super) fn denied_in_namespace(
        &self,
        namespace: &str,
        details: Option<String>,
        action: PermissionAction,
    ) -> RemoteException {
        let params: Vec<String> =
            [Some(format!("namespace={namespace}")), details].into_iter().flatten().collect();
        self.denied_in(namespace, "", &params.join(","), action)
    }

    /// Makes the exception for an action that is denied in columns of a table; `details` says more
    /// about it.
    pub(super) fn denied_in_table(
        &self,
        table: &TableName,
        columns: &str,
        details: Option<String>,
        action: PermissionAction,
    ) -> RemoteException {
        let table = full_name(table);
        let family = (!columns.is_empty()).then(|| format!("family={columns}"));
        let shown = family.iter().map(|family| format!("{family}, ")).collect::<String>();
        let params: Vec<String> =
            [Some(format!("table={table}")), family, details].into_iter().flatten().collect();
        self.denied_in(&table, &shown, &params.join(","), action)
    }

    fn denied_in(
        &self,
        scope: &str,
        family: &str,
        params: &str,
        action: PermissionAction,
    ) -> RemoteException {
        let (user, action) = (self.user, name_of(action));
        denied(&format!("(user={user}, scope={scope}, {family}params=[{params}],action={action})"))
    }

    /// Makes the exception for a read of which no column is permitted.
    pub(super) fn denied_to_read(&self, table: &TableName) -> RemoteException {
        let (user, table) = (self.user, table_text(table));
        denied(&format!("for user '{user}' (table={table}, action=READ)"))
    }
}

fn denied(what: &str) -> RemoteException {
    remote_exception(exception::ACCESS_DENIED, format!("Insufficient permissions {what}"))
}

/// Formats a column as it is shown in exceptions.
pub(super) fn column_text(family: &Bytes, qualifier: &Bytes) -> String {
    format!("{}:{}", String::from_utf8_lossy(family), String::from_utf8_lossy(qualifier))
}

/// Formats a table's name with its namespace, even if the namespace is `default`.
pub(super) fn full_name(table: &TableName) -> String {
    let part = String::from_utf8_lossy;
    format!("{}:{}", part(&table.namespace), part(&table.qualifier))
}

/// Returns the name of an action in Java.
fn name_of(action: PermissionAction) -> String {
    format!("{action:?}").to_uppercase()
}
