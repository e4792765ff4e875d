//! Requests that are cut, flipped, spliced or random: each is answered, and none ends the server.

use std::sync::atomic::{AtomicBool, Ordering};

use prost::Message;
use tallrow_wire::bigtable::*;

use crate::client::{Client, add, aggregate, bytes, create, set};

/// Bytes as they are.
#[derive(Clone, Debug, Default)]
pub struct Raw(Vec<u8>);

impl Message for Raw {
    fn encode_raw(&self, buf: &mut impl bytes::BufMut) {
        buf.put_slice(&self.0);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: prost::encoding::WireType,
        buf: &mut impl bytes::Buf,
        ctx: prost::encoding::DecodeContext,
    ) -> Result<(), prost::DecodeError> {
        prost::encoding::skip_field(wire_type, tag, buf, ctx)
    }

    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl crate::client::Call for Raw {
    type Answer = Raw;
}

fn good(table: &str) -> Vec<(&'static str, Vec<u8>)> {
    let filter = |filter| RowFilter { filter: Some(filter) };
    let chain = Chain {
        filters: vec![
            filter(Filter::RowKeyRegexFilter("a.*".into())),
            filter(Filter::CellsPerColumnLimitFilter(1)),
        ],
    };
    let rows = RowSet {
        row_keys: vec!["a".into()],
        row_ranges: vec![RowRange {
            start_key: Some(StartKey::StartKeyOpen("a".into())),
            end_key: Some(EndKey::EndKeyClosed("z".into())),
        }],
    };
    let read = ReadRowsRequest {
        table_name: table.into(),
        rows: Some(rows),
        filter: Some(filter(Filter::Chain(chain))),
        ..Default::default()
    };
    let mutations = vec![set("f", "q", 1000, "v"), add("s", "q", 1000, 5)];
    let start_time = Some(Timestamp { seconds: 1 << 40, nanos: 0 });
    let idempotency = Some(Idempotency { token: "the token".into(), start_time });
    let entry = MutateRowsEntry {
        row_key: "r".into(),
        mutations: mutations.clone(),
        idempotency: idempotency.clone(),
    };
    let rows =
        MutateRowsRequest { table_name: table.into(), entries: vec![entry], ..Default::default() };
    let row = MutateRowRequest {
        table_name: table.into(),
        row_key: "r".into(),
        mutations: mutations.clone(),
        idempotency,
        ..Default::default()
    };
    let check = CheckAndMutateRowRequest {
        table_name: table.into(),
        row_key: "r".into(),
        true_mutations: mutations,
        predicate_filter: read.filter.clone(),
        ..Default::default()
    };
    let change = ReadModifyWriteRowRequest {
        table_name: table.into(),
        row_key: "n".into(),
        rules: vec![ReadModifyWriteRule {
            family_name: "f".into(),
            column_qualifier: "n".into(),
            rule: Some(Rule::IncrementAmount(1)),
        }],
        ..Default::default()
    };
    let initial_splits = vec![Split { key: bytes("m") }];
    let create = CreateTableRequest { initial_splits, ..create("u", [].into()) };
    let alter = ModifyColumnFamiliesRequest {
        name: table.into(),
        modifications: vec![Modification {
            id: "g".into(),
            r#mod: Some(FamilyChange::Create(aggregate(Aggregator::Max(Marker {})))),
            update_mask: None,
        }],
        ..Default::default()
    };
    vec![
        (method::READ_ROWS, read.encode_to_vec()),
        (method::MUTATE_ROWS, rows.encode_to_vec()),
        (method::MUTATE_ROW, row.encode_to_vec()),
        (method::CHECK_AND_MUTATE_ROW, check.encode_to_vec()),
        (method::READ_MODIFY_WRITE_ROW, change.encode_to_vec()),
        (method::CREATE_TABLE, create.encode_to_vec()),
        (method::MODIFY_COLUMN_FAMILIES, alter.encode_to_vec()),
    ]
}

fn spoil(random: &mut fastrand::Rng, message: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = message.to_vec();
    match random.u8(..4) {
        0 => bytes.truncate(random.usize(..=bytes.len())),
        1 => (0..random.usize(1..4)).for_each(|_| {
            let at = random.usize(..bytes.len());
            bytes[at] ^= 1 << random.u8(..8);
        }),
        2 => {
            bytes.truncate(random.usize(..=bytes.len()));
            bytes.extend_from_slice(&other[random.usize(..other.len())..]);
        }
        _ => bytes.iter_mut().for_each(|byte| *byte = random.u8(..)),
    }
    bytes
}

#[tokio::test]
async fn malformed_requests_are_answered_and_the_mock_has_no_bug() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let sum = FamilyChange::Create(aggregate(Aggregator::Sum(Marker {})));
    client.modify(&table, vec![("s", sum)]).await.unwrap();
    let good = good(&table);
    let seed = 7;
    let mut random = fastrand::Rng::with_seed(seed);
    let any_ok = AtomicBool::new(false);
    for round in 0..3000 {
        let (path, message) = &good[random.usize(..good.len())];
        let (_, other) = &good[random.usize(..good.len())];
        let spoilt = spoil(&mut random, message, other);
        let (_, end) = client.stream(path, Raw(spoilt.clone())).await;
        match end {
            Ok(()) => any_ok.store(true, Ordering::Relaxed),
            Err(status) => {
                let shown = spoilt.escape_ascii();
                assert!(!status.message().contains("bug"), "{round} {path} {shown}: {status}");
                assert_ne!(status.code(), tonic::Code::Unavailable, "{path} {shown}: {status}");
            }
        }
    }
    assert!(any_ok.into_inner());
    let table = client.table("after", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "q", 0, "v")]).await;
    assert_eq!(client.all(&table).await, ["r/f:q@0=v"]);
}
