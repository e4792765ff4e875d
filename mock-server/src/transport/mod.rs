//! HBase's RPC and Bigtable's gRPC over byte streams: listeners, connections, and the dispatch of
//! calls to their methods.

#[cfg(feature = "bigtable")]
pub(crate) mod grpc;
pub(crate) mod hbase;
mod network;
mod rpc_server;

pub(crate) use network::{Endpoint, Network};
pub(crate) use rpc_server::{RecordedCalls, RpcServer};
