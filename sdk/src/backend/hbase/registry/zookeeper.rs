//! The registry in ZooKeeper, which consists of a few znodes. Each answer is read in a session of
//! its own, and the session is closed after the answer.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

use super::answer;
use super::ask_hosts::HostPoller;
use crate::Connector;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::{CallError, DialedStream, dial};
use crate::wire::proto::{ClusterId, Master, MetaRegionServer, RegionStateKind, ServerName};
use crate::wire::zookeeper::{Answer, ConnectRequest, ConnectResponse, Operation, Reply};
use crate::wire::{WireError, frame, zookeeper};

const SESSION_MS: i32 = 10_000;
/// The znode of the primary replica of `hbase:meta`. Those of the others end with `-` and a number.
const META: &str = "meta-region-server";
/// How many secondary replicas of `hbase:meta` are remembered.
const MOST_REPLICAS: usize = 32;

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
        let read = self.read(META).await?;
        let server_in = |content: Bytes| -> Result<Option<ServerName>, CallError> {
            let message = MetaRegionServer::decode(content)?;
            let open = message.state.is_none_or(|s| s == RegionStateKind::Open as i32);
            Ok(open.then_some(message.server))
        };
        // A secondary replica whose znode cannot be read is left out.
        let secondary = read.replicas.into_iter().filter_map(|(replica, content)| {
            server_in(content).ok().flatten().map(|server| (replica, server))
        });
        let mut servers: BTreeMap<u16, ServerName> = secondary.collect();
        servers.extend(server_in(read.content)?.map(|server| (0, server)));
        answer::meta_location(servers).ok_or_else(|| CallError::MetaNotOpen {
            why: format!(
                "znode {}/meta-region-server has no open hbase:meta, which moves, or the cluster is still starting",
                self.znode
            ),
        })
    }

    pub(super) async fn active_master(&self) -> Result<Arc<str>, CallError> {
        let message = Master::decode(self.read("master").await?.content)?;
        Ok(crate::backend::hbase::location::address(&message.master))
    }

    pub(super) async fn cluster_id(&self) -> Result<String, CallError> {
        Ok(ClusterId::decode(self.read("hbaseid").await?.content)?.cluster_id)
    }

    /// Reads the message in a znode from the first member of the quorum that answers.
    async fn read(&self, name: &str) -> Result<ZnodeRead, CallError> {
        let asked = self.hosts.ask(self.quorum.iter().cloned(), |member, deadline| async move {
            let read = self.ask(&member, name, deadline).await?;
            read.ok_or_else(|| CallError::Unreachable {
                why: format!(
                    "ZooKeeper at {member} has no znode {}/{name}; is the address's path \
                     zookeeper.znode.parent, and is the cluster up?",
                    self.znode
                ),
                refused: false,
            })
        });
        asked.await.map(|(_, read)| read)
    }

    /// Reads the message in a znode from one member; fails at once with the last error of the
    /// member if this error is more recent than `failed_for`.
    async fn ask(
        &self,
        member: &Arc<str>,
        name: &str,
        deadline: Instant,
    ) -> Result<Option<ZnodeRead>, CallError> {
        if let Some((at, error)) = self.failed().get(member)
            && at.elapsed() < self.failed_for
        {
            return Err(error.clone());
        }
        let timeout = deadline.saturating_duration_since(Instant::now());
        let asked = async {
            match dial(&self.connector, member, timeout).await? {
                DialedStream::Tcp(tcp) => read_znode(tcp, &self.znode, name).await,
                DialedStream::Custom(stream) => read_znode(stream, &self.znode, name).await,
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

/// What was read of a znode.
struct ZnodeRead {
    /// The message in the znode.
    content: Bytes,
    /// The messages in the znodes of the secondary replicas, if the znode is that of `hbase:meta`.
    replicas: Vec<(u16, Bytes)>,
}

/// Reads the message in the znode `name` below `parent`; `None` if there is no such znode.
async fn read_znode<S>(stream: S, parent: &str, name: &str) -> Result<Option<ZnodeRead>, CallError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut session = Session::open(stream).await?;
    let path = format!("{parent}/{name}");
    let siblings =
        Operation::GetChildren { path: parent.to_owned(), watch: false, with_stat: false };
    let mut requests = vec![get_data(path.clone())];
    if name == META {
        // Most clusters have no replicas of `hbase:meta`. Whether there are any is asked together
        // with the rest, so that it costs no time.
        requests.push(siblings.clone());
    }
    let replies = session.ask(&requests).await?;
    let [reply, of_siblings @ ..] = &replies[..] else { return Ok(None) };
    let mut replicas = Vec::new();
    // A client that may not list the znodes knows the primary replica only.
    if let Some(listed) = of_siblings.first().filter(|listed| listed.code == 0)
        && let Answer::Children(names, _) = listed.answer(&siblings)?
    {
        let ids = names.iter().filter_map(|name| replica_of(name));
        let ids: Vec<u16> = ids.take(MOST_REPLICAS).collect();
        let requests = ids.iter().map(|id| get_data(format!("{path}-{id}")));
        let replies = session.ask(&requests.collect::<Vec<_>>()).await?;
        for (id, reply) in ids.into_iter().zip(&replies).filter(|(_, reply)| reply.code == 0) {
            let content = reply.data().and_then(zookeeper::strip_znode_prefix);
            replicas.extend(content.ok().map(|content| (id, content)));
        }
    }
    session.close().await;
    match reply.code {
        0 => {
            let content = zookeeper::strip_znode_prefix(reply.data()?)?;
            Ok(Some(ZnodeRead { content, replicas }))
        }
        zookeeper::NO_NODE => Ok(None),
        code => Err(WireError::new("zookeeper reply", format!("error {code} for {path}")).into()),
    }
}

fn get_data(path: String) -> Operation {
    Operation::GetData { path, watch: false }
}

/// Returns the number of the secondary replica of `hbase:meta` whose znode has this name.
fn replica_of(name: &str) -> Option<u16> {
    name.strip_prefix(META)?.strip_prefix('-')?.parse().ok().filter(|id| *id > 0)
}

/// A session of ZooKeeper.
struct Session<S> {
    stream: S,
    inbox: BytesMut,
    /// The number of the last request.
    xid: i32,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    async fn open(stream: S) -> Result<Self, CallError> {
        let mut session = Self { stream, inbox: BytesMut::new(), xid: 0 };
        let connect = ConnectRequest::for_new_session(SESSION_MS);
        send(&mut session.stream, &connect.encode()).await.map_err(lost)?;
        let answer = packet(&mut session.stream, &mut session.inbox).await?;
        ConnectResponse::decode(answer)?;
        Ok(session)
    }

    /// Makes requests at the same time, and returns the replies in their order.
    async fn ask(&mut self, requests: &[Operation]) -> Result<Vec<Reply>, CallError> {
        let (mut packets, first) = (Vec::new(), self.xid + 1);
        for request in requests {
            self.xid += 1;
            packets.extend_from_slice(&request.encode(self.xid));
        }
        if packets.is_empty() {
            return Ok(Vec::new());
        }
        send(&mut self.stream, &packets).await.map_err(lost)?;
        let mut replies = Vec::with_capacity(requests.len());
        while replies.len() < requests.len() {
            let reply = Reply::decode(packet(&mut self.stream, &mut self.inbox).await?)?;
            // The others are pings and events.
            if (first..=self.xid).contains(&reply.xid) {
                replies.push(reply);
            }
        }
        Ok(replies)
    }

    /// Ends the session. The server ends an unclosed session by itself, so it does not matter
    /// whether this request arrives.
    async fn close(mut self) {
        let _ = send(&mut self.stream, &Operation::Close.encode(self.xid + 1)).await;
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

    async fn answering(with: &'static [u8]) -> Result<Option<ZnodeRead>, CallError> {
        let (client, mut server) = tokio::io::duplex(4096);
        let peer = async move {
            server.write_all(with).await.unwrap();
            let mut all = Vec::new();
            drop(server.shutdown().await);
            drop(server.read_to_end(&mut all).await);
        };
        tokio::join!(read_znode(client, "/hbase", "master"), peer).0
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
        let reading = read_znode(tokio::io::BufWriter::new(client), "/hbase", "master");
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
        assert_eq!(&answering(ANSWER).await.unwrap().unwrap().content[..], b"msg");
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
