//! The location of a region: its name and keys, its server and the servers of its secondary
//! replicas, stored in little memory.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

use crate::model::hosts::{join, split};
use crate::wire::meta::RegionRow;
use crate::wire::proto::{RegionInfo, ServerName};
use crate::wire::region;
use crate::{Error, Result};

/// A region, the server that holds it, and the servers of its secondary replicas.
///
/// A client of a large cluster keeps hundreds of thousands of locations: a region without replicas
/// takes this struct and one allocation of its own.
#[derive(Clone)]
pub(crate) struct Location {
    /// The full region name, followed by the end key, and by the start key if the name does not
    /// contain it.
    bytes: Bytes,
    // Names and keys are row keys, which are shorter than 32 KiB.
    name_len: u16,
    end_len: u16,
    start_at: u16,
    start_len: u16,
    server: Arc<Server>,
    /// The sequence number: of two locations of a region, the one with the higher number is the
    /// newer.
    pub(crate) sequence: u64,
    /// The secondary replicas of the region and their servers, if there are any.
    replicas: Option<Arc<Vec<Replica>>>,
}

/// A secondary replica of a region and the server that holds it.
#[derive(Clone)]
pub(crate) struct Replica {
    /// The number of the replica, from 1: the primary replica is 0.
    pub(crate) id: u16,
    pub(crate) server: Arc<Server>,
}

/// A region server, shared by all locations on it: once the server is gone, none of these locations
/// is valid.
pub(crate) struct Server {
    /// `host:port`
    pub(crate) address: Arc<str>,
    /// When the server started; a server that is started later at the same address has another
    /// start code.
    pub(crate) start_code: u64,
    is_gone: AtomicBool,
}

impl Server {
    pub(crate) fn new(address: Arc<str>, start_code: u64) -> Arc<Self> {
        Arc::new(Self { address, start_code, is_gone: AtomicBool::new(false) })
    }

    /// Whether the server was found to be gone. The flag is set under the lock of the cache.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    pub(crate) fn set_gone(&self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }

    /// The server in the form in which messages name it.
    pub(crate) fn name(&self) -> ServerName {
        let (host, port) = split(&self.address);
        ServerName {
            host_name: host.to_owned(),
            port: port.map(u32::from),
            start_code: Some(self.start_code),
        }
    }
}

impl Location {
    /// Makes the location of a region from its full name and its start and end keys.
    pub(crate) fn new(
        name: &[u8],
        (start, end): (&[u8], &[u8]),
        server: Arc<Server>,
        sequence: u64,
    ) -> Self {
        // The name is `table,start,..`.
        let in_name = name.iter().position(|b| *b == b',').map(|comma| comma + 1);
        let in_name = in_name.filter(|at| name.get(*at..).is_some_and(|n| n.starts_with(start)));
        let rest = if in_name.is_none() { start } else { &[] };
        let short = |len: usize| u16::try_from(len).unwrap_or(u16::MAX);
        Self {
            bytes: [name, end, rest].concat().into(),
            name_len: short(name.len()),
            end_len: short(end.len()),
            start_at: short(in_name.unwrap_or(name.len() + end.len())),
            start_len: short(start.len()),
            server,
            sequence,
            replicas: None,
        }
    }

    /// Returns the location in a row of `hbase:meta`; `None` while the region has no server.
    pub(crate) fn from_row(row: &RegionRow) -> Option<Self> {
        let start = row.info.start_key.as_deref().unwrap_or_default();
        let end = row.info.end_key.as_deref().unwrap_or_default();
        let server = |name| Server::new(address(name), name.start_code.unwrap_or(0));
        let replicas: Vec<_> = row
            .replicas
            .iter()
            .map(|(id, name)| Replica { id: *id, server: server(name) })
            .collect();
        let replicas = (!replicas.is_empty()).then(|| Arc::new(replicas));
        let primary = server(row.server.as_ref()?);
        Some(Self { replicas, ..Self::new(&row.name, (start, end), primary, row.sequence) })
    }

