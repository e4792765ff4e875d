//! ZooKeeper's protocol, over connections in memory: what a real ZooKeeper 3.8.4 and HBase 2.6.4
//! answered to the same packets.

mod malformed;
mod sessions;
mod watches;
mod znodes;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tallrow_mock::MockCluster;
use tallrow_wire::frame;
use tallrow_wire::zookeeper::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

async fn cluster() -> MockCluster {
    MockCluster::builder().in_memory().zookeeper_port(0).start().await.unwrap()
}

fn dial(cluster: &MockCluster) -> DuplexStream {
    let at = cluster.zookeeper_address().unwrap();
    assert_eq!(at.port(), 2181);
    cluster.dial("127.0.0.1", at.port()).unwrap()
}

/// A connection with a session.
struct Session {
    stream: DuplexStream,
    read: BytesMut,
    opened: ConnectResponse,
    next_xid: i32,
}

impl Session {
    async fn open(cluster: &MockCluster) -> Self {
        Self::with(cluster, &ConnectRequest::for_new_session(10_000)).await.unwrap()
    }

    /// Opens or continues a session; none if it is refused, and the connection is then closed.
    async fn with(cluster: &MockCluster, request: &ConnectRequest) -> Option<Self> {
        let mut stream = dial(cluster);
        stream.write_all(&request.encode()).await.unwrap();
        let mut read = BytesMut::new();
        let packet = receive(&mut stream, &mut read).await.unwrap();
        let opened = ConnectResponse::decode(packet.clone());
        match opened {
            Ok(opened) => Some(Self { stream, read, opened, next_xid: 0 }),
            Err(_) => {
                assert_eq!(packet, ConnectResponse::refusal(request.read_only).encode().slice(4..));
                assert!(receive(&mut stream, &mut read).await.is_none());
                None
            }
        }
    }

    /// What continues this session.
    fn again(&self) -> ConnectRequest {
        ConnectRequest {
            session_id: self.opened.session_id,
            password: self.opened.password.clone(),
            ..ConnectRequest::for_new_session(10_000)
        }
    }

    /// The next packet; none if the connection closes.
    async fn receive(&mut self) -> Option<Reply> {
        let packet = receive(&mut self.stream, &mut self.read).await?;
        Some(Reply::decode(packet).unwrap())
    }

    async fn send(&mut self, operation: &Operation) -> i32 {
        self.next_xid += 1;
        self.stream.write_all(&operation.encode(self.next_xid)).await.unwrap();
        self.next_xid
    }

    /// The answer to a request, or its error code.
    async fn ask(&mut self, operation: &Operation) -> Result<Answer, i32> {
        let xid = self.send(operation).await;
        let reply = self.receive().await.expect("a reply");
        assert_eq!(reply.xid, xid);
        match reply.code {
            0 => Ok(reply.answer(operation).unwrap()),
            code => Err(code),
        }
    }

    async fn stat(&mut self, path: &str) -> Result<Stat, i32> {
        match self.ask(&exists(path, false)).await? {
            Answer::Stat(stat) => Ok(stat),
            other => panic!("{other:?}"),
        }
    }

    async fn data(&mut self, path: &str) -> Bytes {
        match self.ask(&get_data(path, false)).await.unwrap() {
            Answer::Data(data, stat) => {
                assert_eq!(stat.data_length, data.len() as i32);
                data
            }
            other => panic!("{other:?}"),
        }
    }

    async fn message<M: Message + Default>(&mut self, path: &str) -> M {
        let data = self.data(path).await;
        assert_eq!(data.first(), Some(&0xFF), "{path}");
        M::decode(strip_znode_prefix(data).unwrap()).unwrap()
    }

    async fn children(&mut self, path: &str) -> Vec<String> {
        let asked = Operation::GetChildren { path: path.into(), watch: false, with_stat: true };
        match self.ask(&asked).await.unwrap() {
            Answer::Children(names, Some(stat)) => {
                assert_eq!(stat.num_children, names.len() as i32);
                names
            }
            other => panic!("{other:?}"),
        }
    }

    async fn event(&mut self) -> WatchEvent {
        let reply = self.receive().await.expect("an event");
        assert_eq!((reply.xid, reply.zxid, reply.code), (EVENT_XID, -1, 0));
        reply.event().unwrap()
    }
}

async fn receive(stream: &mut DuplexStream, read: &mut BytesMut) -> Option<Bytes> {
    loop {
        if let Some(packet) = frame::split(read, MAX_PACKET).unwrap() {
            return Some(packet);
        }
        if stream.read_buf(read).await.unwrap() == 0 {
            return None;
        }
    }
}

fn exists(path: &str, watch: bool) -> Operation {
    Operation::Exists { path: path.into(), watch }
}

fn get_data(path: &str, watch: bool) -> Operation {
    Operation::GetData { path: path.into(), watch }
}

fn get_children(path: &str, watch: bool) -> Operation {
    Operation::GetChildren { path: path.into(), watch, with_stat: false }
}
