//! Tests of the messages of operations: times, nonces, changes that are refused, and filter
//! strings.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;

use super::filter::filter_message;
use super::{EncodedRowOperation, Encoder, encode_operation};
use crate::backend::hbase::rpc::Request;
use crate::backend::repeat::Idempotency;
use crate::model::columns::CellSelection;
use crate::request::op::{CallTarget, Mutation, RowMutations, RowOperation};
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::{self, MutationProto};
use crate::{
    Append, Delete, DeliveryGuarantee, Filter, Get, Increment, Put, Result, TableName, Timestamp,
};

fn encoder() -> Encoder {
    Encoder::new(1 << 20)
}

fn target(table: &TableName, delivery: DeliveryGuarantee) -> CallTarget<'_> {
    let timeout = Duration::from_secs(1);
    CallTarget {
        table,
        timeout,
        max_timeout: Duration::MAX,
        delivery,
        wait_when_full: true,
        operation_name: None,
        consistency: crate::request::op::Consistency::Strong,
        options: None,
    }
}

#[test]
fn an_idempotent_step_has_one_time_and_keeps_the_times_it_was_given() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::Idempotent);
    let put = Put::new("r").cell("f", "a", "1").cell_at("f", "b", Timestamp::from_millis(5), "2");
    let delete = Delete::new("r").column("f", "c");
    let step = RowMutations::new("r").add(put).add(delete);
    let mut op = encode_operation(step.into(), &to, &mut encoder()).unwrap();
    op.undated.unwrap().set_timestamp(&mut op.op, 9);
    let times = CellBlock::new(op.op.cells).map(|cell| cell.unwrap().timestamp());
    assert_eq!(times.collect::<Vec<_>>(), [9, 5, 9]);

    let other = Delete::new("r").column_until("f", "q", Timestamp::from_millis(5));
    let step = RowMutations::new("r").add(other).add(Delete::new("r"));
    let mut op = encode_operation(step.into(), &to, &mut encoder()).unwrap();
    op.undated.unwrap().set_timestamp(&mut op.op, 9);
    let messages = op.op.request.messages().iter();
    let times = messages.map(|m| MutationProto::decode(m.clone()).unwrap().timestamp);
    assert_eq!(times.collect::<Vec<_>>(), [None, Some(9)]);
}

#[test]
fn only_increments_and_appends_draw_a_nonce() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::AtMostOnce);
    let draws = |operation: RowOperation| {
        fastrand::seed(7);
        let next = fastrand::u64(..);
        fastrand::seed(7);
        encode_operation(operation, &to, &mut encoder()).unwrap();
        fastrand::u64(..) != next
    };
    assert!(!draws(Get::new("r").column("f", "q").into()));
    assert!(!draws(RowOperation::Exists(Get::new("r"))));
    assert!(!draws(Put::new("r").cell("f", "q", "v").into()));
    assert!(draws(Increment::new("r").add("f", "q", 1).into()));
    assert!(draws(Append::new("r").add("f", "q", "v").into()));
}

#[test]
fn reads_share_columns_until_one_of_them_adds_its_own() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::AtMostOnce);
    let lowered = |get: Get| {
        let op = encode_operation(get.into(), &to, &mut encoder()).unwrap().op;
        proto::Get::decode(op.request.messages()[0].clone()).unwrap().column
    };
    let column = |family: &'static str, qualifiers: &[&'static str]| proto::Column {
        family: family.into(),
        qualifier: qualifiers.iter().map(|qualifier| (*qualifier).into()).collect(),
    };
    let shared = Arc::new(CellSelection::from_static(1, ["d"], [("f", &b"q"[..])]));
    let get = Get::with_columns("r", shared.clone());
    assert_eq!(Arc::strong_count(&shared), 2, "they are not cloned");
    let more = get.clone().column("f", "other");
    assert_eq!(lowered(get), [column("d", &[]), column("f", &["q"])]);
    assert_eq!(lowered(more), [column("d", &[]), column("f", &["q", "other"])]);
    assert_eq!(Arc::strong_count(&shared), 1);
}

#[test]
fn a_delete_of_the_newest_version_gets_no_time_which_would_name_another_version() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::Idempotent);
    let newest = Delete::new("r").newest_version("f", "a");
    let op = encode_operation(newest.into(), &to, &mut encoder()).unwrap();
    assert_eq!((op.undated, op.about.idempotency), (None, Idempotency::Never));
}

/// On HBase 2.5.10, counters were returned with bytes of other requests in them, in a suite with
/// concurrent tests.
#[test]
fn increments_and_appends_carry_their_cells_in_the_message() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::AtMostOnce);
    let message = |mutation: Mutation| {
        let op = encode_operation(mutation.into(), &to, &mut encoder()).unwrap();
        (MutationProto::decode(op.op.request.messages()[0].clone()).unwrap(), op.op.cells)
    };
    let increment = Increment::new("r").add("f", "a", 1).add("g", "b", 2).add("f", "c", 3);
    for mutation in [increment.into(), Append::new("r").add("f", "a", "x").into()] {
        let (message, cells) = message(mutation);
        assert!(cells.is_empty() && message.associated_cell_count.is_none());
        assert_eq!(
            message.column_value[0].qualifier_value[0].qualifier.as_deref(),
            Some(&b"a"[..])
        );
        assert!(message.nonce.is_some_and(|nonce| nonce != 0));
    }
    let (message, cells) = message(Put::new("r").cell("f", "a", "x").into());
    assert!(!cells.is_empty() && message.column_value.is_empty());
    assert_eq!((message.associated_cell_count, message.nonce), (Some(1), None));
}

