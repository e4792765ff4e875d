//! Bytes captured between the official Java client and real servers, decoded and encoded again.
//!
//! `captured/README.md` describes the files. Each frame has notes of what HBase's own classes
//! decoded from it; this crate must decode the same, and encode that to bytes with the same
//! meaning.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bytes::{Bytes, BytesMut};
use prost::Message;
use tallrow_wire::cell::Cell;
use tallrow_wire::cell_block::{self, CellBlock};
use tallrow_wire::exception::RemoteException;
use tallrow_wire::frame::{self, Request, Response};
use tallrow_wire::preamble::{self, NO_CALL, Preamble};
use tallrow_wire::zookeeper::{
    ConnectRequest, ConnectResponse, Operation, Reply, RequestHeader, encode_reply,
};
use tallrow_wire::{proto, zookeeper};

/// One line of bytes, with the notes before it.
struct Line {
    by_client: bool,
    bytes: Bytes,
    notes: Vec<String>,
    step: String,
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captured");
    let mut files: Vec<_> = ["server-2.6.4", "server-2.5.10"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 29, "only {} captures", files.len());
    files
}

fn lines_of(path: &Path) -> Vec<Line> {
    let (mut lines, mut notes, mut step) = (Vec::new(), Vec::new(), String::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        match line.split_at_checked(2) {
            Some(("> " | "< ", hex)) => lines.push(Line {
                by_client: line.starts_with('>'),
                bytes: unhex(hex),
                notes: std::mem::take(&mut notes),
                step: step.clone(),
            }),
            Some(("# ", note)) => match note.strip_prefix("step ") {
                Some(text) => step = text.to_owned(),
                None => notes.push(note.to_owned()),
            },
            _ => {}
        }
    }
    lines
}

fn unhex(text: &str) -> Bytes {
    let bytes = text.trim().as_bytes().chunks(2).map(std::str::from_utf8);
    bytes.map(|byte| u8::from_str_radix(byte.unwrap(), 16).unwrap()).collect()
}

/// The fields of a note, `name=value`.
fn fields(note: &str) -> HashMap<&str, &str> {
    note.split(' ').filter_map(|field| field.split_once('=')).collect()
}

fn is_compressed(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with("gzip")
}

fn whole_frame(bytes: &Bytes) -> Bytes {
    let mut buffer = BytesMut::from(&bytes[..]);
    let frame = frame::split(&mut buffer, frame::DEFAULT_MAX_LEN).unwrap().unwrap();
    assert!(buffer.is_empty());
    frame
}

/// Checks that a block has the cells of its notes, and that its cells encode to the block.
fn check_cells(block: &Bytes, notes: &[String], at: &str) {
    let cells = CellBlock::new(block.clone()).collect::<Result<Vec<_>, _>>().unwrap();
    let noted: Vec<_> = notes.iter().filter(|n| n.starts_with("cell ")).collect();
    assert_eq!(cells.len(), noted.len(), "{at}");
    for (cell, note) in cells.iter().zip(noted) {
        let note = fields(note);
        let bytes = |name: &str| unhex(note.get(name).unwrap_or(&""));
        assert_eq!(cell.row(), bytes("row"), "{at}");
        assert_eq!(cell.family(), bytes("family"), "{at}");
        assert_eq!(cell.qualifier(), bytes("qualifier"), "{at}");
        assert_eq!(cell.value(), bytes("value"), "{at}");
        assert_eq!(cell.timestamp().to_string(), note["timestamp"], "{at}");
        assert_eq!((cell.kind() as u8).to_string(), note["type"], "{at}");
        let parts = Cell::new(
            cell.row(),
            cell.family(),
            cell.qualifier(),
            cell.timestamp(),
            cell.kind(),
            cell.value(),
        );
        assert_eq!(parts.unwrap(), *cell, "{at}");
        assert_eq!(Cell::from_proto(&cell.to_proto()).unwrap(), *cell, "{at}");
    }
    let mut again = BytesMut::new();
    cells.iter().for_each(|cell| cell_block::put_cell(cell.bytes(), &mut again));
    assert_eq!(again, block, "{at}");
}

/// Decodes a message and checks that it encodes to the same meaning, and to no more bytes than it
/// had.
fn check_message<M: Message + Default + PartialEq + std::fmt::Debug>(bytes: &Bytes, at: &str) -> M {
    let message = M::decode(bytes.clone()).unwrap_or_else(|e| panic!("{at}: {e}"));
    let again = message.encode_to_vec();
    assert_eq!(M::decode(&again[..]).unwrap(), message, "{at}");
    assert!(again.len() <= bytes.len() + 2, "{at}: {} bytes became {}", bytes.len(), again.len());
    message
}

