//! Access control: the user of the client, and the permissions of users.

use std::collections::BTreeSet;
use std::fmt;

use bytes::Bytes;

use super::endpoint::Endpoint;
use super::handle::HBaseAdmin;
use super::methods::{GetUserPermissions, Grant, HasUserPermissions, Method, Revoke};
use crate::backend::hbase::reaction::{self, Refusal};
use crate::backend::hbase::table_name::{from_message, meta_table, to_message};
use crate::wire::proto::{self, PermissionAction, PermissionType};
use crate::{Error, ErrorKind, Result, TableName};

/// The user that the servers take the client for, and how the client proved this identity.
///
/// See [`HBaseAdmin::who_am_i`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WhoAmI {
    /// The name of the user. The name of a Kerberos principal is mapped by the cluster's rules
    /// (`hadoop.security.auth_to_local`), for instance `ada@EXAMPLE.ORG` to `ada`.
    pub user: String,
    /// How the identity was proved: `KERBEROS`, `TOKEN`, `PROXY`, or `SIMPLE`, which means that it
    /// was not proved.
    pub method: String,
}

/// An action that a user may be permitted to take (`Permission.Action`). HBase's shell writes each
/// permission as a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// `R`: get, scan.
    Read,
    /// `W`: put, delete, increment, append.
    Write,
    /// `X`: call the endpoints of coprocessors.
    Execute,
    /// `C`: create, alter and delete tables.
    Create,
    /// `A`: grant, and balance, move, split.
    Admin,
}

impl Permission {
    const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Execute, Self::Create, Self::Admin];

    fn message(self) -> PermissionAction {
        match self {
            Self::Read => PermissionAction::Read,
            Self::Write => PermissionAction::Write,
            Self::Execute => PermissionAction::Exec,
            Self::Create => PermissionAction::Create,
            Self::Admin => PermissionAction::Admin,
        }
    }

    /// The letter of the permission in HBase's shell.
    ///
    /// ```
    /// use tallrow::admin::Permission;
    ///
    /// assert_eq!(Permission::Execute.letter(), 'X');
    /// ```
    pub fn letter(self) -> char {
        match self {
            Self::Read => 'R',
            Self::Write => 'W',
            Self::Execute => 'X',
            Self::Create => 'C',
            Self::Admin => 'A',
        }
    }
}

/// The scope of a permission: the cluster, a namespace, a table, a family or a column.
///
/// ```
/// use tallrow::admin::PermissionScope;
///
/// let reviews = PermissionScope::table("library:books".parse()?).family("r");
/// assert_eq!(reviews.to_string(), "table library:books, family r");
/// assert_eq!(PermissionScope::namespace("library").to_string(), "namespace library");
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PermissionScope(Scope);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Global,
    Namespace(String),
    Table { table: TableName, family: Option<Bytes>, qualifier: Option<Bytes> },
}

impl PermissionScope {
    /// The scope of everything in the cluster.
    ///
    /// ```
    /// assert_eq!(tallrow::admin::PermissionScope::global().to_string(), "the cluster");
    /// ```
    pub fn global() -> Self {
        Self(Scope::Global)
    }

    /// The scope of all tables of a namespace.
    ///
    /// See [`PermissionScope`] for an example.
    pub fn namespace(name: impl Into<String>) -> Self {
        Self(Scope::Namespace(name.into()))
    }

    /// The scope of a table, given by its full name: the namespace and the prefix of a client are
    /// not added.
    ///
    /// See [`PermissionScope`] for an example.
    pub fn table(table: TableName) -> Self {
        Self(Scope::Table { table, family: None, qualifier: None })
    }

    /// Restricts the scope to one family of the table. This has no effect on a scope that is not a
    /// table.
    ///
    /// See [`PermissionScope`] for an example.
    #[must_use]
    pub fn family(mut self, name: impl AsRef<[u8]>) -> Self {
        if let Scope::Table { family, .. } = &mut self.0 {
            *family = Some(Bytes::copy_from_slice(name.as_ref()));
        }
        self
    }

