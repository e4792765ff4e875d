//! HBase's RPC, Bigtable's gRPC and ZooKeeper's protocol over byte streams: listeners, connections,
//! and the dispatch of calls to their methods.

#[cfg(feature = "bigtable")]
pub(crate) mod grpc;
pub(crate) mod hbase;
mod network;
mod outbox;
mod rpc_server;
mod transcript;
pub(crate) mod zookeeper;

pub(crate) use network::{Endpoint, Network};
pub(crate) use rpc_server::{RecordedCalls, RpcServer};
