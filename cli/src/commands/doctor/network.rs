//! Checks whether names resolve, whether their ports are open, and what kind of server answers.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::address::ExpectedServer;
use super::probe::{ProbeAnswer, probe};
use super::report::Report;

/// The timeout for opening a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Checks each host of an address; returns whether at least one of them is the expected kind of
/// server.
pub(super) async fn check(
    hosts: &[String],
    expected: ExpectedServer,
    has_tls: bool,
    report: &mut Report,
) -> bool {
    let mut is_any = false;
    for host in hosts {
        if let Some(socket) = reach(host, report).await {
            is_any |= answers(host, socket, expected, has_tls, report).await;
        }
    }
    is_any
}

/// Checks whether a host name resolves and whether its port is open; returns the first socket
/// address that accepts a connection.
pub(super) async fn reach(host: &str, report: &mut Report) -> Option<SocketAddr> {
    // The resolver expects an IPv6 address without brackets, and understands a zone in the address.
    let resolved = match host.rsplit_once(':') {
        Some((name, port)) => {
            let name = name.trim_start_matches('[').trim_end_matches(']');
            lookup_host((name, port.parse().unwrap_or(0))).await.map(Vec::from_iter)
        }
        None => lookup_host(host).await.map(Vec::from_iter),
    };
    let sockets: Vec<SocketAddr> = match resolved {
        Ok(sockets) => sockets,
        Err(error) => {
            let next = "check the spelling, DNS and /etc/hosts of this machine; inside Docker or \
                        Kubernetes, names of the cluster may be known there only";
            report.add_failed("name", host, error.to_string(), next.into());
            return None;
        }
    };
    let ips: Vec<String> = sockets.iter().map(|socket| socket.ip().to_string()).collect();
    report.add_passed("name", host, ips.join(", "));
    let mut problem = None;
    for socket in sockets {
        match timeout(PATIENCE, TcpStream::connect(socket)).await {
            Ok(Ok(_)) => {
                report.add_passed("port", host, format!("{socket} accepts connections"));
                return Some(socket);
            }
            Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused => {
                let next = "nothing listens there: is the server running, is it the right port, \
                            and does it listen on this address and not on localhost only?";
                problem = Some((error.to_string(), next));
            }
            Ok(Err(error)) => {
                problem =
                    Some((error.to_string(), "check the network between this machine and the host"))
            }
            Err(_) => {
                let found = format!("no answer within {} s", PATIENCE.as_secs());
                problem = Some((
                    found,
                    "a firewall or a security group may drop the packets; check the address and \
                     its rules",
                ));
            }
        }
    }
    let (found, next) = problem.unwrap_or_else(|| ("the name has no address".into(), "check DNS"));
    report.add_failed("port", host, found, next.into());
    None
}

/// Checks what kind of server answers at a port; returns whether it is the expected kind.
async fn answers(
    host: &str,
    socket: SocketAddr,
    expected: ExpectedServer,
    has_tls: bool,
    report: &mut Report,
) -> bool {
    let (found, next) = match (probe(socket).await, expected) {
        (ProbeAnswer::ZooKeeper(text), ExpectedServer::ZooKeeper) => {
            report.add_passed("protocol", host, text);
            return true;
        }
        (ProbeAnswer::HBase, ExpectedServer::HBase) => {
            report.add_passed("protocol", host, "HBase's RPC".into());
            return true;
        }
        (ProbeAnswer::Tls, ExpectedServer::HBase) if has_tls => {
            report.add_passed("protocol", host, "TLS".into());
            return true;
        }
        (ProbeAnswer::ZooKeeper(text), ExpectedServer::HBase) => {
            (text, format!("this is ZooKeeper: use hbase+zk://{host}"))
        }
        (ProbeAnswer::HBase, ExpectedServer::ZooKeeper) => {
            ("HBase's RPC".into(), format!("this is a server of HBase: use hbase+rpc://{host}"))
        }
        (ProbeAnswer::Http, _) => (
            "HTTP".into(),
            "this is a web page or a REST server; masters listen on 16000, region servers on \
             16020, ZooKeeper on 2181"
                .into(),
        ),
        (ProbeAnswer::Tls, _) => (
            "TLS".into(),
            "if this is HBase with TLS, give --config with its hbase-site.xml, or add ?tls=true \
             and hbase.rpc.tls.truststore.location to the URL; it takes a tallrow built with \
             --features tls"
                .into(),
        ),
        (ProbeAnswer::Other(bytes), _) => {
            let shown = tallrow::key::show::shell(bytes.get(..60).unwrap_or(&bytes)).to_string();
            (format!("an unknown protocol, which starts with {shown}"), "check the port".into())
        }
        (ProbeAnswer::Nothing, _) => (
            "it accepts connections and answers nothing".into(),
            "the server may be starting, stuck or overloaded, or a proxy without a server behind \
             it: look at its log"
                .into(),
        ),
    };
    report.add_failed("protocol", host, found, next);
    false
}
