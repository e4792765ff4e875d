//! The ports of the servers, and the id of the cluster.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_wire::proto::{GetClusterIdRequest, GetClusterIdResponse};

use super::Folder;
use crate::frames::Frames;
use crate::own_loopback::{free_ports, own_loopbacks};

fn builder(folder: &Folder, ip: Ipv4Addr) -> MockClusterBuilder {
    MockCluster::builder().servers(2).listen(ip.into()).zookeeper_port(0).data(&folder.0)
}

/// The addresses of the master, ZooKeeper and the region servers.
fn addresses(of: &MockCluster) -> Vec<SocketAddr> {
    let servers = (0..).map_while(|number| of.server_address(number));
    [of.rpc_address(), of.zookeeper_address().unwrap()].into_iter().chain(servers).collect()
}

async fn id(cluster: &MockCluster) -> String {
    let mut client = Frames::open(cluster, cluster.rpc_address(), "ClientMetaService").await;
    let answer =
        client.call::<GetClusterIdResponse>("GetClusterId", &GetClusterIdRequest {}).await.unwrap();
    answer.0.cluster_id.unwrap()
}

#[tokio::test]
async fn servers_listen_on_the_same_ports_after_a_restart() {
    let folder = Folder::new();
    let builder = || builder(&folder, own_loopbacks()[0]);
    let cluster = builder().start().await.unwrap();
    // The ports of servers that start later are kept too.
    cluster.start_server().unwrap();
    let backup = cluster.start_master().unwrap();
    let (before, id_before) = (addresses(&cluster), id(&cluster).await);
    cluster.shutdown().await;

    let again = builder().seed(9).start().await.unwrap();
    again.start_server().unwrap();
    assert_eq!((again.start_master().unwrap(), addresses(&again)), (backup, before.clone()));
    assert_eq!((again.changed_ports(), id(&again).await), (Vec::new(), id_before));
    again.shutdown().await;

    // A port that somebody has is replaced by another one, which is kept from then on.
    let taken = TcpListener::bind(before[2]).unwrap();
    let moved = builder().start().await.unwrap();
    let now = addresses(&moved);
    assert_eq!((now[0], now[1], now[3]), (before[0], before[1], before[3]));
    let changed = moved.changed_ports();
    assert_eq!(changed.len(), 1);
    let (old, new) = (before[2].port(), now[2].port());
    assert_eq!(
        changed[0].to_string(),
        format!(
            "server 0 listens on port {new}, because another program has port {old}, on which it \
             was before; clients and configurations with that port do not find it"
        )
    );
    moved.shutdown().await;
    drop(taken);
    let last = builder().start().await.unwrap();
    assert_eq!((addresses(&last), last.changed_ports()), (now, Vec::new()));
}

#[tokio::test]
async fn a_port_that_is_asked_for_is_taken() {
    let (folder, ip) = (Folder::new(), *own_loopbacks().last().unwrap());
    let builder = || builder(&folder, ip);
    let cluster = builder().start().await.unwrap();
    let before = cluster.rpc_address();
    // None of the ports that the cluster has.
    let [port] = free_ports(ip);
    cluster.shutdown().await;
    let other = builder().rpc_port(port).start().await.unwrap();
    let at = SocketAddr::from((ip, port));
    assert_eq!((other.rpc_address(), other.changed_ports()), (at, Vec::new()));
    other.shutdown().await;
    let taken = TcpListener::bind(before).unwrap();
    let error = builder().rpc_port(before.port()).start().await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    drop(taken);
}
