//! `MultiRowMutation.proto`: changes of several rows of a region.

use super::{Condition, MutationProto, RegionSpecifier};

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsRequest {
    #[prost(message, repeated, tag = "1")]
    pub mutation_request: Vec<MutationProto>,
    #[prost(uint64, optional, tag = "2")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3")]
    pub nonce: Option<u64>,
    #[prost(message, optional, tag = "4")]
    pub region: Option<RegionSpecifier>,
    #[prost(message, repeated, tag = "5")]
    pub condition: Vec<Condition>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsResponse {
    #[prost(bool, optional, tag = "1")]
    pub processed: Option<bool>,
}
