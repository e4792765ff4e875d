//! Random and damaged bytes: every decoder returns a value or an error, and a value is encoded as
//! it was decoded from.

use bytes::{Bytes, BytesMut};
use proptest::prelude::*;
use prost::Message;
use tallrow_wire::bigtable::{
    CellChunk, MergedRow, ReadRowsPart, ReadRowsResponse, RowMerger, RowStatus,
    decode_read_modify_write_row, mutate_rows_outcomes, read_rows_parts,
};
use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
use tallrow_wire::cell_block::{self, CellBlock};
use tallrow_wire::frame::{self, Request, Response};
use tallrow_wire::meta::{self, RegionRow};
use tallrow_wire::proto::{GetResponse, RequestHeader};
use tallrow_wire::zookeeper::{ConnectRequest, ConnectResponse, Operation, Reply};
use tallrow_wire::{preamble, region, zookeeper};

/// Calls every decoder.
fn decode_as_everything(bytes: &Bytes) {
    let _ = preamble::decode(bytes);
    let _ = preamble::decode_header(bytes.clone());
    let _ = Request::decode(bytes.clone());
    let _ = Response::decode(bytes.clone());
    let _ = region::encoded_name(bytes);
    let _ = meta::decode_region_info(bytes);
    decode_as_packets_of_zookeeper(bytes);
    if let Ok(cell) = Cell::decode(bytes.clone()) {
        let _ = RegionRow::from_cells(std::slice::from_ref(&cell));
        let lens =
            cell.row().len() + cell.family().len() + cell.qualifier().len() + cell.value().len();
        assert!(lens <= bytes.len());
    }
    if let Ok(cells) = CellBlock::new(bytes.clone()).collect::<Result<Vec<_>, _>>() {
        let mut again = BytesMut::new();
        cells.iter().for_each(|cell| cell_block::put_cell(cell.bytes(), &mut again));
        assert_eq!(again, bytes);
    }
    decode_as_rows(bytes);
    let mut buffer = BytesMut::from(&bytes[..]);
    while let Ok(Some(frame)) = frame::split(&mut buffer, 1 << 16) {
        assert!(frame.len() <= bytes.len());
    }
}

/// Calls every decoder of ZooKeeper's packets.
fn decode_as_packets_of_zookeeper(bytes: &Bytes) {
    let _ = ConnectResponse::decode(bytes.clone());
    let _ = zookeeper::strip_znode_prefix(bytes.clone());
    if let Ok(request) = ConnectRequest::decode(bytes.clone()) {
        let again = ConnectRequest::decode(request.encode().slice(4..));
        assert_eq!(again, Ok(request));
    }
    let mut body = bytes.clone();
    let Ok(header) = zookeeper::RequestHeader::decode(&mut body) else { return };
    let known = [3, 4, 6, 8, 9, 11, 12, 100, 101, 105, -11];
    for code in known.into_iter().chain([header.code]) {
        let Ok(operation) = Operation::decode(code, body.clone()) else { continue };
        if !matches!(operation, Operation::Unknown(_)) {
            let mut again = operation.encode(header.xid).slice(4..);
            let header = zookeeper::RequestHeader::decode(&mut again).unwrap();
            assert_eq!(Operation::decode(header.code, again), Ok(operation.clone()));
        }
        if let Ok(reply) = Reply::decode(bytes.clone()) {
            let _ = (reply.data(), reply.event(), reply.answer(&operation));
        }
    }
}

/// Calls every decoder of Bigtable's rows.
fn decode_as_rows(bytes: &Bytes) {
    let len = |row: &MergedRow| {
        let cells = row.cells().map(|c| c.value.len());
        row.key().len().max(cells.max().unwrap_or(0))
    };
    assert!(mutate_rows_outcomes(bytes).count() <= bytes.len());
    let _ = decode_read_modify_write_row(bytes);
    if let Ok(row) = MergedRow::decode(bytes) {
        assert!(len(&row) <= bytes.len());
    }
    let mut merger = RowMerger::new(false);
    for part in read_rows_parts(bytes) {
        let merged = match part {
            Ok(ReadRowsPart::Chunk(chunk)) => merger.merge(&chunk),
            Ok(ReadRowsPart::Scanned(key)) => merger.record_scanned(key).map(|()| None),
            Ok(ReadRowsPart::Stats(_)) => continue,
            Err(_) => break,
        };
        match merged {
            Ok(row) => assert!(row.map_or(0, |row| len(row)) <= bytes.len()),
            Err(_) => break,
        }
    }
}