fn op(mutations: RowMutations) -> Result<EncodedRowOperation> {
    let table = "t".parse().unwrap();
    encode_operation(
        mutations.into(),
        &target(&table, DeliveryGuarantee::AtLeastOnce),
        &mut encoder(),
    )
}

fn refused(mutations: RowMutations) -> String {
    op(mutations).unwrap_err().to_string()
}

fn row() -> RowMutations {
    RowMutations::new("r")
}

fn put(qualifier: &str) -> Put {
    Put::new("r").cell("f", qualifier, "v")
}

#[test]
fn what_may_be_repeated_is_what_each_of_them_allows() {
    let repeat = |mutations| op(mutations).unwrap().about.idempotency;
    let delete = Delete::new("r").column("f", "b");
    let add = Increment::new("r").add("f", "n", 1);
    let newest = Delete::new("r").newest_version("f", "x");
    let writes = row().add(put("a")).add(delete);
    assert_eq!(repeat(writes.clone()), Idempotency::Write);
    assert_eq!(repeat(writes.clone().add(add.clone())), Idempotency::WithNonce);
    assert_eq!(repeat(writes.clone().add(add.clone()).add(newest)), Idempotency::Never);
    let once = writes.add(add).delivery(DeliveryGuarantee::AtMostOnce);
    assert_eq!(repeat(once), Idempotency::Never, "the puts would be made again");
}

#[test]
fn a_single_change_is_sent_as_itself_and_nested_ones_as_one_step() {
    let request = |mutations| op(mutations).unwrap().op.request;
    assert!(matches!(request(row().add(row().add(put("a")))), Request::Mutate(_)));
    let nested = row().add(row().add(put("a")).add(put("b"))).add(put("c"));
    assert!(matches!(request(nested), Request::MutateRow(m) if m.len() == 3));
}

#[test]
fn what_would_be_lost_in_one_step_is_refused() {
    let add = || Increment::new("r").add("f", "n", 1);
    let both = "column f:n is changed by two of its changes";
    assert!(refused(row().add(add()).add(add())).contains(both));
    assert!(refused(row().add(add()).add(put("n"))).contains(both));
    let append = Append::new("r").add("f", "n", "x");
    assert!(refused(row().add(append).add(put("n"))).contains(both));
    let deletes = [
        Delete::new("r"),
        Delete::new("r").family("f"),
        Delete::new("r").column("f", "a"),
        Delete::new("r").newest_version("f", "a"),
    ];
    for delete in deletes {
        let hidden = "column f:a is written and deleted in one step";
        let text = refused(row().add(delete.clone()).add(put("a")));
        assert!(text.contains(hidden), "{text}");
        let text = refused(row().add(Append::new("r").add("f", "a", "x")).add(delete));
        assert!(text.contains(hidden), "{text}");
    }
    let at = Timestamp::from_millis(5);
    let apart = [
        row().add(Delete::new("r").until(at)).add(put("a")),
        row().add(Delete::new("r").version("f", "a", at)).add(put("a")),
        row().add(Delete::new("r").family("g")).add(put("a")),
        row().add(put("a")).add(Put::new("r").cell_at("f", "a", at, "old")),
    ];
    for mutations in apart {
        op(mutations).unwrap();
    }
}

#[test]
fn an_invalid_change_is_refused() {
    assert!(refused(row()).contains("nothing to do"));
    assert!(refused(row().add(put("a")).add(Delete::new("s"))).contains("another row, \"s\""));
    assert!(refused(row().add(put("a")).add(Put::new("r"))).contains("no cells"));
}

/// `\xNN` is a byte.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

/// `parsed.txt` is made by HBase's own class.
#[test]
fn filter_strings_are_read_as_by_parse_filter() {
    let mut wrong = Vec::new();
    for line in include_str!("../../../../tests/filter_strings/parsed.txt").lines() {
        let (input, java) = line.split_once(" => ").unwrap();
        let (who, text) = input.split_once(' ').unwrap();
        let filter = Filter::parse(unescaped(text));
        let ours = filter.as_ref().ok().map(|filter| {
            let bytes = filter_message(filter).encode_to_vec();
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        let as_expected = match who {
            "both" => ours.as_deref() == Some(java),
            "java" => ours.is_none() && java != "!",
            "tallrow" => ours.is_some() && java == "!",
            _ => ours.is_none() && java == "!",
        };
        if !as_expected {
            wrong.push(format!(
                "{input}\n  ours {filter:?} {}\n  java {java}",
                ours.unwrap_or_default()
            ));
        }
        if let Ok(filter) = filter {
            let again = Filter::parse(filter.to_filter_string().unwrap()).unwrap();
            assert_eq!(again, filter, "{input}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