    /// Restricts the scope to one column of the family. This has no effect on a scope without a
    /// family.
    ///
    /// ```
    /// use tallrow::admin::PermissionScope;
    ///
    /// let title = PermissionScope::table("books".parse()?).family("b").qualifier("t");
    /// assert_eq!(title.to_string(), "table books, column b:t");
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    #[must_use]
    pub fn qualifier(mut self, name: impl AsRef<[u8]>) -> Self {
        if let Scope::Table { family: Some(_), qualifier, .. } = &mut self.0 {
            *qualifier = Some(Bytes::copy_from_slice(name.as_ref()));
        }
        self
    }

    fn message(&self, permissions: &[Permission]) -> proto::Permission {
        let action: Vec<i32> = permissions.iter().map(|one| one.message() as i32).collect();
        match &self.0 {
            Scope::Global => proto::Permission {
                r#type: PermissionType::Global as i32,
                global_permission: Some(proto::GlobalPermission { action }),
                ..Default::default()
            },
            Scope::Namespace(name) => proto::Permission {
                r#type: PermissionType::Namespace as i32,
                namespace_permission: Some(proto::NamespacePermission {
                    namespace_name: Some(name.clone().into()),
                    action,
                }),
                ..Default::default()
            },
            Scope::Table { table, family, qualifier } => proto::Permission {
                r#type: PermissionType::Table as i32,
                table_permission: Some(proto::TablePermission {
                    table_name: Some(to_message(table)),
                    family: family.clone(),
                    qualifier: qualifier.clone(),
                    action,
                }),
                ..Default::default()
            },
        }
    }

    /// Converts a message into a scope and the permissions in this scope.
    fn from_message(permission: proto::Permission) -> Result<(Self, BTreeSet<Permission>)> {
        let (scope, actions) = if let Some(found) = permission.table_permission {
            let table = from_message(&found.table_name.unwrap_or_default())?;
            let some = |bytes: Option<Bytes>| bytes.filter(|bytes| !bytes.is_empty());
            let (family, qualifier) = (some(found.family), some(found.qualifier));
            (Scope::Table { table, family, qualifier }, found.action)
        } else if let Some(found) = permission.namespace_permission {
            let name = found.namespace_name.unwrap_or_default();
            (Scope::Namespace(String::from_utf8_lossy(&name).into_owned()), found.action)
        } else {
            (Scope::Global, permission.global_permission.unwrap_or_default().action)
        };
        let is_in = |one: &Permission| actions.contains(&(one.message() as i32));
        Ok((Self(scope), Permission::ALL.into_iter().filter(is_in).collect()))
    }
}

impl fmt::Display for PermissionScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Scope::Global => f.write_str("the cluster"),
            Scope::Namespace(name) => write!(f, "namespace {name}"),
            Scope::Table { table, family: None, .. } => write!(f, "table {table}"),
            Scope::Table { table, family: Some(family), qualifier: None } => {
                write!(f, "table {table}, family {}", family.escape_ascii())
            }
            Scope::Table { table, family: Some(family), qualifier: Some(qualifier) } => write!(
                f,
                "table {table}, column {}:{}",
                family.escape_ascii(),
                qualifier.escape_ascii()
            ),
        }
    }
}

/// The permissions of a user in a scope.
///
/// See [`HBaseAdmin::grant`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserPermissions {
    /// The name of the user, or of a group as `@group`.
    pub user: String,
    /// The scope of the permissions.
    pub scope: PermissionScope,
    /// The permissions of the user in the scope.
    pub permissions: BTreeSet<Permission>,
}

impl HBaseAdmin {
    /// Returns the user that the servers take the client for. This needs the coprocessor
    /// `TokenProvider`, which secured clusters have (`hbase.coprocessor.region.classes`).
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// // The mock is not secured.
    /// let client = Client::connect("mock:").await?;
    /// let error = client.admin().hbase()?.who_am_i().await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Unsupported);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](ErrorKind::Unsupported) if the servers do not have the coprocessor.
    pub async fn who_am_i(&self) -> Result<WhoAmI> {
        let said: proto::WhoAmIResponse =
            self.of_token_provider("WhoAmI", &proto::WhoAmIRequest {}).await?;
        let (user, method) =
            (said.username.unwrap_or_default(), said.auth_method.unwrap_or_default());
        Ok(WhoAmI { user, method })
    }

