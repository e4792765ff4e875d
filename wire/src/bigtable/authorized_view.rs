//! Authorized views of tables: what they let through, and the calls that make, change and delete
//! them.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{FieldMask, Timestamp};

/// A part of a table that can be read and written in place of it.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct AuthorizedView {
    /// `projects/P/instances/I/tables/T/authorizedViews/V`.
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(oneof = "AuthorizedViewKind", tags = "2")]
    pub authorized_view: Option<AuthorizedViewKind>,
    /// Changes with every change of the view. A change that names another one is refused.
    #[prost(string, tag = "3")]
    pub etag: String,
    /// Whether neither the view nor its table can be deleted.
    #[prost(bool, tag = "4")]
    pub deletion_protection: bool,
}

#[doc(alias = "AuthorizedView.authorized_view")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum AuthorizedViewKind {
    #[prost(message, tag = "2")]
    SubsetView(SubsetView),
}

/// A view of the cells whose rows and columns are both in it.
#[doc(alias = "AuthorizedView.SubsetView")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct SubsetView {
    /// The prefixes of the rows; an empty one is that of every row.
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub row_prefixes: Vec<Bytes>,
    /// The columns, by family.
    #[prost(btree_map = "string, message", tag = "2")]
    pub family_subsets: BTreeMap<String, FamilySubsets>,
}

/// Columns of a family.
#[doc(alias = "AuthorizedView.FamilySubsets")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct FamilySubsets {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub qualifiers: Vec<Bytes>,
    /// An empty prefix is that of every qualifier.
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub qualifier_prefixes: Vec<Bytes>,
}

/// The parts of an authorized view that a request asks for.
#[doc(alias = "AuthorizedView.ResponseView")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum ResponseView {
    ResponseViewUnspecified = 0,
    NameOnly = 1,
    /// All but what the view lets through.
    Basic = 2,
    Full = 3,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CreateAuthorizedViewRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub authorized_view_id: String,
    #[prost(message, optional, tag = "3")]
    pub authorized_view: Option<AuthorizedView>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CreateAuthorizedViewMetadata {
    #[prost(message, optional, tag = "1")]
    pub original_request: Option<CreateAuthorizedViewRequest>,
    #[prost(message, optional, tag = "2")]
    pub request_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub finish_time: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListAuthorizedViewsRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(int32, tag = "2")]
    pub page_size: i32,
    #[prost(string, tag = "3")]
    pub page_token: String,
    #[prost(enumeration = "ResponseView", tag = "4")]
    pub view: i32,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListAuthorizedViewsResponse {
    #[prost(message, repeated, tag = "1")]
    pub authorized_views: Vec<AuthorizedView>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GetAuthorizedViewRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(enumeration = "ResponseView", tag = "2")]
    pub view: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateAuthorizedViewRequest {
    #[prost(message, optional, tag = "1")]
    pub authorized_view: Option<AuthorizedView>,
    /// The fields that change; `*` is all of them, and no field those that are set.
    #[prost(message, optional, tag = "2")]
    pub update_mask: Option<FieldMask>,
    #[prost(bool, tag = "3")]
    pub ignore_warnings: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateAuthorizedViewMetadata {
    #[prost(message, optional, tag = "1")]
    pub original_request: Option<UpdateAuthorizedViewRequest>,
    #[prost(message, optional, tag = "2")]
    pub request_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub finish_time: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct DeleteAuthorizedViewRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub etag: String,
}
