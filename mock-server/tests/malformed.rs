//! Malformed connections of every class at every port: the mock serves on, and its memory, tasks
//! and descriptors are back where they were. 4,000 connections; with `TALLROW_THOROUGH`, 100,000.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::alloc::System;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::BytesMut;
use prost::Message;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tallrow_mock::MockCluster;
use tallrow_wire::cell_block;
use tallrow_wire::frame;
use tallrow_wire::preamble::{self, Auth};
use tallrow_wire::proto::*;
use tallrow_wire::zookeeper::{ConnectRequest, Operation};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[global_allocator]
static ALLOCATED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How much more may be allocated at the end than at the start: about 10 bytes for each of 100,000
/// connections, which is less than anything that could be forgotten of one.
const SLACK_BYTES: usize = 1 << 20;

/// How long a connection may stay open after the client has sent all, and how long what is left may
/// take to go away: far more than either takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A class of malformed connections: the port, what is sent unchanged, and what is spoilt after it.
struct Class {
    name: &'static str,
    to: SocketAddr,
    start: Vec<u8>,
    spoilt: Vec<Vec<u8>>,
}

/// The ports of a cluster with a table, and what is sent to them.
struct Site {
    cluster: MockCluster,
    control: tallrow_mock::ControlPort,
}

impl Site {
    async fn start() -> Self {
        let builder = MockCluster::builder().servers(1).zookeeper_port(0).bigtable_port(0);
        let cluster = builder.start().await.unwrap();
        // On a cluster of its own: the port records the transcript, which grows with each call.
        let controlled = MockCluster::builder().servers(1).start().await.unwrap();
        let control = controlled.serve_control(([127, 0, 0, 1], 0).into()).await.unwrap();
        Self { cluster, control }
    }

    fn classes(&self) -> Vec<Class> {
        let server = self.cluster.server_address(0).unwrap();
        let master = self.cluster.rpc_address();
        let zookeeper = self.cluster.zookeeper_address().unwrap();
        let bigtable = self.cluster.bigtable_address().unwrap();
        let header = preamble::header("ClientService", "u");
        let open = preamble::encode_with_header(Auth::Simple, &header).to_vec();
        let session = ConnectRequest::for_new_session(4_000).encode().to_vec();
        let class =
            |name, to, start: &[u8], spoilt| Class { name, to, start: start.to_vec(), spoilt };
        vec![
            class(
                "HBase's preamble and header",
                master,
                b"",
                vec![
                    open.clone(),
                    b"Regist".to_vec(),
                    b"SecuriHBas\x00\x50".to_vec(),
                    b"HBas\x00\x51\x00\x00\x00\x03tok".to_vec(),
                ],
            ),
            class("HBase's frames", server, &open, self.frames()),
            class("HBase's lengths", server, &open, lengths()),
            class("ZooKeeper's first packet", zookeeper, b"", vec![session.clone()]),
            class("ZooKeeper's packets", zookeeper, &session, packets()),
            class("HTTP/2's frames", bigtable, b"", vec![grpc(&self.read_rows())]),
            class("gRPC's messages", bigtable, PREFACE, vec![call(&self.read_rows())]),
            class("the control port", self.control.address(), b"", http()),
        ]
    }

