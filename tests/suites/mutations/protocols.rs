//! Valid packets of HBase's and ZooKeeper's protocols, for the readers of `tallrow_wire::fuzz` and
//! `tallrow_mock::fuzz`.

use bytes::BytesMut;
use prost::Message;
use tallrow_wire::cell::{CellType, KeyValue};
use tallrow_wire::preamble::{self, Auth};
use tallrow_wire::proto::*;
use tallrow_wire::zookeeper::{
    Answer, ConnectRequest, ConnectResponse, EventKind, Operation, Stat, WatchEvent, WatchList,
    encode_reply,
};
use tallrow_wire::{cell_block, frame};

const FILTERS: &str = "org.apache.hadoop.hbase.filter.";

pub(crate) fn frames() -> Vec<Vec<u8>> {
    let header = RequestHeader {
        call_id: Some(7),
        method_name: Some("Mutate".into()),
        ..Default::default()
    };
    let get = Get { row: "row".into(), ..Default::default() };
    let mut request = BytesMut::new();
    frame::encode_request(header, &get, &cell_block(), &mut request);
    let mut response = BytesMut::new();
    frame::encode_response(7, &GetResponse::default(), &cell_block(), &mut response);
    let mut refusal = BytesMut::new();
    let exception = ExceptionResponse {
        exception_class_name: Some("java.io.IOException".into()),
        stack_trace: Some("no".into()),
        ..Default::default()
    };
    frame::encode_exception(7, &exception, &mut refusal);
    [request, response, refusal].map(|bytes| bytes.to_vec()).into()
}

pub(crate) fn headers() -> Vec<Vec<u8>> {
    let header = preamble::header("ClientService", "user");
    vec![preamble::encode_with_header(Auth::Simple, &header).to_vec()]
}

pub(crate) fn cell_block() -> Vec<u8> {
    let mut block = BytesMut::new();
    for (qualifier, kind) in [("a", CellType::Put), ("b", CellType::DeleteColumn)] {
        let cell = KeyValue {
            row: b"row",
            family: b"f",
            qualifier: qualifier.as_bytes(),
            timestamp: 7,
            kind,
            value: b"value",
        };
        cell_block::put_key_value(&cell, &mut block).unwrap();
    }
    block.to_vec()
}

pub(crate) fn zookeeper_requests() -> Vec<Vec<u8>> {
    let path = || "/hbase/master".to_owned();
    let watches = WatchList {
        last_zxid_seen: 1,
        data: vec![path()],
        missing: vec!["/none".into()],
        children: vec!["/hbase/rs".into()],
    };
    let operations = [
        Operation::Exists { path: path(), watch: true },
        Operation::GetData { path: path(), watch: false },
        Operation::GetChildren { path: path(), watch: true, with_stat: true },
        Operation::SetWatches(watches),
        Operation::Close,
    ];
    let packets = operations.into_iter().map(|operation| operation.encode(1));
    let first = ConnectRequest::for_new_session(10_000).encode();
    // Without their lengths.
    packets.chain([first]).map(|packet| packet[4..].to_vec()).collect()
}

pub(crate) fn zookeeper_replies() -> Vec<Vec<u8>> {
    let mut replies = vec![ConnectResponse::refusal(Some(false)).encode().to_vec()];
    for answer in [
        Answer::Data("data".into(), Stat::default()),
        Answer::Children(vec!["a".into(), "b".into()], Some(Stat::default())),
    ] {
        let mut reply = BytesMut::new();
        encode_reply(1, 2, Ok(&answer), &mut reply);
        replies.push(reply.to_vec());
    }
    let mut event = BytesMut::new();
    WatchEvent { kind: EventKind::NodeDataChanged, path: "/hbase/master".into() }
        .encode(&mut event);
    replies.push(event.to_vec());
    replies.into_iter().map(|packet| packet[4..].to_vec()).collect()
}

/// A filter of this class.
fn of(class: &str, message: Vec<u8>) -> Filter {
    Filter { name: FILTERS.to_owned() + class, serialized_filter: Some(message.into()) }
}

pub(crate) fn filters() -> Vec<Vec<u8>> {
    // `PrefixFilter`, `PageFilter` and `ColumnPrefixFilter` have one field.
    let prefix = of("PrefixFilter", b"\x0a\x01r".to_vec());
    let page = of("PageFilter", b"\x08\x05".to_vec());
    let column = of("ColumnPrefixFilter", b"\x0a\x01q".to_vec());
    let list = FilterList {
        operator: FilterListOperator::MustPassOne as i32,
        filters: vec![prefix.clone(), page.clone(), column.clone()],
    };
    let list = of("FilterList", list.encode_to_vec());
    [prefix, page, column, list].map(|filter| filter.encode_to_vec()).into()
}

pub(crate) fn unknown_filter() -> Vec<u8> {
    of("NoSuchFilter", Vec::new()).encode_to_vec()
}
