//! `Tracing.proto`: the trace that a call belongs to.

use std::collections::BTreeMap;

#[derive(Clone, PartialEq, prost::Message)]
pub struct RPCTInfo {
    #[prost(btree_map = "string, string", tag = "3")]
    pub headers: BTreeMap<String, String>,
}
