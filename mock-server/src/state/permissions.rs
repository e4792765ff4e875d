//! The permissions of users, according to the rules of HBase's `AccessController`. HBase stores
//! them in the table `hbase:acl`, which the mock does not have.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::proto::{PermissionAction, TableName};

use super::kept::{Kept, Recorded};
use crate::journal::{GrantRecord, GrantsRecord, Record, StateChange};

/// All actions: what the creator of a table may do in it.
pub(crate) const ALL_ACTIONS: [PermissionAction; 5] = [
    PermissionAction::Read,
    PermissionAction::Write,
    PermissionAction::Exec,
    PermissionAction::Create,
    PermissionAction::Admin,
];

/// What a permission is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scope {
    /// The cluster.
    Global,
    /// A namespace with its tables.
    Namespace(String),
    /// A table, a family or a column. An empty family or qualifier stands for all of them.
    Table {
        /// The table.
        table: TableName,
        /// The family.
        family: Bytes,
        /// The qualifier.
        qualifier: Bytes,
    },
}

impl Scope {
    /// Makes the scope of a whole table.
    pub(crate) fn table(table: &TableName) -> Self {
        Self::column(table, &Bytes::new(), &Bytes::new())
    }

    /// Makes the scope of a column, or of a family if the qualifier is empty.
    pub(crate) fn column(table: &TableName, family: &Bytes, qualifier: &Bytes) -> Self {
        Self::Table { table: table.clone(), family: family.clone(), qualifier: qualifier.clone() }
    }

    /// Whether a permission in this scope is also one in the other.
    fn covers(&self, other: &Self) -> bool {
        let all_or = |own: &Bytes, other: &Bytes| own.is_empty() || own == other;
        match (self, other) {
            (Self::Global, _) => true,
            (Self::Namespace(own), Self::Namespace(other)) => own == other,
            (Self::Namespace(own), Self::Table { table, .. }) => own.as_bytes() == table.namespace,
            (
                Self::Table { table, family, qualifier },
                Self::Table { table: t, family: f, qualifier: q },
            ) => table == t && all_or(family, f) && all_or(qualifier, q),
            _ => false,
        }
    }
}

/// The actions that a user was granted in a scope.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grant {
    /// The name of the user, or of a group as `@group`. The mock's users are in no group.
    pub(crate) user: String,
    /// The scope.
    pub(crate) scope: Scope,
    /// The actions.
    pub(crate) actions: BTreeSet<PermissionAction>,
}

/// Everything that was granted.
pub(crate) type Grants = Vec<Grant>;

impl From<&Grants> for StateChange {
    fn from(grants: &Grants) -> Self {
        let record = GrantsRecord { grants: grants.iter().map(GrantRecord::from).collect() };
        Self { grants: Some(record), ..Self::default() }
    }
}

impl From<&Grant> for GrantRecord {
    fn from(grant: &Grant) -> Self {
        let actions = grant.actions.iter().map(|action| *action as i32).collect();
        let record = Self { user: grant.user.clone(), actions, ..Self::default() };
        match &grant.scope {
            Scope::Global => record,
            Scope::Namespace(name) => Self { namespace: Some(name.clone()), ..record },
            Scope::Table { table, family, qualifier } => Self {
                table: Some(table.clone()),
                family: family.clone(),
                qualifier: qualifier.clone(),
                ..record
            },
        }
    }
}

impl From<GrantRecord> for Grant {
    fn from(record: GrantRecord) -> Self {
        let actions = record.actions.into_iter().filter_map(|action| action.try_into().ok());
        let scope = match (record.table, record.namespace) {
            (Some(table), _) => Scope::column(&table, &record.family, &record.qualifier),
            (None, Some(namespace)) => Scope::Namespace(namespace),
            (None, None) => Scope::Global,
        };
        Self { user: record.user, scope, actions: actions.collect() }
    }
}

impl Recorded for Grants {
    fn take_record(&mut self) -> Option<Record> {
        Some(StateChange::from(&*self).into())
    }
}

/// The permissions of all users of a cluster.
#[derive(Debug)]
pub(crate) struct Permissions {
    /// The users who may do everything (`hbase.superuser`).
    pub(crate) superusers: Vec<String>,
    /// Whether calls of coprocessors need a permission.
    pub(crate) checks_exec: bool,
    grants: Arc<Kept<Grants>>,
}

impl Permissions {
    /// Makes the permissions of a cluster in which the superusers may do everything, and others
    /// what they were granted.
    pub(crate) fn new(
        superusers: Vec<String>,
        checks_exec: bool,
        grants: &Arc<Kept<Grants>>,
    ) -> Self {
        Self { superusers, checks_exec, grants: Arc::clone(grants) }
    }

    /// Whether a user may do everything. A client that names no user acts as the user who started
    /// the server: `AccessController` takes a call without a user for a call of the server itself.
    pub(crate) fn is_superuser(&self, user: &str) -> bool {
        user.is_empty() || self.superusers.iter().any(|superuser| superuser == user)
    }

    /// Whether a user may do this in the whole scope.
    pub(crate) fn allows(&self, user: &str, scope: &Scope, action: PermissionAction) -> bool {
        self.any(user, action, |granted| granted.covers(scope))
    }

