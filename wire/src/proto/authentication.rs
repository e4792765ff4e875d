//! `Authentication.proto`: the service of `TokenProvider`, a coprocessor of the regions of a
//! secured cluster.

use bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub struct Token {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub identifier: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub password: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub service: Option<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetAuthenticationTokenRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetAuthenticationTokenResponse {
    #[prost(message, optional, tag = "1")]
    pub token: Option<Token>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct WhoAmIRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct WhoAmIResponse {
    #[prost(string, optional, tag = "1")]
    pub username: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub auth_method: Option<String>,
}
