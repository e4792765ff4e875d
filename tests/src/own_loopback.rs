//! An address of the loopback network for one process, so that its ports are its own.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// An address of the loopback network that no other running test uses.
///
/// A client that outlives its servers may ask at their ports again. If these are on 127.0.0.1, they
/// may by then belong to another test, or be the local port of a connection. The port of one's own
/// address stays free until it is bound again.
///
/// On systems that have 127.0.0.1 only, it is that.
pub fn own_loopback() -> Ipv4Addr {
    match cfg!(target_os = "linux") {
        // 127.128.0.0 and the id of the process, which has at most 22 bits.
        true => Ipv4Addr::from(0x7f80_0000 | (std::process::id() & 0x007f_ffff)),
        false => Ipv4Addr::LOCALHOST,
    }
}

/// As many different ports of an address that nothing listens at.
///
/// # Panics
/// If there are not as many.
pub fn free_ports<const COUNT: usize>(of: Ipv4Addr) -> [u16; COUNT] {
    let sockets = [(); COUNT].map(|()| {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((of, 0))).unwrap();
        socket
    });
    // They are bound together, so that they differ.
    sockets.map(|socket| socket.local_addr().unwrap().port())
}