fn check_param(method: &str, bytes: &Bytes, at: &str) {
    use proto::*;
    match method {
        "Get" => drop(check_message::<GetRequest>(bytes, at)),
        "Mutate" => drop(check_message::<MutateRequest>(bytes, at)),
        "Multi" => drop(check_message::<MultiRequest>(bytes, at)),
        "Scan" => drop(check_message::<ScanRequest>(bytes, at)),
        "CreateTable" => drop(check_message::<CreateTableRequest>(bytes, at)),
        "DeleteTable" => drop(check_message::<DeleteTableRequest>(bytes, at)),
        "DisableTable" => drop(check_message::<DisableTableRequest>(bytes, at)),
        "EnableTable" => drop(check_message::<EnableTableRequest>(bytes, at)),
        "MoveRegion" => drop(check_message::<MoveRegionRequest>(bytes, at)),
        "GetTableDescriptors" => drop(check_message::<GetTableDescriptorsRequest>(bytes, at)),
        "getProcedureResult" => drop(check_message::<GetProcedureResultRequest>(bytes, at)),
        _ => {}
    }
}

/// Decodes a response message, and returns how many cells it announces in the block after it.
fn check_response(method: &str, bytes: &Bytes, at: &str) -> Option<usize> {
    use proto::*;
    let in_block = |result: &Result| result.associated_cell_count.unwrap_or(0) as usize;
    match method {
        "Get" => {
            let message: GetResponse = check_message(bytes, at);
            Some(message.result.as_ref().map_or(0, in_block))
        }
        "Mutate" => {
            let message: MutateResponse = check_message(bytes, at);
            Some(message.result.as_ref().map_or(0, in_block))
        }
        "Multi" => {
            let message: MultiResponse = check_message(bytes, at);
            let entries = message.region_action_result.iter().flat_map(|r| &r.result_or_exception);
            Some(entries.filter_map(|e| e.result.as_ref()).map(in_block).sum())
        }
        "Scan" => {
            let message: ScanResponse = check_message(bytes, at);
            Some(message.cells_per_result.iter().map(|n| *n as usize).sum())
        }
        "GetMetaRegionLocations" => {
            let message: GetMetaRegionLocationsResponse = check_message(bytes, at);
            assert!(!message.meta_locations.is_empty(), "{at}");
            None
        }
        "GetActiveMaster" => {
            let message: GetActiveMasterResponse = check_message(bytes, at);
            assert!(message.server_name.is_some(), "{at}");
            None
        }
        "getProcedureResult" => {
            check_message::<GetProcedureResultResponse>(bytes, at);
            None
        }
        "GetTableDescriptors" => {
            let message: GetTableDescriptorsResponse = check_message(bytes, at);
            assert!(message.table_schema.iter().all(|s| s.table_name.is_some()), "{at}");
            None
        }
        _ => None,
    }
}

#[test]
fn every_frame_is_decoded_as_hbase_decodes_it() {
    let (mut requests, mut responses, mut exceptions) = (0, 0, 0);
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with("ZooKeeper.txt") || name.ends_with("Regist.txt") {
            continue;
        }
        let mut methods: HashMap<u32, String> = HashMap::new();
        let lines = lines_of(&path);
        let is_opening = |line: &&Line| line.notes.iter().all(|n| !n.starts_with("re"));
        for line in lines.iter().skip_while(is_opening) {
            let at = format!("{name}, step {:?}", line.step);
            let noted =
                line.notes.iter().find(|n| n.starts_with("request ") || n.starts_with("response "));
            let note = fields(noted.unwrap_or_else(|| panic!("{at}: no notes")));
            let frame = whole_frame(&line.bytes);
            if line.by_client {
                requests += 1;
                let request = Request::decode(frame).unwrap_or_else(|e| panic!("{at}: {e}"));
                let header = &request.header;
                let method = header.method_name.clone().unwrap();
                assert_eq!(method, note["method"], "{at}");
                assert_eq!(header.call_id.unwrap().to_string(), note["call"], "{at}");
                assert_eq!(header.timeout.unwrap_or(0).to_string(), note["timeout"], "{at}");
                assert_eq!(request.param.len().to_string(), note["param"], "{at}");
                assert_eq!(
                    request.cells.len().to_string(),
                    *note.get("block").unwrap_or(&"0"),
                    "{at}"
                );
                check_param(&method, &request.param, &at);
                if !is_compressed(&path) {
                    check_cells(&request.cells, &line.notes, &at);
                }
                methods.insert(header.call_id.unwrap(), method);
                continue;
            }
            responses += 1;
            let response = Response::decode(frame).unwrap_or_else(|e| panic!("{at}: {e}"));
            let call_id = response.header.call_id.unwrap();
            assert_eq!(call_id.to_string(), note["call"], "{at}");
            if let Some(exception) = &response.header.exception {
                exceptions += 1;
                let exception = RemoteException::from_response(exception);
                assert_eq!(exception.class, note["exception"], "{at}");
                assert_eq!(exception.do_not_retry.to_string(), note["do_not_retry"], "{at}");
                assert!(!exception.message.contains("\tat "), "{at}: the stack is not the message");
                if let Some(moved) = note.get("moved_to") {
                    let (host, port) = exception.moved_to.unwrap();
                    assert_eq!(format!("{host}:{port}"), *moved, "{at}");
                }
                continue;
            }
            assert_eq!(response.message.len().to_string(), note["param"], "{at}");
            assert_eq!(
                response.cells.len().to_string(),
                *note.get("block").unwrap_or(&"0"),
                "{at}"
            );
            let announced = check_response(&methods[&call_id], &response.message, &at);
            if !is_compressed(&path) {
                check_cells(&response.cells, &line.notes, &at);
                let found = CellBlock::new(response.cells.clone()).count();
                assert_eq!(announced.unwrap_or(found), found, "{at}");
            }
        }
    }
    assert!(
        requests > 300 && responses > 250 && exceptions > 10,
        "{requests} {responses} {exceptions}"
    );
}

