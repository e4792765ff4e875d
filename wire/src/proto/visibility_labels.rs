//! `VisibilityLabels.proto`: the service of `VisibilityController`, a coprocessor of the regions of
//! `hbase:labels`.

use bytes::Bytes;

use super::RegionActionResult;

#[derive(Clone, PartialEq, prost::Message)]
pub struct VisibilityLabel {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub label: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct VisibilityLabelsRequest {
    #[prost(message, repeated, tag = "1")]
    pub vis_label: Vec<VisibilityLabel>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct VisibilityLabelsResponse {
    #[prost(message, repeated, tag = "1")]
    pub result: Vec<RegionActionResult>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetAuthsRequest {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub user: Bytes,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub auth: Vec<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetAuthsRequest {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub user: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetAuthsResponse {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub user: Bytes,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub auth: Vec<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListLabelsRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListLabelsResponse {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub label: Vec<Bytes>,
}
