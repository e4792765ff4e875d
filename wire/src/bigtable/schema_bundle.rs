//! Schema bundles of tables: the definitions of messages and enums that queries use, and the calls
//! that make, change and delete them.

use bytes::Bytes;

use super::FieldMask;

/// Definitions that queries on a table can use, under one name.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct SchemaBundle {
    /// `projects/P/instances/I/tables/T/schemaBundles/B`.
    #[prost(string, tag = "1")]
    pub name: String,
    /// What the bundle is made of; it has no kind if its kind is not used here.
    #[prost(oneof = "SchemaBundleKind", tags = "2")]
    pub r#type: Option<SchemaBundleKind>,
    /// Changes with every change of the bundle. A change that names another one is refused.
    #[prost(string, tag = "3")]
    pub etag: String,
}

#[doc(alias = "SchemaBundle.type")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum SchemaBundleKind {
    #[prost(message, tag = "2")]
    ProtoSchema(ProtoDefinitions),
}

/// Definitions in the language of Protocol Buffers.
#[doc(alias = "ProtoSchema")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ProtoDefinitions {
    /// An encoded `google.protobuf.FileDescriptorSet`, with all files that its files import.
    #[prost(bytes = "bytes", tag = "2")]
    pub proto_descriptors: Bytes,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CreateSchemaBundleRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub schema_bundle_id: String,
    #[prost(message, optional, tag = "3")]
    pub schema_bundle: Option<SchemaBundle>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateSchemaBundleRequest {
    #[prost(message, optional, tag = "1")]
    pub schema_bundle: Option<SchemaBundle>,
    /// The fields that change; `*` is all of them, and no field those that are set.
    #[prost(message, optional, tag = "2")]
    pub update_mask: Option<FieldMask>,
    /// Whether changes are made by which what was written before may not be readable any more.
    #[prost(bool, tag = "3")]
    pub ignore_warnings: bool,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GetSchemaBundleRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListSchemaBundlesRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(int32, tag = "2")]
    pub page_size: i32,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListSchemaBundlesResponse {
    #[prost(message, repeated, tag = "1")]
    pub schema_bundles: Vec<SchemaBundle>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct DeleteSchemaBundleRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub etag: String,
}
