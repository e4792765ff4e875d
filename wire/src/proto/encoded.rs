//! The requests of `Client.proto` that carry operations, for a sender that has already encoded the operations.
//!
//! A message field and a `bytes` field are encoded alike: a tag, a length and that many bytes. Each struct here is the
//! message of the same name without `Encoded`, with `bytes` in place of some message fields, so that an operation that
//! is encoded once is not decoded again to be put in a request.
use super::RegionSpecifier;

/// [`GetRequest`](super::GetRequest) with an encoded [`Get`](super::Get).
///
/// ```
/// use prost::Message;
/// use tallrow_wire::proto::{EncodedGetRequest, Get, GetRequest, RegionSpecifier};
///
/// let region = RegionSpecifier { r#type: 1, value: "t,,1".into() };
/// let get = Get { row: "r".into(), ..Default::default() };
/// let encoded = EncodedGetRequest { region: region.clone(), get: get.encode_to_vec().into() };
/// assert_eq!(encoded.encode_to_vec(), GetRequest { region, get }.encode_to_vec());
/// ```
#[doc(alias = "GetRequest")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct EncodedGetRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub get: bytes::Bytes,
}

/// [`MutateRequest`](super::MutateRequest) with an encoded [`MutationProto`](super::MutationProto) and an encoded
/// [`Condition`](super::Condition).
#[doc(alias = "MutateRequest")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct EncodedMutateRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub mutation: bytes::Bytes,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub condition: Option<bytes::Bytes>,
    #[prost(uint64, optional, tag = "4")]
    pub nonce_group: Option<u64>,
}

/// [`Action`](super::Action) with an encoded [`MutationProto`](super::MutationProto) or [`Get`](super::Get).
#[doc(alias = "Action")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct EncodedAction {
    #[prost(uint32, optional, tag = "1")]
    pub index: Option<u32>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub mutation: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub get: Option<bytes::Bytes>,
}

/// [`RegionAction`](super::RegionAction) with encoded operations and an encoded [`Condition`](super::Condition).
#[doc(alias = "RegionAction")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct EncodedRegionAction {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bool, optional, tag = "2")]
    pub atomic: Option<bool>,
    #[prost(message, repeated, tag = "3")]
    pub action: Vec<EncodedAction>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub condition: Option<bytes::Bytes>,
}

/// [`MultiRequest`](super::MultiRequest) with encoded operations.
#[doc(alias = "MultiRequest")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct EncodedMultiRequest {
    #[prost(message, repeated, tag = "1")]
    pub region_action: Vec<EncodedRegionAction>,
    #[prost(uint64, optional, tag = "2")]
    pub nonce_group: Option<u64>,
}
