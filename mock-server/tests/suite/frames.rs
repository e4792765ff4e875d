//! A connection that writes and reads frames, and a cluster with a table.

use std::net::SocketAddr;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception::RemoteException;
use tallrow_wire::frame::{self, Response};
use tallrow_wire::preamble::{self, Auth};
use tallrow_wire::proto::*;
use tallrow_wire::region;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

/// An answer with its cells, or the exception.
pub(crate) type Answer<M> = std::result::Result<(M, Vec<Cell>), RemoteException>;

/// One connection.
pub(crate) struct Frames {
    stream: DuplexStream,
    read: BytesMut,
    next_call: u32,
}

impl Frames {
    /// Opens a connection for a service.
    pub(crate) async fn open(cluster: &MockCluster, to: SocketAddr, service: &str) -> Self {
        Self::open_as("test", cluster, to, service).await
    }

    /// Opens a connection of a user for a service.
    pub(crate) async fn open_as(
        user: &str,
        cluster: &MockCluster,
        to: SocketAddr,
        service: &str,
    ) -> Self {
        let mut stream = dial(cluster, to);
        let header = preamble::header(service, user);
        stream.write_all(&preamble::encode_with_header(Auth::Simple, &header)).await.unwrap();
        Self::over(stream)
    }

    /// A connection that is open already.
    pub(crate) fn over(stream: DuplexStream) -> Self {
        Self { stream, read: BytesMut::new(), next_call: 0 }
    }

    /// Writes a request and returns its call id.
    pub(crate) async fn send(&mut self, method: &str, param: &impl Message, cells: &[u8]) -> u32 {
        self.send_within(None, method, param, cells).await
    }

    /// Writes a request with a timeout in ms and returns its call id.
    pub(crate) async fn send_within(
        &mut self,
        timeout: Option<u32>,
        method: &str,
        param: &impl Message,
        cells: &[u8],
    ) -> u32 {
        self.next_call += 1;
        let header = RequestHeader {
            call_id: Some(self.next_call),
            method_name: Some(method.into()),
            timeout,
            ..Default::default()
        };
        let mut out = BytesMut::new();
        frame::encode_request(header, param, cells, &mut out);
        self.stream.write_all(&out).await.unwrap();
        self.next_call
    }

    /// Writes bytes as they are.
    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Reads a response; none if the connection closes.
    pub(crate) async fn receive(&mut self) -> Option<Response> {
        loop {
            if let Some(frame) = frame::split(&mut self.read, frame::DEFAULT_MAX_LEN).unwrap() {
                return Some(Response::decode(frame).unwrap());
            }
            if self.stream.read_buf(&mut self.read).await.unwrap() == 0 {
                return None;
            }
        }
    }

    /// Reads as many bytes as `into` has, as they are.
    pub(crate) async fn read_exact(&mut self, into: &mut [u8]) {
        while self.read.len() < into.len() {
            assert!(
                self.stream.read_buf(&mut self.read).await.unwrap() > 0,
                "the connection closed"
            );
        }
        into.copy_from_slice(&self.read.split_to(into.len()));
    }

    /// Reads to the end of the connection.
    pub(crate) async fn rest(&mut self) -> Vec<u8> {
        let mut rest = self.read.split().to_vec();
        self.stream.read_to_end(&mut rest).await.unwrap();
        rest
    }

    /// Calls and waits for the answer.
    pub(crate) async fn call_with<M: Message + Default>(
        &mut self,
        method: &str,
        param: &impl Message,
        cells: &[u8],
    ) -> Answer<M> {
        let id = self.send(method, param, cells).await;
        let response = self.receive().await.expect("an answer");
        assert_eq!(response.header.call_id, Some(id));
        if let Some(exception) = &response.header.exception {
            return Err(RemoteException::from_response(exception));
        }
        let cells = CellBlock::new(response.cells).collect::<std::result::Result<_, _>>().unwrap();
        Ok((M::decode(response.message).unwrap(), cells))
    }

    /// Calls without cells.
    pub(crate) async fn call<M: Message + Default>(
        &mut self,
        method: &str,
        param: &impl Message,
    ) -> Answer<M> {
        self.call_with(method, param, b"").await
    }
}

