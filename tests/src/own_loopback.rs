//! Addresses of the loopback network for one process, so that their ports are its own.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// Addresses of the loopback network that no other running test program uses: three on Linux.
/// Other systems have 127.0.0.1 only, which is then the only one.
///
/// A client that outlives its servers may ask at their ports again. On 127.0.0.1, another test or a
/// connection may have such a port by then. On these addresses, a port stays free until this
/// program binds it again.
pub fn own_loopbacks() -> Vec<Ipv4Addr> {
    if !cfg!(target_os = "linux") {
        return vec![Ipv4Addr::LOCALHOST];
    }
    // The id of the process has at most 22 bits; two are left of those after 127.
    let id = std::process::id() & 0x003f_ffff;
    (1..4).map(|number| Ipv4Addr::from(0x7f00_0000 | number << 22 | id)).collect()
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