    /// The secondary replicas of the region, with their servers.
    pub(crate) fn replicas(&self) -> &[Replica] {
        self.replicas.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The location of the secondary replica with this id, if there is one.
    pub(crate) fn replica(&self, id: u16) -> Option<Self> {
        self.of_replica(self.replicas().iter().find(|replica| replica.id == id)?)
    }

    /// The location of a secondary replica of the region; the replica is a region with a name of
    /// its own.
    pub(crate) fn of_replica(&self, replica: &Replica) -> Option<Self> {
        let name = region::name_of_replica(self.name(), replica.id).ok()?;
        Some(Self::new(&name, (self.start(), self.end()), replica.server.clone(), self.sequence))
    }

    /// The location of the same region on `server`, with the sequence number `sequence`.
    pub(crate) fn moved_to(&self, server: Arc<Server>, sequence: u64) -> Self {
        Self { server, sequence, ..self.clone() }
    }

    /// Replaces the servers of the region and of its replicas. `shared` returns the new server for
    /// an address and a start code, so that all locations on the same server share one `Server`.
    pub(crate) fn with_shared_servers(
        self,
        mut shared: impl FnMut(&Arc<str>, u64) -> Arc<Server>,
    ) -> Self {
        let mut of = |server: &Server| shared(&server.address, server.start_code);
        let server = of(&self.server);
        let replicas = self.replicas.as_ref().map(|replicas| {
            let shared = replicas.iter().map(|r| Replica { id: r.id, server: of(&r.server) });
            Arc::new(shared.collect())
        });
        Self { server, replicas, ..self }
    }

    /// The full region name.
    pub(crate) fn name_bytes(&self) -> Bytes {
        self.bytes.slice_ref(self.name())
    }

    /// The full region name, borrowed.
    pub(crate) fn name(&self) -> &[u8] {
        self.part(0..self.name_len)
    }

    /// The start key, inclusive; empty for the first region.
    pub(crate) fn start(&self) -> &[u8] {
        self.part(self.start_at..self.start_at.saturating_add(self.start_len))
    }

    /// The end key, exclusive; empty for the last region.
    pub(crate) fn end(&self) -> &[u8] {
        self.part(self.name_len..self.name_len.saturating_add(self.end_len))
    }

    /// The start key, as bytes that share the memory of the location.
    pub(crate) fn start_key_bytes(&self) -> Bytes {
        self.bytes.slice_ref(self.start())
    }

    /// The end key, as bytes that share the memory of the location.
    pub(crate) fn end_key_bytes(&self) -> Bytes {
        self.bytes.slice_ref(self.end())
    }

    fn part(&self, range: Range<u16>) -> &[u8] {
        self.bytes.get(range.start.into()..range.end.into()).unwrap_or_default()
    }

    /// The address of the server, `host:port`.
    pub(crate) fn server_address(&self) -> &Arc<str> {
        &self.server.address
    }

    pub(crate) fn start_code(&self) -> u64 {
        self.server.start_code
    }

    /// The server in the form in which messages name it.
    pub(crate) fn server_name(&self) -> ServerName {
        self.server.name()
    }

    /// The server, which is shared by all locations on it.
    pub(crate) fn server(&self) -> &Arc<Server> {
        &self.server
    }

    pub(crate) fn contains(&self, row: &[u8]) -> bool {
        self.start() <= row && (self.end().is_empty() || row < self.end())
    }

    /// Whether the region holds the rows right before `row`; for an empty `row`, the last rows of
    /// the table.
    pub(crate) fn holds_rows_before(&self, row: &[u8]) -> bool {
        match row.is_empty() {
            true => self.end().is_empty(),
            false => self.start() < row && (self.end().is_empty() || row <= self.end()),
        }
    }

    pub(crate) fn is_on(&self, server: &str, start_code: u64) -> bool {
        *self.server.address == *server && self.server.start_code == start_code
    }
}

impl PartialEq for Location {
    fn eq(&self, other: &Self) -> bool {
        self.sequence == other.sequence
            && self.is_on(other.server_address(), other.start_code())
            && self.name() == other.name()
            && (self.start(), self.end()) == (other.start(), other.end())
    }
}

impl Eq for Location {}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} on {},{}",
            self.name().escape_ascii(),
            self.server_address(),
            self.start_code()
        )
    }
}

/// Returns the region of `hbase:meta` on `server`, in the form in which `hbase:meta` has other
/// regions, with the servers of its secondary replicas. Everything but the servers is constant.
pub(crate) fn meta_region_row(
    server: ServerName,
    replicas: impl IntoIterator<Item = (u16, ServerName)>,
) -> RegionRow {
    let info = RegionInfo {
        region_id: 1,
        table_name: region::parse_table_name(b"hbase:meta"),
        ..Default::default()
    };
    let name = Bytes::from_static(region::META_REGION_NAME);
    let replicas = replicas.into_iter().collect();
    RegionRow { name, info, server: Some(server), sequence: 0, replicas }
}

/// A server's address as `host:port`.
pub(crate) fn address(server: &ServerName) -> Arc<str> {
    let port = server.port.and_then(|port| u16::try_from(port).ok()).unwrap_or(0);
    join(&server.host_name, port).into()
}

/// The name of a server as HBase writes it: `host,port,start code`.
pub(crate) fn server_name(server: &ServerName) -> String {
    let (port, start_code) = (server.port.unwrap_or(0), server.start_code.unwrap_or(0));
    format!("{},{port},{start_code}", server.host_name)
}

/// Parses the name of a server as [`server_name`] writes it.
pub(crate) fn parse_server_name(text: &str) -> Option<ServerName> {
    let mut parts = text.rsplitn(3, ',');
    let start_code = parts.next()?.parse().ok()?;
    let port: u16 = parts.next()?.parse().ok()?;
    let host_name = parts.next().filter(|h| !h.is_empty())?.to_owned();
    Some(ServerName { host_name, port: Some(u32::from(port)), start_code: Some(start_code) })
}

/// Parses the name of a server that was passed to `operation`.
pub(crate) fn parse_server_name_for(operation: &'static str, name: &str) -> Result<ServerName> {
    parse_server_name(name).ok_or_else(|| {
        let text = format!("{name:?} is not a server name; write \"host,port,start code\"");
        Error::invalid(text).with_operation_if_unset(operation)
    })
}
