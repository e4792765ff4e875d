//! The readers of bytes from outside, for tests and fuzz targets that change such bytes at random.
//! Not part of the public API. Each function returns whether the bytes were accepted.

use bytes::{Bytes, BytesMut};

use crate::cell_block::{self, CellBlock};
use crate::frame::{self, Request, Response};
use crate::preamble;
use crate::zookeeper::{ConnectRequest, ConnectResponse, Operation, Reply, RequestHeader};

/// Reads a frame as a request and as a response.
pub fn frame(bytes: &[u8]) -> bool {
    let mut buffer = BytesMut::from(bytes);
    let Ok(Some(frame)) = frame::split(&mut buffer, frame::DEFAULT_MAX_LEN) else { return false };
    let is_request = Request::decode(frame.clone()).is_ok();
    Response::decode(frame).is_ok() || is_request
}

/// Reads the preamble of a connection, and the header after it.
pub fn preamble_and_header(bytes: &[u8]) -> bool {
    let Some((start, rest)) = bytes.split_at_checked(preamble::LEN) else { return false };
    let is_preamble = preamble::decode(start).is_ok();
    let mut buffer = BytesMut::from(rest);
    let Ok(Some(header)) = frame::split(&mut buffer, frame::DEFAULT_MAX_LEN) else { return false };
    preamble::decode_header(header).is_ok() && is_preamble
}

/// Reads a cell block in the two ways that there are.
pub fn cell_block(bytes: &[u8]) -> bool {
    let whole = CellBlock::new(Bytes::copy_from_slice(bytes)).all(|cell| cell.is_ok());
    cell_block::key_values(bytes).all(|cell| cell.is_ok()) && whole
}

/// Reads what a client of ZooKeeper sends, without its length: the first packet, or a request.
pub fn zookeeper_request(bytes: &[u8]) -> bool {
    let mut packet = Bytes::copy_from_slice(bytes);
    let is_first = ConnectRequest::decode(packet.clone()).is_ok();
    let Ok(header) = RequestHeader::decode(&mut packet) else { return is_first };
    Operation::decode(header.code, packet).is_ok() || is_first
}

/// Reads what a server of ZooKeeper sends, without its length: the first packet, an event, or the
/// reply to any request.
pub fn zookeeper_reply(bytes: &[u8]) -> bool {
    let packet = Bytes::copy_from_slice(bytes);
    let is_first = ConnectResponse::decode(packet.clone()).is_ok();
    let Ok(reply) = Reply::decode(packet) else { return is_first };
    let path = || "/hbase".to_owned();
    let requests = [
        Operation::Exists { path: path(), watch: false },
        Operation::GetData { path: path(), watch: false },
        Operation::GetChildren { path: path(), watch: false, with_stat: true },
        Operation::GetChildren { path: path(), watch: false, with_stat: false },
        Operation::GetAcl { path: path() },
    ];
    let answers = requests.iter().filter(|request| reply.answer(request).is_ok()).count();
    let is_event = reply.event().is_ok();
    reply.data().is_ok() || is_event || answers > 0 || is_first
}
