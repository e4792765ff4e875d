//! HBase's RPC, and gRPC, over byte streams: listeners, connections, and the dispatch of calls to their methods.

mod call_counts;
mod connection;
mod dispatch;
#[cfg(feature = "bigtable")]
pub(crate) mod grpc;
mod network;
mod outbox;
mod rpc_server;

pub(crate) use call_counts::CallCounts;
pub(crate) use connection::serve;
pub(crate) use network::{Endpoint, Network};
pub(crate) use rpc_server::RpcServer;