    /// Whether a user may do this in the scope, or in a part of it.
    pub(crate) fn allows_in_part(
        &self,
        user: &str,
        scope: &Scope,
        action: PermissionAction,
    ) -> bool {
        self.any(user, action, |granted| granted.covers(scope) || scope.covers(granted))
    }

    fn any(&self, user: &str, action: PermissionAction, fits: impl Fn(&Scope) -> bool) -> bool {
        let is_it = |grant: &Grant| {
            grant.user == user && grant.actions.contains(&action) && fits(&grant.scope)
        };
        self.is_superuser(user) || self.grants.lock().iter().any(is_it)
    }

    /// Returns the qualifiers of a family in which a user was granted the action for single
    /// columns.
    pub(crate) fn permitted_qualifiers(
        &self,
        user: &str,
        of_family: &Scope,
        action: PermissionAction,
    ) -> Vec<Bytes> {
        let grants = self.grants.lock();
        let of_user = grants.iter().filter(|g| g.user == user && g.actions.contains(&action));
        let inside = of_user.filter(|grant| of_family.covers(&grant.scope));
        inside
            .filter_map(|grant| match &grant.scope {
                Scope::Table { qualifier, .. } => Some(qualifier.clone()),
                _ => None,
            })
            .collect()
    }

    /// Grants actions. If `merge`, the user keeps what was granted in the scope before; otherwise
    /// it is replaced.
    pub(crate) fn grant(&self, mut new: Grant, merge: bool) {
        let mut grants = self.grants.lock();
        match grants.iter_mut().find(|g| g.user == new.user && g.scope == new.scope) {
            None => grants.push(new),
            Some(old) if merge => old.actions.append(&mut new.actions),
            Some(old) => old.actions = new.actions,
        }
    }

    /// Revokes these actions in exactly this scope, or all actions if the set is empty.
    pub(crate) fn revoke(&self, old: &Grant) {
        let mut grants = self.grants.lock();
        for grant in grants.iter_mut().filter(|g| g.user == old.user && g.scope == old.scope) {
            grant.actions.retain(|action| !old.actions.is_empty() && !old.actions.contains(action));
        }
        grants.retain(|grant| !grant.actions.is_empty());
    }

    /// Revokes everything in a scope of all users.
    pub(crate) fn revoke_all(&self, scope: &Scope) {
        self.grants.lock().retain(|grant| !scope.covers(&grant.scope));
    }

    /// Returns everything that was granted.
    pub(crate) fn list(&self) -> Vec<Grant> {
        self.grants.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use tallrow_wire::proto::PermissionAction::{Read, Write};
    use tallrow_wire::region::parse_table_name;

    use super::*;

    fn column(table: &str, family: &'static str, qualifier: &'static str) -> Scope {
        Scope::column(&parse_table_name(table.as_bytes()), &family.into(), &qualifier.into())
    }

    fn to_ada(scope: Scope, actions: &[PermissionAction]) -> Grant {
        Grant { user: "ada".into(), scope, actions: actions.iter().copied().collect() }
    }

    #[test]
    fn a_permission_holds_in_all_narrower_scopes() {
        let namespace = || Scope::Namespace("n".into());
        let from_wide = [
            Scope::Global,
            namespace(),
            column("n:t", "", ""),
            column("n:t", "f", ""),
            column("n:t", "f", "q"),
        ];
        for (at, granted) in from_wide.iter().enumerate() {
            let permissions = Permissions::new(Vec::new(), false, &Arc::default());
            permissions.grant(to_ada(granted.clone(), &[Read]), false);
            for (other, scope) in from_wide.iter().enumerate() {
                assert_eq!(
                    permissions.allows("ada", scope, Read),
                    at <= other,
                    "{granted:?} {scope:?}"
                );
                assert!(permissions.allows_in_part("ada", scope, Read));
                assert!(!permissions.allows_in_part("ada", scope, Write));
                assert!(!permissions.allows_in_part("bob", scope, Read));
            }
            let elsewhere = [column("m:t", "f", "q"), Scope::Namespace("m".into())];
            assert!(elsewhere.iter().all(|s| permissions.allows("ada", s, Read) == (at == 0)));
        }
    }

    #[test]
    fn grants_replace_merge_and_end() {
        let permissions = Permissions::new(vec!["root".into()], false, &Arc::default());
        let of_family = || column("t", "f", "");
        permissions.grant(to_ada(of_family(), &[Read]), false);
        permissions.grant(to_ada(of_family(), &[Write]), true);
        permissions.grant(to_ada(column("t", "f", "q"), &[Read]), false);
        assert!(permissions.allows("ada", &of_family(), Read));
        assert_eq!(permissions.list().len(), 2);
        permissions.revoke(&to_ada(of_family(), &[Read]));
        assert!(!permissions.allows("ada", &of_family(), Read));
        assert_eq!(permissions.permitted_qualifiers("ada", &of_family(), Read), ["q"]);
        permissions.grant(to_ada(of_family(), &[Read]), false);
        assert!(!permissions.allows("ada", &of_family(), Write));
        permissions.revoke(&to_ada(of_family(), &[]));
        assert!(permissions.allows("root", &Scope::Global, Write));
        permissions.revoke_all(&column("t", "", ""));
        assert_eq!(permissions.list(), []);
    }
}
