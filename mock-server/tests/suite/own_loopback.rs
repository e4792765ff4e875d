//! Addresses of the loopback network for one process.

use std::net::Ipv4Addr;

/// An address that no other running test program uses, one for each number from 1 to 3; on systems
/// other than Linux, 127.0.0.1.
///
/// On 127.0.0.1, another test or a connection may take a port while no server listens on it. On
/// these addresses it stays free.
pub(crate) fn own_loopback(number: u32) -> Ipv4Addr {
    if !cfg!(target_os = "linux") {
        return Ipv4Addr::LOCALHOST;
    }
    // The id of the process has at most 22 bits; two are left of those after 127.
    Ipv4Addr::from(0x7f00_0000 | number << 22 | std::process::id() & 0x003f_ffff)
}
