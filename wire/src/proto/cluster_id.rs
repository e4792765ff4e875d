//! `ClusterId.proto`: the id of a cluster, as it is stored in a znode.

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClusterId {
    #[prost(string, required, tag = "1")]
    pub cluster_id: String,
}