    fn region(&self) -> RegionSpecifier {
        let name = self.cluster.regions("hbase:namespace")[0].name.clone();
        RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value: name.into() }
    }

    /// Requests that change nothing even if what is spoilt happens to be valid: writes name a
    /// family that no table has, whatever row they are for.
    fn frames(&self) -> Vec<Vec<u8>> {
        let filter = tallrow_wire::proto::Filter {
            name: "org.apache.hadoop.hbase.filter.PrefixFilter".into(),
            serialized_filter: Some(b"\x0a\x01d"[..].into()),
        };
        let get = Get { row: "default".into(), filter: Some(filter.clone()), ..Default::default() };
        let scan = ScanRequest {
            region: Some(self.region()),
            scan: Some(Scan { filter: Some(filter), ..Default::default() }),
            number_of_rows: Some(1),
            close_scanner: Some(true),
            ..Default::default()
        };
        let put = MutationProto {
            row: Some("r".into()),
            mutate_type: Some(MutationType::Put as i32),
            associated_cell_count: Some(1),
            ..Default::default()
        };
        let action = Action { mutation: Some(put.clone()), ..Default::default() };
        let multi = MultiRequest {
            region_action: vec![RegionAction {
                region: self.region(),
                action: vec![action],
                ..Default::default()
            }],
            ..Default::default()
        };
        let mut cells = BytesMut::new();
        let cell = tallrow_wire::cell::KeyValue {
            row: b"r",
            family: b"none",
            qualifier: b"q",
            timestamp: 1,
            kind: tallrow_wire::cell::CellType::Put,
            value: b"v",
        };
        cell_block::put_key_value(&cell, &mut cells).unwrap();
        let mutate = MutateRequest { region: self.region(), mutation: put, ..Default::default() };
        vec![
            request("Get", &GetRequest { region: self.region(), get }, b""),
            request("Scan", &scan, b""),
            request("Mutate", &mutate, &cells),
            request("Multi", &multi, &cells),
        ]
    }

    fn read_rows(&self) -> Vec<u8> {
        let request = tallrow_wire::bigtable::ReadRowsRequest {
            table_name: "projects/p/instances/i/tables/none".into(),
            rows_limit: 1,
            ..Default::default()
        };
        request.encode_to_vec()
    }

    /// All ports do what they are for.
    async fn serves(&self) {
        let server = self.cluster.server_address(0).unwrap();
        let header = preamble::header("ClientService", "u");
        let open = preamble::encode_with_header(Auth::Simple, &header);
        let get = Get { row: "default".into(), ..Default::default() };
        let asked = request("Get", &GetRequest { region: self.region(), get }, b"");
        answered(server, &[&open[..], &asked].concat(), |answer| {
            let mut answer = BytesMut::from(answer);
            let Some(frame) = frame::split(&mut answer, frame::DEFAULT_MAX_LEN).unwrap() else {
                return false;
            };
            let response = frame::Response::decode(frame).unwrap();
            assert_eq!(response.header.exception, None);
            assert!(!response.cells.is_empty(), "the row of the namespace is there");
            true
        })
        .await;
        let zookeeper = self.cluster.zookeeper_address().unwrap();
        answered(zookeeper, b"ruok", |answer| answer == b"imok").await;
        // The service answers ReadRows of no table by HEADERS, in stream 1.
        let bigtable = self.cluster.bigtable_address().unwrap();
        answered(bigtable, &grpc(&self.read_rows()), |answer| {
            let mut rest = answer;
            while let Some((head, after)) = rest.split_at_checked(9) {
                let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8;
                if head[3] == 1 && head[8] == 1 {
                    return true;
                }
                rest = after.get(length + usize::from(head[2])..).unwrap_or_default();
            }
            false
        })
        .await;
        let control = self.control.address();
        answered(control, &http()[0], |answer| answer.starts_with(b"HTTP/1.1 200 OK\r\n")).await;
    }

    /// Removes what a request that happens to be valid may leave: open scanners until their lease
    /// ends, nonces until they are forgotten, and injected faults.
    async fn tidy(&self) {
        self.cluster.advance_clock(Duration::from_secs(24 * 3_600)).unwrap();
        let delete = b"DELETE /faults HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n";
        let is_done = |answer: &[u8]| answer.starts_with(b"HTTP/1.1 200 OK\r\n");
        answered(self.control.address(), delete, is_done).await;
        self.serves().await;
    }
}

/// Sends bytes, and reads until the answer is as it should be.
async fn answered(to: SocketAddr, bytes: &[u8], is_complete: impl Fn(&[u8]) -> bool) {
    let mut stream = TcpStream::connect(to).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    while !is_complete(&answer) {
        let read = tokio::time::timeout(PATIENCE, stream.read_buf(&mut answer)).await;
        let read = read.unwrap_or_else(|_| panic!("no answer of {to}")).unwrap();
        assert!(read > 0, "{to} answers {}", answer.escape_ascii());
    }
}

fn request(method: &str, param: &impl Message, cells: &[u8]) -> Vec<u8> {
    let header =
        RequestHeader { call_id: Some(1), method_name: Some(method.into()), ..Default::default() };
    let mut out = BytesMut::new();
    frame::encode_request(header, param, cells, &mut out);
    out.to_vec()
}

/// Lengths that are larger than what follows, than anything, or negative.
fn lengths() -> Vec<Vec<u8>> {
    [0, 1, 5, 0x0100_0000, 0x0fff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff_u32]
        .map(|length| [&length.to_be_bytes()[..], b"\x05\x08\x01\x1a\x03Get\x00"].concat())
        .into()
}

