//! Accepting connections.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::cluster::Cluster;
use crate::connection;
use crate::server::Server;

/// Binds a port, any free one for 0. Call it inside a runtime.
pub(crate) fn bind(ip: IpAddr, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind((ip, port))?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves every connection of a server, until the server is killed; then they all close.
pub(crate) fn listen(cluster: &Arc<Cluster>, server: &Arc<Server>, listener: TcpListener) {
    let (cluster, owner) = (Arc::clone(cluster), Arc::clone(server));
    let task = tokio::spawn(async move {
        loop {
            // A connection that broke before it was accepted is nobody's trouble; being out of descriptors passes.
            let Ok((stream, from)) = listener.accept().await else {
                tokio::task::yield_now().await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let (cluster, owner) = (Arc::clone(&cluster), Arc::clone(&owner));
            tokio::spawn(connection::serve(cluster, owner, stream, from.to_string()));
        }
    });
    server.listens_with(task);
}
