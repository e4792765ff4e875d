use std::time::Duration;

use prost::Message;

use super::{Idempotency, MutationContext, RowOp, lower};
use crate::hbase::rpc::Request;
use crate::op::Target;
use crate::op::{Mutation, RowMutations};
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::MutationProto;
use crate::{Append, Delete, DeliveryGuarantee, Increment, Put, Result, TableName, Timestamp};

const CONTEXT: MutationContext = MutationContext { max_cell_bytes: 1 << 20, nonce: 7 };

fn target(table: &TableName, delivery: DeliveryGuarantee) -> Target<'_> {
    Target { table, timeout: Duration::from_secs(1), delivery, called: None }
}

#[test]
fn an_idempotent_step_has_one_time_and_keeps_the_times_it_was_given() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::Idempotent);
    let put = Put::new("r").cell("f", "a", "1").cell_at("f", "b", Timestamp::from_millis(5), "2");
    let delete = Delete::new("r").column("f", "c");
    let step = RowMutations::new("r").add(put).add(delete);
    let mut op = lower(step.into(), &to, CONTEXT).unwrap();
    op.date(9);
    let times = CellBlock::new(op.cells).map(|cell| cell.unwrap().timestamp());
    assert_eq!(times.collect::<Vec<_>>(), [9, 5, 9]);

    let other = Delete::new("r").column_until("f", "q", Timestamp::from_millis(5));
    let step = RowMutations::new("r").add(other).add(Delete::new("r"));
    let mut op = lower(step.into(), &to, CONTEXT).unwrap();
    op.date(9);
    let messages = op.request.messages().iter();
    let times = messages.map(|m| MutationProto::decode(m.clone()).unwrap().timestamp);
    assert_eq!(times.collect::<Vec<_>>(), [None, Some(9)]);
}

#[test]
fn a_delete_of_the_newest_version_gets_no_time_which_would_name_another_version() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::Idempotent);
    let newest = Delete::new("r").newest_version("f", "a");
    let op = lower(newest.into(), &to, CONTEXT).unwrap();
    assert_eq!((op.undated, op.idempotency), (None, Idempotency::Never));
}

/// On HBase 2.5.10, counters were returned with bytes of other requests in them, in a suite with concurrent tests.
#[test]
fn increments_and_appends_carry_their_cells_in_the_message() {
    let table = "t".parse().unwrap();
    let to = target(&table, DeliveryGuarantee::AtMostOnce);
    let message = |mutation: Mutation| {
        let op = lower(mutation.into(), &to, CONTEXT).unwrap();
        (MutationProto::decode(op.request.messages()[0].clone()).unwrap(), op.cells)
    };
    let increment = Increment::new("r").add("f", "a", 1).add("g", "b", 2).add("f", "c", 3);
    for mutation in [increment.into(), Append::new("r").add("f", "a", "x").into()] {
        let (message, cells) = message(mutation);
        assert!(cells.is_empty() && message.associated_cell_count.is_none());
        assert_eq!(
            message.column_value[0].qualifier_value[0].qualifier.as_deref(),
            Some(&b"a"[..])
        );
        assert_eq!(message.nonce, Some(7));
    }
    let (message, cells) = message(Put::new("r").cell("f", "a", "x").into());
    assert!(!cells.is_empty() && message.column_value.is_empty());
    assert_eq!((message.associated_cell_count, message.nonce), (Some(1), None));
}

fn op(mutations: RowMutations) -> Result<RowOp> {
    let table = "t".parse().unwrap();
    lower(mutations.into(), &target(&table, DeliveryGuarantee::AtLeastOnce), CONTEXT)
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
    let repeat = |mutations| op(mutations).unwrap().idempotency;
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
    let request = |mutations| op(mutations).unwrap().request;
    assert!(matches!(request(row().add(row().add(put("a")))), Request::Mutate(_)));
    let nested = row().add(row().add(put("a")).add(put("b"))).add(put("c"));
    assert!(matches!(request(nested), Request::MutateRow(m) if m.len() == 3));
}

#[test]
fn what_would_be_lost_in_one_step_is_refused() {
    let add = || Increment::new("r").add("f", "n", 1);
    let both = "column f:n is written by two of its changes";
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