/// Opens a connection to a server.
pub(crate) fn dial(cluster: &MockCluster, to: SocketAddr) -> DuplexStream {
    cluster.dial(&to.ip().to_string(), to.port()).unwrap()
}

/// A cluster with one table.
pub(crate) struct Fixture {
    pub(crate) cluster: MockCluster,
    pub(crate) master: Frames,
    pub(crate) client: Frames,
    pub(crate) admin: Frames,
    pub(crate) table: &'static str,
}

impl Fixture {
    /// One region server and table `t` with one region and family `f` of these attributes.
    pub(crate) async fn new(attributes: &[(&str, &str)]) -> Self {
        Self::with(MockCluster::builder().servers(1).in_memory(), attributes, &[]).await
    }

    /// Table `t` with family `f` and these split keys.
    pub(crate) async fn with(
        builder: MockClusterBuilder,
        attributes: &[(&str, &str)],
        splits: &[&'static str],
    ) -> Self {
        let cluster = builder.start().await.unwrap();
        let mut master = Frames::open(&cluster, cluster.rpc_address(), "MasterService").await;
        create(&mut master, "t", attributes, splits).await.unwrap();
        let server = server_of(&cluster, "t", b"");
        let client = Frames::open(&cluster, server, "ClientService").await;
        let admin = Frames::open(&cluster, server, "AdminService").await;
        Self { cluster, master, client, admin, table: "t" }
    }

    /// The region that holds a row.
    pub(crate) fn region(&self, row: &[u8]) -> RegionSpecifier {
        specifier(&self.cluster, self.table, row)
    }

    /// Connects to the server that has the region of a row now.
    pub(crate) async fn reconnect(&mut self, row: &[u8]) {
        let server = server_of(&self.cluster, self.table, row);
        self.client = Frames::open(&self.cluster, server, "ClientService").await;
    }

    /// Writes one cell.
    pub(crate) async fn put(&mut self, row: &str, qualifier: &str, at: u64, value: &str) {
        self.mutate(mutation(MutationType::Put, row, &[(qualifier, at, value)])).await.unwrap();
    }

    /// The request of one mutation.
    pub(crate) fn request(&self, mutation: MutationProto) -> MutateRequest {
        let region = self.region(mutation.row.as_deref().unwrap_or_default());
        MutateRequest { region, mutation, ..Default::default() }
    }

    /// Sends one mutation.
    pub(crate) async fn mutate(&mut self, mutation: MutationProto) -> Answer<MutateResponse> {
        let request = self.request(mutation);
        self.client.call("Mutate", &request).await
    }

    /// Reads one row.
    pub(crate) async fn get(&mut self, get: Get) -> Answer<GetResponse> {
        let request = GetRequest { region: self.region(&get.row), get };
        self.client.call("Get", &request).await
    }

    /// The newest values of a row, as `qualifier=value`.
    pub(crate) async fn values(&mut self, row: &str) -> Vec<String> {
        let (_, cells) = self.get(get(row)).await.unwrap();
        cells.iter().map(|c| format!("{}={}", text(c.qualifier()), text(c.value()))).collect()
    }

    /// Opens a scanner on the first region.
    pub(crate) async fn scan(&mut self, scan: Scan, rows: u32) -> Answer<ScanResponse> {
        let request = ScanRequest {
            region: Some(self.region(b"")),
            scan: Some(scan),
            number_of_rows: Some(rows),
            client_handles_partials: Some(true),
            ..Default::default()
        };
        self.client.call("Scan", &request).await
    }

    /// Reads the next rows from a scanner.
    pub(crate) async fn next(&mut self, id: u64, seq: u64, rows: u32) -> Answer<ScanResponse> {
        let request = ScanRequest {
            scanner_id: Some(id),
            next_call_seq: Some(seq),
            number_of_rows: Some(rows),
            client_handles_partials: Some(true),
            ..Default::default()
        };
        self.client.call("Scan", &request).await
    }
}

/// Creates a table with family `f`.
pub(crate) async fn create(
    master: &mut Frames,
    table: &str,
    attributes: &[(&str, &str)],
    splits: &[&'static str],
) -> Answer<CreateTableResponse> {
    let pair = |(k, v): &(&str, &str)| BytesBytesPair { first: bytes(k), second: bytes(v) };
    let request = CreateTableRequest {
        table_schema: TableSchema {
            table_name: Some(region::parse_table_name(table.as_bytes())),
            column_families: vec![ColumnFamilySchema {
                name: "f".into(),
                attributes: attributes.iter().map(pair).collect(),
                configuration: Vec::new(),
            }],
            ..Default::default()
        },
        split_keys: splits.iter().map(|s| Bytes::from_static(s.as_bytes())).collect(),
        ..Default::default()
    };
    master.call("CreateTable", &request).await
}

/// The address of the server that has the region of a row.
pub(crate) fn server_of(cluster: &MockCluster, table: &str, row: &[u8]) -> SocketAddr {
    let server = region_of(cluster, table, row).server.expect("an open region");
    cluster.server_address(server).unwrap()
}

/// The region of a row, as a request names it.
pub(crate) fn specifier(cluster: &MockCluster, table: &str, row: &[u8]) -> RegionSpecifier {
    RegionSpecifier {
        r#type: RegionSpecifierType::RegionName as i32,
        value: region_of(cluster, table, row).name.into(),
    }
}

fn region_of(cluster: &MockCluster, table: &str, row: &[u8]) -> tallrow_mock::MockRegion {
    let mut regions = cluster.regions(table).into_iter();
    let holds = |r: &tallrow_mock::MockRegion| r.end_key.is_empty() || row < &r.end_key[..];
    regions.find(holds).expect("a table")
}

/// The region of `hbase:meta`, as a request names it.
pub(crate) fn meta() -> RegionSpecifier {
    let value = Bytes::from_static(region::META_REGION_NAME);
    RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value }
}

/// A scan of all versions and delete markers.
pub(crate) fn raw_scan() -> Scan {
    let attribute = NameBytesPair { name: "_raw_".into(), value: Some(vec![0xFF].into()) };
    Scan { attribute: vec![attribute], max_versions: Some(100), ..Default::default() }
}

/// A put of column `f:q`.
pub(crate) fn put(row: &str) -> MutationProto {
    mutation(MutationType::Put, row, &[("q", 1, "v")])
}

/// A Get of the newest version of everything.
pub(crate) fn get(row: &str) -> Get {
    Get { row: bytes(row), ..Default::default() }
}

/// A mutation of family `f`: qualifier, timestamp (0 for none), value.
pub(crate) fn mutation(
    kind: MutationType,
    row: &str,
    cells: &[(&str, u64, &str)],
) -> MutationProto {
    let value = |(qualifier, at, value): &(&str, u64, &str)| QualifierValue {
        qualifier: Some(bytes(qualifier)),
        value: Some(bytes(value)),
        timestamp: (*at > 0).then_some(*at),
        ..Default::default()
    };
    MutationProto {
        row: Some(bytes(row)),
        mutate_type: Some(kind as i32),
        column_value: vec![ColumnValue {
            family: "f".into(),
            qualifier_value: cells.iter().map(value).collect(),
        }],
        timestamp: Some(LATEST_TIMESTAMP),
        ..Default::default()
    }
}

/// A delete marker on family `f`.
pub(crate) fn delete(row: &str, qualifier: &str, at: u64, kind: DeleteType) -> MutationProto {
    let mut delete = mutation(MutationType::Delete, row, &[(qualifier, at, "")]);
    delete.column_value[0].qualifier_value[0].delete_type = Some(kind as i32);
    delete
}

/// An increment of column `f:n`.
pub(crate) fn increment(row: &str, by: i64, nonce: u64) -> MutationProto {
    let mut increment = mutation(MutationType::Increment, row, &[("n", 0, "")]);
    let value = Bytes::copy_from_slice(&by.to_be_bytes());
    increment.column_value[0].qualifier_value[0].value = Some(value);
    increment.nonce = Some(nonce);
    increment
}

/// The cells in short, as qualifier or delete marker and timestamp: `q12`, `D12` (DC, DF, DFV).
pub(crate) fn short(cells: &[Cell]) -> String {
    let one = |c: &Cell| {
        let name = match c.kind() {
            CellType::Put => text(c.qualifier()),
            CellType::Delete => "D".into(),
            CellType::DeleteColumn => "DC".into(),
            CellType::DeleteFamily => "DF".into(),
            CellType::DeleteFamilyVersion => "DFV".into(),
        };
        format!("{name}{}", c.timestamp())
    };
    cells.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Text as bytes.
pub(crate) fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}