/// A cell as a row of Bigtable.
fn chunk(cell: &Cell) -> CellChunk {
    CellChunk {
        row_key: cell.row().to_vec().into(),
        family_name: Some(cell.family().escape_ascii().to_string()),
        qualifier: Some(cell.qualifier().to_vec().into()),
        timestamp_micros: cell.timestamp().cast_signed(),
        labels: cell.value().first().map(u8::to_string).into_iter().collect(),
        value: cell.value().to_vec().into(),
        value_size: cell.kind() as i32 - 4,
        row_status: (cell.kind() == CellType::Put).then_some(RowStatus::CommitRow(true)),
    }
}

fn kind() -> impl Strategy<Value = CellType> {
    prop::sample::select(vec![
        CellType::Put,
        CellType::Delete,
        CellType::DeleteFamilyVersion,
        CellType::DeleteColumn,
        CellType::DeleteFamily,
    ])
}

prop_compose! {
    fn cell()(
        row in prop::collection::vec(any::<u8>(), 0..40),
        family in prop::collection::vec(any::<u8>(), 0..10),
        qualifier in prop::collection::vec(any::<u8>(), 0..20),
        timestamp in 0..=LATEST_TIMESTAMP,
        kind in kind(),
        value in prop::collection::vec(any::<u8>(), 0..50),
    ) -> Cell {
        Cell::new(&row, &family, &qualifier, timestamp, kind, &value).unwrap()
    }
}

proptest! {
    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        decode_as_everything(&bytes.into());
    }

    #[test]
    fn valid_bytes_with_some_changed_are_decoded_or_refused(
        cells in prop::collection::vec(cell(), 0..5),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut block = BytesMut::new();
        cells.iter().for_each(|cell| cell_block::put_cell(cell.bytes(), &mut block));
        let mut frame = BytesMut::new();
        let header = RequestHeader { call_id: Some(1), method_name: Some("Get".into()), ..Default::default() };
        frame::encode_request(header, &GetResponse::default(), &block, &mut frame);
        frame::encode_response(1, &GetResponse::default(), &block, &mut frame);
        let rows = ReadRowsResponse { chunks: cells.iter().map(chunk).collect(), ..Default::default() };
        for good in [block, frame, BytesMut::from(&rows.encode_to_vec()[..])] {
            let mut bytes = good.to_vec();
            for (at, byte) in &changes {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
            }
            bytes.truncate(cut.index(bytes.len() + 1));
            let bytes = Bytes::from(bytes);
            decode_as_everything(&bytes);
            // After the length, where frames and cells start.
            decode_as_everything(&bytes.slice(4.min(bytes.len())..));
        }
    }

    #[test]
    fn rows_are_decoded_as_they_were_encoded(cells in prop::collection::vec(cell(), 0..5)) {
        let chunks: Vec<_> = cells.iter().map(chunk).collect();
        let message = ReadRowsResponse { chunks: chunks.clone(), ..Default::default() }.encode_to_vec();
        let parts: Vec<_> = read_rows_parts(&message).map(Result::unwrap).collect();
        let expected: Vec<_> = chunks.iter().map(|chunk| ReadRowsPart::Chunk(chunk.into())).collect();
        prop_assert_eq!(parts, expected);
    }

    #[test]
    fn a_cell_is_decoded_as_it_was_encoded(cell in cell()) {
        prop_assert_eq!(&Cell::decode(cell.bytes().clone()).unwrap(), &cell);
        prop_assert_eq!(&Cell::from_proto(&cell.to_proto()).unwrap(), &cell);
    }

    #[test]
    fn cells_sort_by_their_parts(a in cell(), b in cell()) {
        let parts = |c: &Cell| (
            c.row().to_vec(),
            c.family().to_vec(),
            c.qualifier().to_vec(),
            std::cmp::Reverse(c.timestamp()),
            std::cmp::Reverse(c.kind()),
            c.value().to_vec(),
        );
        prop_assert_eq!(a.cmp(&b), parts(&a).cmp(&parts(&b)));
    }
}
