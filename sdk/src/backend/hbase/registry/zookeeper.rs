//! The registry in ZooKeeper, which consists of a few znodes. Each znode is read in a session of
//! its own, and the session is closed after the answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

use super::answer::meta_on;
use super::ask_hosts::HostPoller;
use crate::Connector;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::{CallError, DialedStream, dial};
use crate::wire::proto::{ClusterId, Master, MetaRegionServer, RegionStateKind};
use crate::wire::zookeeper::{ConnectRequest, ConnectResponse, Operation, Reply};
use crate::wire::{WireError, frame, zookeeper};

const SESSION_MS: i32 = 10_000;

pub(crate) struct ZooKeeperRegistry {
    quorum: Vec<Arc<str>>,
    znode: String,
    hosts: HostPoller,
    connector: Connector,
    /// How long a member is not asked again after it has failed.
    failed_for: Duration,
    failed: Mutex<HashMap<Arc<str>, (Instant, CallError)>>,
}

impl ZooKeeperRegistry {
    pub(super) fn new(
        quorum: Vec<String>,
        znode: String,
        (timeout, failed_for): (Duration, Duration),
        connector: Connector,
    ) -> Self {
        let quorum = quorum.into_iter().map(Arc::from).collect();
        let hosts = HostPoller::new(timeout);
        Self { quorum, znode, hosts, connector, failed_for, failed: Mutex::default() }
    }

    pub(super) fn host_list(&self) -> Arc<str> {
        self.quorum.join(",").into()
    }

    pub(super) async fn meta_location(&self) -> Result<Location, CallError> {
        let content = self.read("meta-region-server").await?;
        let message = MetaRegionServer::decode(content)?;
        let open = message.state.is_none_or(|s| s == RegionStateKind::Open as i32);
        meta_on(message.server).filter(|_| open).ok_or_else(|| CallError::MetaNotOpen {
            why: format!(
                "znode {}/meta-region-server has no open hbase:meta, which moves, or the cluster is still starting",
                self.znode
            ),
        })
    }

    pub(super) async fn active_master(&self) -> Result<Arc<str>, CallError> {
        let content = self.read("master").await?;
        Ok(crate::backend::hbase::location::address(&Master::decode(content)?.master))
    }

    pub(super) async fn cluster_id(&self) -> Result<String, CallError> {
        Ok(ClusterId::decode(self.read("hbaseid").await?)?.cluster_id)
    }

    /// Reads the message in a znode from the first member of the quorum that answers.
    async fn read(&self, name: &str) -> Result<Bytes, CallError> {
        let path = &format!("{}/{name}", self.znode);
        let asked = self.hosts.ask(self.quorum.iter().cloned(), |member, deadline| async move {
            let content = self.ask(&member, path, deadline).await?;
            content.ok_or_else(|| CallError::Unreachable {
                why: format!(
                    "ZooKeeper at {member} has no znode {path}; is the address's path \
                     zookeeper.znode.parent, and is the cluster up?"
                ),
                refused: false,
            })
        });
        asked.await.map(|(_, content)| content)
    }

    /// Reads the message in a znode from one member; fails at once with the last error of the
    /// member if this error is more recent than `failed_for`.
    async fn ask(
        &self,
        member: &Arc<str>,
        path: &str,
        deadline: Instant,
    ) -> Result<Option<Bytes>, CallError> {
        if let Some((at, error)) = self.failed().get(member)
            && at.elapsed() < self.failed_for
        {
            return Err(error.clone());
        }
        let timeout = deadline.saturating_duration_since(Instant::now());
        let asked = async {
            match dial(&self.connector, member, timeout).await? {
                DialedStream::Tcp(tcp) => read_znode(tcp, path).await,
                DialedStream::Custom(stream) => read_znode(stream, path).await,
            }
        };
        let answer = asked.await;
        match &answer {
            Ok(_) => drop(self.failed().remove(member)),
            Err(error) => {
                drop(self.failed().insert(member.clone(), (Instant::now(), error.clone())))
            }
        }
        answer
    }

    fn failed(&self) -> MutexGuard<'_, HashMap<Arc<str>, (Instant, CallError)>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the message in a znode; `None` if there is no such znode.
async fn read_znode<S>(mut stream: S, path: &str) -> Result<Option<Bytes>, CallError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut inbox = BytesMut::new();
    let connect = ConnectRequest::for_new_session(SESSION_MS);
    send(&mut stream, &connect.encode()).await.map_err(lost)?;
    ConnectResponse::decode(packet(&mut stream, &mut inbox).await?)?;
    let read = Operation::GetData { path: path.to_owned(), watch: false };
    send(&mut stream, &read.encode(1)).await.map_err(lost)?;
    let reply = loop {
        let reply = Reply::decode(packet(&mut stream, &mut inbox).await?)?;
        if reply.xid == 1 {
            break reply;
        }
    };
    // The server ends an unclosed session by itself, so it does not matter whether this request
    // arrives.
    let _ = send(&mut stream, &Operation::Close.encode(2)).await;
    match reply.code {
        0 => Ok(Some(zookeeper::strip_znode_prefix(reply.data()?)?)),
        zookeeper::NO_NODE => Ok(None),
        code => Err(WireError::new("zookeeper reply", format!("error {code} for {path}")).into()),
    }
}