#[test]
fn connections_start_as_ours_do() {
    let mut headers = 0;
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with("ZooKeeper.txt") {
            continue;
        }
        let lines = lines_of(&path);
        let preamble = preamble::decode(&lines[0].bytes).unwrap();
        assert_eq!(&preamble.encode()[..], lines[0].bytes);
        if name.ends_with("Regist.txt") {
            assert_eq!(preamble, Preamble::Registry);
            let response = Response::decode(whole_frame(&lines[1].bytes)).unwrap();
            assert_eq!(response.header.call_id, Some(NO_CALL));
            match response.header.exception {
                None => {
                    let answer =
                        proto::GetConnectionRegistryResponse::decode(response.message).unwrap();
                    assert_eq!(answer.cluster_id.len(), 36);
                }
                Some(exception) => {
                    let exception = RemoteException::from_response(&exception);
                    assert!(
                        exception.message.starts_with("Expected HEADER="),
                        "{}",
                        exception.message
                    );
                }
            }
            continue;
        }
        headers += 1;
        let header = preamble::decode_header(whole_frame(&lines[1].bytes)).unwrap();
        let ours = preamble::header(header.service_name.as_deref().unwrap(), "root");
        assert_eq!(header.user_info, ours.user_info, "{name}");
        if let Some(codec) = &header.cell_block_codec_class {
            assert!(
                codec.is_empty() || Some(codec) == ours.cell_block_codec_class.as_ref(),
                "{name}: {codec}"
            );
        }
        assert_eq!(header.version_info.unwrap().version_major, Some(2), "{name}");
    }
    assert!(headers > 15, "{headers}");
}

#[test]
fn packets_of_zookeeper_are_encoded_and_decoded_as_the_client_and_the_server_do() {
    let path =
        files().into_iter().find(|p| p.to_string_lossy().ends_with("ZooKeeper.txt")).unwrap();
    let lines = lines_of(&path);
    let request = ConnectRequest::decode(whole_frame(&lines[0].bytes)).unwrap();
    assert_eq!(request, ConnectRequest::for_new_session(10_000));
    assert_eq!(request.encode(), lines[0].bytes);
    let response = ConnectResponse::decode(whole_frame(&lines[1].bytes)).unwrap();
    assert_eq!((response.session_timeout_ms, response.password.len()), (10_000, 16));
    assert_eq!(response.encode(), lines[1].bytes);
    let mut asked = HashMap::new();
    let (mut meta, mut master, mut id) = (0, 0, 0);
    for line in &lines[2..] {
        let mut frame = whole_frame(&line.bytes);
        let note = fields(&line.notes[0]);
        let xid: i32 = note["xid"].parse().unwrap();
        if line.by_client {
            let header = RequestHeader::decode(&mut frame).unwrap();
            assert_eq!((header.xid, header.code.to_string()), (xid, note["type"].to_owned()));
            let operation = Operation::decode(header.code, frame).unwrap();
            assert_eq!(operation.encode(xid), line.bytes);
            asked.insert(xid, operation);
            continue;
        }
        let reply = Reply::decode(frame).unwrap();
        assert_eq!((reply.xid, reply.code.to_string()), (xid, note["error"].to_owned()));
        let mut again = BytesMut::new();
        let answer = reply.answer(&asked[&xid]).unwrap();
        encode_reply(xid, reply.zxid, Ok(&answer), &mut again);
        assert_eq!(again, line.bytes);
        let Operation::GetData { path, .. } = &asked[&xid] else { continue };
        let message = zookeeper::strip_znode_prefix(reply.data().unwrap()).unwrap();
        match path.as_str() {
            "/hbase/meta-region-server" => {
                meta += 1;
                let message = proto::MetaRegionServer::decode(message).unwrap();
                assert_eq!(message.state, Some(proto::RegionStateKind::Open as i32));
            }
            "/hbase/master" => {
                master += 1;
                assert!(proto::Master::decode(message).unwrap().master.port.unwrap() > 0);
            }
            "/hbase/hbaseid" => {
                id += 1;
                assert_eq!(proto::ClusterId::decode(message).unwrap().cluster_id.len(), 36);
            }
            _ => {}
        }
    }
    assert!(meta + master + id >= 2, "{meta} {master} {id}");
}
