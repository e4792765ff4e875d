//! A connection to a cluster while `hbase:meta` is on no server.

use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;
use crate::Connector;
use crate::wire::proto::{MetaRegionServer, RegionStateKind, ServerName};

/// A quorum whose znode says that `hbase:meta` has this state.
async fn answer(mut stream: DuplexStream, state: RegionStateKind) -> Option<()> {
    let server = ServerName { host_name: "h".into(), port: Some(16020), start_code: Some(7) };
    let meta = MetaRegionServer { server, state: Some(state as i32), ..Default::default() };
    let znode = [&b"PBUF"[..], &meta.encode_to_vec()].concat();
    let connected = [&0_i32.to_be_bytes()[..], &10_000_i32.to_be_bytes(), &[0; 28]].concat();
    let length = u32::try_from(znode.len()).ok()?;
    let head = [&1_i32.to_be_bytes()[..], &[0; 12], &length.to_be_bytes()].concat();
    let meta_read = [&head[..], &znode[..]].concat();
    // There are no children, and so no other replicas.
    let listed = [&2_i32.to_be_bytes()[..], &[0; 12], &[0; 4]].concat();
    // The two reads come in one piece.
    let mut requests = [0; 1024];
    for packets in [vec![connected], vec![meta_read, listed]] {
        let _ = stream.read(&mut requests).await.ok()?;
        for packet in packets {
            stream.write_all(&u32::try_from(packet.len()).ok()?.to_be_bytes()).await.ok()?;
            stream.write_all(&packet).await.ok()?;
        }
    }
    stream.read(&mut requests).await.ok().map(drop)
}

#[tokio::test(start_paused = true)]
async fn a_cluster_whose_meta_moves_is_connected_to() {
    for state in [RegionStateKind::Open, RegionStateKind::Opening, RegionStateKind::Closing] {
        let connector = Connector::new(move |_: String, _: u16| {
            let (near, far) = duplex(4096);
            tokio::spawn(answer(far, state));
            std::future::ready(Ok(near))
        });
        let url = HBaseUrl::ZooKeeper { quorum: vec!["zk:2181".into()], znode: "/h".into() };
        let config = Config::new().connector(connector);
        let cluster = Cluster::connect("hbase+zk://zk/h", url, config).await;
        assert!(cluster.is_ok(), "{state:?}: {:?}", cluster.err());
    }
}