async fn packet<S: AsyncRead + Unpin>(
    stream: &mut S,
    inbox: &mut BytesMut,
) -> Result<Bytes, CallError> {
    loop {
        if let Some(packet) = frame::split(inbox, zookeeper::MAX_PACKET)? {
            return Ok(packet);
        }
        inbox.reserve(1024);
        if stream.read_buf(inbox).await.map_err(lost)? == 0 {
            let why = "it was closed without an answer; does ZooKeeper listen there?".into();
            return Err(CallError::Broken { why, sent: false });
        }
    }
}

/// Writes a packet, and flushes the stream, because the stream of a connector may still buffer a
/// part of the packet.
async fn send<S: AsyncWrite + Unpin>(stream: &mut S, packet: &[u8]) -> std::io::Result<()> {
    stream.write_all(packet).await?;
    stream.flush().await
}

fn lost(error: std::io::Error) -> CallError {
    CallError::Broken { why: error.to_string(), sent: false }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    async fn answering(with: &'static [u8]) -> Result<Option<Bytes>, CallError> {
        let (client, mut server) = tokio::io::duplex(4096);
        let peer = async move {
            server.write_all(with).await.unwrap();
            let mut all = Vec::new();
            drop(server.shutdown().await);
            drop(server.read_to_end(&mut all).await);
        };
        tokio::join!(read_znode(client, "/hbase/master"), peer).0
    }

    const CONNECTED: &[u8] =
        b"\0\0\0\x24\0\0\0\0\0\0\x17\x70\0\0\0\0\0\0\0\x01\0\0\0\x10................";

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_collects_what_it_is_given_is_flushed() {
        let (client, mut server) = tokio::io::duplex(4096);
        let asked = ConnectRequest::for_new_session(SESSION_MS).encode();
        let peer = async {
            let mut found = vec![0; asked.len()];
            server.read_exact(&mut found).await.unwrap();
            drop(server);
            found
        };
        let reading = read_znode(tokio::io::BufWriter::new(client), "/hbase/master");
        let both = async { tokio::join!(reading, peer) };
        let (_, found) = timeout(Duration::from_secs(1), both).await.unwrap();
        assert_eq!(found, asked);
    }

    #[tokio::test(start_paused = true)]
    async fn a_member_that_failed_is_not_asked_again_for_a_while() {
        let dials = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = dials.clone();
        let connector = Connector::new(move |_, _| {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            std::future::ready(Err::<tokio::net::TcpStream, _>(
                std::io::ErrorKind::ConnectionRefused.into(),
            ))
        });
        let times = (Duration::from_secs(3), Duration::from_millis(50));
        let quorum = vec!["zk1:2181".to_owned(), "zk2:2181".to_owned()];
        let registry = ZooKeeperRegistry::new(quorum, "/hbase".into(), times, connector);
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(1) {
            let error = registry.meta_location().await.unwrap_err().to_string();
            assert!(error.contains("zk1:2181: connection refused; zk2:2181"), "{error}");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let dials = dials.load(std::sync::atomic::Ordering::Relaxed);
        assert!((38..=42).contains(&dials), "{dials} of two members in a second");
    }

    #[tokio::test]
    async fn a_znode_is_read_after_a_ping_and_without_its_prefix() {
        const ANSWER: &[u8] =
            b"\0\0\0\x24\0\0\0\0\0\0\x17\x70\0\0\0\0\0\0\0\x01\0\0\0\x10................\
            \0\0\0\x10\xff\xff\xff\xfe\0\0\0\0\0\0\0\x01\0\0\0\0\
            \0\0\0\x22\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x0e\xff\0\0\0\x02idPBUFmsg";
        assert_eq!(&answering(ANSWER).await.unwrap().unwrap()[..], b"msg");
    }

    #[tokio::test]
    async fn what_is_not_zookeeper_is_an_error() {
        assert!(matches!(
            answering(b"HTTP/1.1 400 Bad Request\r\n").await,
            Err(CallError::Protocol(_))
        ));
        assert!(matches!(answering(b"").await, Err(CallError::Broken { .. })));
        assert!(matches!(answering(CONNECTED).await, Err(CallError::Broken { .. })));
    }
}
