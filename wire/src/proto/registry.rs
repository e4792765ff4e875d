//! `Registry.proto`: the ClientMetaService, and the response to the `Regist` preamble.
use super::{RegionLocation, ServerName};

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetClusterIdRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetClusterIdResponse {
    #[prost(string, optional, tag = "1")]
    pub cluster_id: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetActiveMasterRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetActiveMasterResponse {
    #[prost(message, optional, tag = "1")]
    pub server_name: Option<ServerName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetMastersRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetMastersResponseEntry {
    #[prost(message, required, tag = "1")]
    pub server_name: ServerName,
    #[prost(bool, required, tag = "2")]
    pub is_active: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetMastersResponse {
    #[prost(message, repeated, tag = "1")]
    pub master_servers: Vec<GetMastersResponseEntry>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetMetaRegionLocationsRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetMetaRegionLocationsResponse {
    #[prost(message, repeated, tag = "1")]
    pub meta_locations: Vec<RegionLocation>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetBootstrapNodesRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetBootstrapNodesResponse {
    #[prost(message, repeated, tag = "1")]
    pub server_name: Vec<ServerName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetConnectionRegistryRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetConnectionRegistryResponse {
    #[prost(string, required, tag = "1")]
    pub cluster_id: String,
}
