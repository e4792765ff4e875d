//! TLS between the client and the servers (HBase 2.6: `hbase.client.netty.tls.enabled`), with
//! rustls.

mod files;
mod handshake;
#[cfg(feature = "java-keystores")]
mod java;
mod key_and_chain;
mod offer;
mod password;
mod refusal;
mod settings;
mod store;
mod verifier;

pub use settings::Tls;
