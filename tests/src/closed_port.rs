//! A port where nothing listens, for tests of servers that are not there.

use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// A port that nothing listens at, and that nothing else gets while the socket is there.
pub fn closed_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}