    /// Requests a token with which programs without a Kerberos ticket can act as this client's
    /// user. This client must be logged in by Kerberos itself.
    ///
    /// ```
    /// use tallrow::authentication::Authentication;
    /// use tallrow::{Client, Config, ErrorKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// match client.admin().hbase()?.delegation_token().await {
    ///     Ok(token) => {
    ///         println!("until {:?}", token.expires_at());
    ///         let config = Config::new().authentication(Authentication::token(token));
    ///     }
    ///     // Such as the mock.
    ///     Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](ErrorKind::Unsupported) if the servers do not have the coprocessor
    /// `TokenProvider`; [`PermissionDenied`](ErrorKind::PermissionDenied) if the client is not
    /// logged in by Kerberos.
    #[cfg(feature = "kerberos")]
    pub async fn delegation_token(&self) -> Result<crate::authentication::DelegationToken> {
        let request = proto::GetAuthenticationTokenRequest {};
        let answer: proto::GetAuthenticationTokenResponse =
            self.of_token_provider("GetAuthenticationToken", &request).await?;
        let token = answer.token.ok_or_else(|| {
            let error = crate::wire::WireError::new("delegation token", "the answer has none");
            Error::protocol(error).with_operation_if_unset("get delegation token")
        })?;
        let bytes = |bytes: Option<Bytes>| bytes.unwrap_or_default().to_vec();
        let service = String::from_utf8_lossy(&bytes(token.service)).into_owned();
        let (identifier, password) = (bytes(token.identifier), bytes(token.password));
        Ok(crate::authentication::DelegationToken::new(identifier, password, service))
    }

    async fn of_token_provider<R: prost::Message + Default>(
        &self,
        method: &str,
        request: &impl prost::Message,
    ) -> Result<R> {
        let endpoint = Endpoint::new("AuthenticationService", method).repeatable();
        let answer = self.call_endpoint(&meta_table(), "", &endpoint, request).await;
        answer.map_err(|error| match error.exception() {
            Some(class) if class.ends_with("UnknownProtocolException") => error.into_kind_with_context(
                ErrorKind::Unsupported,
                "the servers have no coprocessor TokenProvider (hbase.coprocessor.region.classes), as secured clusters have",
            ),
            _ => error,
        })
    }

    /// Grants these permissions in a scope to a user, or to a group written as `@group`. They
    /// replace the permissions that the user has been granted in this scope before (`grant` of
    /// HBase's shell). This needs the coprocessor `AccessController`. The servers learn of the
    /// change within moments, through ZooKeeper.
    ///
    /// ```
    /// use tallrow::admin::{Permission, PermissionScope};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// # let unsupported = run(client).await.unwrap_err();
    /// # assert_eq!(unsupported.kind(), tallrow::ErrorKind::Unsupported);
    /// # Ok(())
    /// # }
    /// # async fn run(client: tallrow::Client) -> tallrow::Result<()> {
    /// let hbase = client.admin().hbase()?;
    /// let books = PermissionScope::table("books".parse()?);
    /// hbase.grant("ada", &books, [Permission::Read, Permission::Write]).await?;
    /// hbase.grant_more("ada", &books, [Permission::Create]).await?;
    /// for found in hbase.list_permissions(&books).await? {
    ///     println!("{} may {:?} in {}", found.user, found.permissions, found.scope);
    /// }
    /// assert!(hbase.has_permissions("ada", &books, [Permission::Create]).await?);
    /// hbase.revoke("ada", &books).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`PermissionDenied`](ErrorKind::PermissionDenied) if the client's user does not have `A` in
    /// the scope; [`Unsupported`](ErrorKind::Unsupported) if the cluster has no access control.
    pub async fn grant(
        &self,
        user: &str,
        scope: &PermissionScope,
        permissions: impl IntoIterator<Item = Permission>,
    ) -> Result<()> {
        self.change_permissions("grant", user, scope, permissions, false).await
    }

    /// Grants these permissions in a scope to a user, or to a group written as `@group`, in
    /// addition to the permissions that the user has been granted in this scope before.
    ///
    /// See [`grant`](Self::grant) for an example and for the errors.
    pub async fn grant_more(
        &self,
        user: &str,
        scope: &PermissionScope,
        permissions: impl IntoIterator<Item = Permission>,
    ) -> Result<()> {
        self.change_permissions("grant", user, scope, permissions, true).await
    }