fn packets() -> Vec<Vec<u8>> {
    let path = || "/hbase/master".to_owned();
    let data = Operation::GetData { path: path(), watch: true };
    let there = Operation::Exists { path: path(), watch: true };
    [data, there, Operation::Ping, Operation::Auth, Operation::Close]
        .map(|operation| operation.encode(1).to_vec())
        .into()
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A connection with one call of ReadRows.
fn grpc(message: &[u8]) -> Vec<u8> {
    [PREFACE, &call(message)].concat()
}

/// The frames of one call of ReadRows: HEADERS, and DATA with the end of the stream.
fn call(message: &[u8]) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let head = [
        // `:method: POST`, `:scheme: http`, and literals that are not indexed.
        &[0x83, 0x86, 0x04][..],
        &text("/google.bigtable.v2.Bigtable/ReadRows"),
        &[0x01],
        &text("mock"),
        &[0x0f, 0x10],
        &text("application/grpc"),
        &[0x00],
        &text("te"),
        &text("trailers"),
    ]
    .concat();
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    let data = [&[0][..], &length, message].concat();
    let framed = |kind: u8, flags: u8, payload: &[u8]| {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 1], payload].concat()
    };
    [framed(1, 4, &head), framed(0, 1, &data)].concat()
}

fn http() -> Vec<Vec<u8>> {
    let with_body = |path: &str, body: &str| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: m\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        (head + body).into_bytes()
    };
    vec![
        b"GET /status HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n".to_vec(),
        with_body("/faults", r#"{"on": "Mutate", "nth": 3, "effect": "drop_reply"}"#),
        with_body("/scenario", r#"{"faults": [{"on": "Get", "effect": "trickle", "ms": 5}]}"#),
        with_body("/clock", r#"{"advance_ms": 1}"#),
    ]
}

/// Cuts, changes, repeats or replaces bytes.
fn spoil(random: &mut fastrand::Rng, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random.u8(..6) {
        0 => bytes.truncate(random.usize(..bytes.len())),
        1 => (0..random.usize(1..4)).for_each(|_| {
            let at = random.usize(..bytes.len());
            bytes[at] ^= 1 << random.u8(..8);
        }),
        2 => (0..random.usize(1..4)).for_each(|_| {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }),
        3 => {
            let again = bytes[random.usize(..bytes.len())..].to_vec();
            bytes.extend_from_slice(&again);
        }
        4 => drop(bytes.drain(..random.usize(..bytes.len()))),
        _ => bytes.iter_mut().for_each(|byte| *byte = random.u8(..)),
    }
    bytes
}

/// Sends bytes, ends the stream, and reads what the server says until it closes.
async fn send(to: SocketAddr, bytes: &[u8]) {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let mut answer = Vec::new();
    let (mut read, mut write) = stream.split();
    let sent = async {
        // The server may have closed the connection already.
        let _ = write.write_all(bytes).await;
        let _ = write.shutdown().await;
    };
    let ended = async { tokio::join!(sent, read.read_to_end(&mut answer)) };
    if tokio::time::timeout(PATIENCE, ended).await.is_err() {
        panic!("{to} keeps a connection open after {}", bytes.escape_ascii());
    }
}

/// What a leak would show in: bytes that are allocated, tasks, descriptors.
fn in_use() -> (usize, usize, usize) {
    let stats = ALLOCATED.stats();
    let descriptors = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    (stats.bytes_allocated.saturating_sub(stats.bytes_deallocated), tasks, descriptors)
}

static PANICS: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn a_mock_is_as_it_was_after_malformed_connections_of_every_class() {
    // A panic that the mock catches is a bug as well.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        report(info);
    }));
    let thorough = std::env::var_os("TALLROW_THOROUGH").is_some();
    let connections = if thorough { 100_000 } else { 4_000 };
    let site = Site::start().await;
    let classes = site.classes();
    let mut random = fastrand::Rng::with_seed(7);
    let mut flood = async |count: usize| {
        for n in 0..count {
            let class = &classes[n % classes.len()];
            let valid = &class.spoilt[random.usize(..class.spoilt.len())];
            let sent = [&class.start[..], &spoil(&mut random, valid)].concat();
            send(class.to, &sent).await;
            let panics = PANICS.load(Ordering::Relaxed);
            assert_eq!(panics, 0, "{}: {}", class.name, sent.escape_ascii());
        }
    };
    // The first connections fill what is kept: counts by method, buffers of the runtime.
    flood(400).await;
    site.tidy().await;
    let before = in_use();
    flood(connections).await;
    site.tidy().await;
    let is_as_before = |now: (usize, usize, usize)| {
        now.0 <= before.0 + SLACK_BYTES && now.1 <= before.1 && now.2 <= before.2
    };
    // Sessions of ZooKeeper end by their timeout, which runs in real time, and are forgotten when
    // another connection arrives.
    let waited = tokio::time::timeout(2 * PATIENCE, async {
        while !is_as_before(in_use()) {
            site.serves().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "bytes, tasks, descriptors: {before:?}, now {:?}", in_use());
    site.serves().await;
}
