//! `MultiRowMutation.proto`: changes of several rows of a region.

use super::{MutationProto, RegionSpecifier};

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
}