    async fn change_permissions(
        &self,
        name: &'static str,
        user: &str,
        scope: &PermissionScope,
        permissions: impl IntoIterator<Item = Permission>,
        merge: bool,
    ) -> Result<()> {
        let permissions: Vec<Permission> = permissions.into_iter().collect();
        if permissions.is_empty() {
            let text =
                "nothing is to be permitted; to take everything away, call `HBaseAdmin::revoke`";
            return Err(Error::invalid(text).with_operation_if_unset(name));
        }
        let user_permission = user_permission(user, scope, &permissions);
        let request =
            proto::GrantRequest { user_permission, merge_existing_permissions: Some(merge) };
        self.ask::<Grant>(name, scope, request).await.map(drop)
    }

    /// Revokes all permissions of a user in a scope.
    ///
    /// See [`grant`](Self::grant) for an example and for the errors.
    pub async fn revoke(&self, user: &str, scope: &PermissionScope) -> Result<()> {
        let request = proto::RevokeRequest { user_permission: user_permission(user, scope, &[]) };
        self.ask::<Revoke>("revoke", scope, request).await.map(drop)
    }

    /// Returns the permissions of all users in a scope. Permissions in wider scopes are not listed,
    /// and superusers (`hbase.superuser`) only in the scope of the whole cluster.
    ///
    /// See [`grant`](Self::grant) for an example and for the errors.
    pub async fn list_permissions(&self, scope: &PermissionScope) -> Result<Vec<UserPermissions>> {
        let mut request = proto::GetUserPermissionsRequest::default();
        match &scope.0 {
            Scope::Global => request.r#type = Some(PermissionType::Global as i32),
            Scope::Namespace(name) => {
                request.r#type = Some(PermissionType::Namespace as i32);
                request.namespace_name = Some(name.clone().into());
            }
            Scope::Table { table, family, qualifier } => {
                request.r#type = Some(PermissionType::Table as i32);
                request.table_name = Some(to_message(table));
                request.column_family = family.clone();
                request.column_qualifier = qualifier.clone();
            }
        }
        let answer = self.ask::<GetUserPermissions>("list permissions", scope, request).await?;
        let found = answer.user_permission.into_iter();
        let found = found.map(|found| {
            let user = String::from_utf8_lossy(&found.user).into_owned();
            let (scope, permissions) = PermissionScope::from_message(found.permission)?;
            Ok(UserPermissions { user, scope, permissions })
        });
        found.collect()
    }

    /// Returns whether a user has all of these permissions in a scope, whether as a superuser, as a
    /// member of a group, or by permissions in a wider scope.
    ///
    /// See [`grant`](Self::grant) for an example and for the errors.
    pub async fn has_permissions(
        &self,
        user: &str,
        scope: &PermissionScope,
        permissions: impl IntoIterator<Item = Permission>,
    ) -> Result<bool> {
        let permissions: Vec<Permission> = permissions.into_iter().collect();
        let request = proto::HasUserPermissionsRequest {
            user_name: Some(user.to_owned().into()),
            permission: vec![scope.message(&permissions)],
        };
        let answer = self.ask::<HasUserPermissions>("has permissions", scope, request).await?;
        let has = answer.has_user_permission;
        Ok(!has.is_empty() && has.into_iter().all(|has| has))
    }

    /// Calls a method of the master with a request about a scope.
    async fn ask<M: Method>(
        &self,
        name: &'static str,
        scope: &PermissionScope,
        request: M::Request,
    ) -> Result<M::Response> {
        let table = match &scope.0 {
            Scope::Table { table, .. } => Some(table),
            Scope::Global | Scope::Namespace(_) => None,
        };
        let answer = self.call::<M>(name, table, request).await;
        answer.map_err(|error| match reaction::refusal(&error) {
            Some(Refusal::NoAccessControl) => error.into_kind_with_context(
                ErrorKind::Unsupported,
                "the cluster has no access control: the coprocessor AccessController is not loaded (hbase.coprocessor.master.classes)",
            ),
            _ => error,
        })
    }
}

fn user_permission(
    user: &str,
    scope: &PermissionScope,
    permissions: &[Permission],
) -> proto::UserPermission {
    let permission = scope.message(permissions);
    proto::UserPermission { user: user.to_owned().into(), permission }
}
