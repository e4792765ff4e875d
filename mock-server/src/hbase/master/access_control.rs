//! The methods of the master for permissions, which fail on a cluster without `AccessController`.

use std::collections::BTreeSet;

use bytes::Bytes;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::base::{RemoteResult, remote_exception};
use crate::hbase::access::Caller;
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::schema;
use crate::state::{ALL_ACTIONS, Grant, Scope};

/// The methods about permissions.
pub(super) const METHODS: &[Method] = &[
    ("Grant", |c, r| answer_with_message(c, r, &[1], grant)),
    ("Revoke", |c, r| answer_with_message(c, r, &[1], revoke)),
    ("GetUserPermissions", |c, r| answer_with_message(c, r, &[], list)),
    ("HasUserPermissions", |c, r| answer_with_message(c, r, &[], has)),
];

/// Returns the caller; an exception if the cluster has no permissions to check.
fn caller<'a>(call: &Call<'a>) -> RemoteResult<Caller<'a>> {
    Caller::of(call).ok_or_else(|| {
        let text = "java.lang.UnsupportedOperationException: \
                    org.apache.hadoop.hbase.security.access.AccessController is not loaded";
        remote_exception(exception::DO_NOT_RETRY, text)
    })
}

fn grant(call: &Call<'_>, r: GrantRequest) -> RemoteResult<GrantResponse> {
    let caller = caller(call)?;
    let grant = decode(r.user_permission);
    check_change(&caller, &grant)?;
    if grant.actions.is_empty() {
        let text = format!("No actions associated with user '{}'", grant.user);
        return Err(remote_exception(exception::IO, text));
    }
    caller.permissions.grant(grant, r.merge_existing_permissions.unwrap_or(false));
    Ok(GrantResponse {})
}

fn revoke(call: &Call<'_>, r: RevokeRequest) -> RemoteResult<RevokeResponse> {
    let caller = caller(call)?;
    let grant = decode(r.user_permission);
    check_change(&caller, &grant)?;
    caller.permissions.revoke(&grant);
    Ok(RevokeResponse {})
}

/// Requires that the caller may change the permissions of a user in a scope.
fn check_change(caller: &Caller<'_>, grant: &Grant) -> RemoteResult<()> {
    caller.require(&grant.scope, &[PermissionAction::Admin])?;
    if !caller.permissions.is_superuser(caller.user) && caller.permissions.is_superuser(&grant.user)
    {
        let text = "Granting or revoking superusers's or supergroups's permissions is not allowed";
        return Err(remote_exception(exception::ACCESS_DENIED, text));
    }
    Ok(())
}

fn list(call: &Call<'_>, r: GetUserPermissionsRequest) -> RemoteResult<GetUserPermissionsResponse> {
    let caller = caller(call)?;
    let user = r.user_name.map(|user| text(&user));
    let (family, qualifier) = (r.column_family, r.column_qualifier);
    let scope = match (r.table_name, r.namespace_name) {
        (Some(table), _) => Scope::column(
            &table,
            &family.clone().unwrap_or_default(),
            &qualifier.clone().unwrap_or_default(),
        ),
        (None, Some(namespace)) => Scope::Namespace(text(&namespace)),
        (None, None) => Scope::Global,
    };
    caller.require_to_see_permissions(&scope, user.as_deref(), &[PermissionAction::Admin])?;
    let fits = |grant: &Grant| match (&grant.scope, &scope) {
        (Scope::Table { table, family: f, qualifier: q }, Scope::Table { table: asked, .. }) => {
            table == asked
                && family.as_ref().is_none_or(|family| family == f)
                && qualifier.as_ref().is_none_or(|qualifier| qualifier == q)
        }
        (found, asked) => found == asked,
    };
    let mut found = caller.permissions.list();
    found.retain(|grant| fits(grant) && user.as_ref().is_none_or(|user| *user == grant.user));
    if scope == Scope::Global && user.is_none() {
        let of_superuser = |user: &String| {
            let (user, actions) = (user.clone(), ALL_ACTIONS.into());
            Grant { user, scope: Scope::Global, actions }
        };
        found.extend(caller.permissions.superusers.iter().map(of_superuser));
    }
    Ok(GetUserPermissionsResponse { user_permission: found.into_iter().map(encode).collect() })
}

fn has(call: &Call<'_>, r: HasUserPermissionsRequest) -> RemoteResult<HasUserPermissionsResponse> {
    let caller = caller(call)?;
    let user = r.user_name.map_or_else(|| caller.user.to_owned(), |user| text(&user));
    let asked: Vec<_> = r.permission.into_iter().map(scope_of).collect();
    for (scope, _) in asked.iter().filter(|_| user != caller.user) {
        caller.require_to_see_permissions(scope, Some(&user), &[PermissionAction::Admin])?;
    }
    let may = |scope: &Scope, action| {
        // Everybody may read `hbase:meta`.
        let is_meta = |table: &TableName| *table == schema::meta_table_name();
        matches!(scope, Scope::Table { table, .. } if is_meta(table))
            && action == PermissionAction::Read
            || caller.permissions.allows(&user, scope, action)
    };
    let has = |(scope, actions): &(Scope, BTreeSet<PermissionAction>)| {
        actions.iter().all(|action| may(scope, *action))
    };
    Ok(HasUserPermissionsResponse { has_user_permission: asked.iter().map(has).collect() })
}

fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn decode(message: UserPermission) -> Grant {
    let (scope, actions) = scope_of(message.permission);
    Grant { user: text(&message.user), scope, actions }
}

fn scope_of(permission: Permission) -> (Scope, BTreeSet<PermissionAction>) {
    let (scope, actions) = match permission.r#type() {
        PermissionType::Global => {
            (Scope::Global, permission.global_permission.unwrap_or_default().action)
        }
        PermissionType::Namespace => {
            let found = permission.namespace_permission.unwrap_or_default();
            (Scope::Namespace(text(&found.namespace_name.unwrap_or_default())), found.action)
        }
        PermissionType::Table => {
            let found = permission.table_permission.unwrap_or_default();
            let (family, qualifier) = (found.family.unwrap_or_default(), found.qualifier);
            let table = found.table_name.unwrap_or_default();
            (Scope::column(&table, &family, &qualifier.unwrap_or_default()), found.action)
        }
    };
    let actions = actions.into_iter().filter_map(|action| action.try_into().ok());
    (scope, actions.collect())
}

fn encode(grant: Grant) -> UserPermission {
    let action = grant.actions.into_iter().map(|action| action as i32).collect();
    let mut permission = Permission::default();
    match grant.scope {
        Scope::Global => {
            permission.set_type(PermissionType::Global);
            permission.global_permission = Some(GlobalPermission { action });
        }
        Scope::Namespace(name) => {
            permission.set_type(PermissionType::Namespace);
            let namespace_name = Some(name.into());
            permission.namespace_permission = Some(NamespacePermission { namespace_name, action });
        }
        Scope::Table { table, family, qualifier } => {
            let some = |name: Bytes| Some(name).filter(|name| !name.is_empty());
            permission.set_type(PermissionType::Table);
            permission.table_permission = Some(TablePermission {
                table_name: Some(table),
                family: some(family),
                qualifier: some(qualifier),
                action,
            });
        }
    }
    UserPermission { user: grant.user.into(), permission }
}
