//! Packets that no client sends.

use tallrow_wire::zookeeper::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Session, cluster, dial, exists, get_children, get_data};

#[tokio::test(start_paused = true)]
async fn what_is_malformed_is_refused_or_closes_the_connection() {
    let cluster = cluster().await;
    // A path that exceeds its packet, and none.
    for body in [&b"\0\0"[..], b"\xff\xff\xff\xff\0", b"\0\0\0\x07/hbase\0"] {
        let mut session = Session::open(&cluster).await;
        let header = [&1i32.to_be_bytes()[..], &4i32.to_be_bytes()].concat();
        let len = (header.len() + body.len()) as u32;
        let packet = [&len.to_be_bytes()[..], &header, body].concat();
        session.stream.write_all(&packet).await.unwrap();
        assert_eq!(session.receive().await.unwrap().code, MARSHALLING_ERROR, "{body:?}");
        session.ask(&Operation::Ping).await.unwrap();
    }
    for packet in [
        &b"\0\0\0\0"[..],
        b"\0\0\0\x02\0\0",
        b"\xff\xff\xff\xfb",
        b"\0\x10\0\0",
        b"\x7f\xff\xff\xff",
    ] {
        let mut session = Session::open(&cluster).await;
        session.stream.write_all(packet).await.unwrap();
        assert!(session.receive().await.is_none(), "{packet:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_damaged_packet_stops_the_server() {
    let cluster = cluster().await;
    let connect = ConnectRequest::for_new_session(10_000).encode();
    let watches = WatchList {
        last_zxid_seen: 1,
        data: vec!["/hbase/master".into(), "/hbase".into()],
        missing: vec!["/none".into()],
        children: vec!["/hbase/rs".into()],
    };
    let requests = [
        exists("/hbase/master", true),
        get_data("/hbase/hbaseid", true),
        get_children("/hbase", true),
        Operation::SetWatches(watches),
        Operation::Auth,
        Operation::Close,
    ];
    let mut state = 1u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for round in 0..3_000 {
        let mut packet = match round % 7 {
            6 => connect.to_vec(),
            n => requests[n].encode(1).to_vec(),
        };
        for _ in 0..1 + random() % 4 {
            let at = random() % packet.len();
            packet[at] = random() as u8;
        }
        packet.truncate(1 + random() % packet.len());
        let mut stream = dial(&cluster);
        if round % 7 < 6 {
            stream.write_all(&connect).await.unwrap();
        }
        stream.write_all(&packet).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
    }
    let mut session = Session::open(&cluster).await;
    assert_eq!(session.children("/hbase/rs").await.len(), 2);
}
