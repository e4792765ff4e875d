//! `AccessControl.proto`: the permissions of users, and the calls of the master that change them.

use bytes::Bytes;

use super::TableName;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
#[doc(alias = "Permission.Action")]
pub enum PermissionAction {
    Read = 0,
    Write = 1,
    Exec = 2,
    Create = 3,
    Admin = 4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
#[doc(alias = "Permission.Type")]
pub enum PermissionType {
    Global = 1,
    Namespace = 2,
    Table = 3,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Permission {
    #[prost(enumeration = "PermissionType", required, tag = "1")]
    pub r#type: i32,
    #[prost(message, optional, tag = "2")]
    pub global_permission: Option<GlobalPermission>,
    #[prost(message, optional, tag = "3")]
    pub namespace_permission: Option<NamespacePermission>,
    #[prost(message, optional, tag = "4")]
    pub table_permission: Option<TablePermission>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TablePermission {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub family: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub qualifier: Option<Bytes>,
    #[prost(enumeration = "PermissionAction", repeated, packed = "false", tag = "4")]
    pub action: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct NamespacePermission {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub namespace_name: Option<Bytes>,
    #[prost(enumeration = "PermissionAction", repeated, packed = "false", tag = "2")]
    pub action: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GlobalPermission {
    #[prost(enumeration = "PermissionAction", repeated, packed = "false", tag = "1")]
    pub action: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UserPermission {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub user: Bytes,
    #[prost(message, required, tag = "3")]
    pub permission: Permission,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GrantRequest {
    #[prost(message, required, tag = "1")]
    pub user_permission: UserPermission,
    #[prost(bool, optional, tag = "2", default = "false")]
    pub merge_existing_permissions: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GrantResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RevokeRequest {
    #[prost(message, required, tag = "1")]
    pub user_permission: UserPermission,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RevokeResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetUserPermissionsRequest {
    #[prost(enumeration = "PermissionType", optional, tag = "1")]
    pub r#type: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub table_name: Option<TableName>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub namespace_name: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub column_family: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub column_qualifier: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub user_name: Option<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetUserPermissionsResponse {
    #[prost(message, repeated, tag = "1")]
    pub user_permission: Vec<UserPermission>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HasUserPermissionsRequest {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub user_name: Option<Bytes>,
    #[prost(message, repeated, tag = "2")]
    pub permission: Vec<Permission>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HasUserPermissionsResponse {
    #[prost(bool, repeated, packed = "false", tag = "1")]
    pub has_user_permission: Vec<bool>,
}
