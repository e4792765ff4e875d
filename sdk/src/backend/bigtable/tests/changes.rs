//! Tests of change streams: what they return, streams that break, partitions that are divided and
//! merged, and positions that are too old.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tallrow_mock::{Change, Fault, MockCluster, MockClusterBuilder, StatusCode};
use tokio::time::timeout;

use super::scripted::{Scripted, answering_by};
use super::{piped, quick};
use crate::admin::SchemaDiff;
use crate::changes::{
    CellChange, ChangePosition, ChangeRecord, ChangeSource, ChangeStream, ColumnChange, RowChanges,
    TypedChanges,
};
use crate::op::{AddToCells, MergeToCells};
use crate::query::SqlValue;
use crate::value::Aggregated;
use crate::wire::bigtable::{
    CloseStream, DataChange, DataChangeType, GenerateInitialChangeStreamPartitionsResponse,
    Heartbeat, ReadChangeStreamRequest, ReadChangeStreamResponse, StartFrom, Status,
    StreamContinuationToken, StreamPartition, StreamRecord,
};
use crate::{
    Append, Client, Delete, ErrorKind, FamilyDescriptor, Increment, Put, RawTable, Result,
    TableDescriptor, Timestamp,
};

const DAY: Duration = Duration::from_secs(86_400);
/// When the clocks of the mocks begin.
const BEGIN: u64 = 1_700_000_000_000;

fn at(millis: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(millis)
}

fn described() -> TableDescriptor {
    use crate::admin::Aggregate;
    TableDescriptor::new("t")
        .unwrap()
        .family(FamilyDescriptor::new("f"))
        .family(FamilyDescriptor::new("s").aggregate(Aggregate::Sum))
}

async fn started(builder: MockClusterBuilder, table: TableDescriptor) -> (MockCluster, Client) {
    let builder = builder.in_memory().servers(1).bigtable_port(0).clock_start_ms(BEGIN);
    let cluster = builder.start().await.unwrap();
    let config = piped(&cluster, quick());
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    client.admin().create_table(&table).await.unwrap();
    (cluster, client)
}

async fn table_with_stream() -> (MockCluster, RawTable) {
    let table = described().change_stream_retention(DAY);
    let (cluster, client) = started(MockCluster::builder(), table).await;
    (cluster, client.raw_table("t").unwrap())
}

async fn next_change<C>(changes: &mut ChangeStream<C>) -> Result<C> {
    loop {
        let record = changes.next_record().await?.expect("the stream has no end");
        if let Some(change) = record.into_change() {
            return Ok(change);
        }
    }
}

/// Reads all that is there, and then heartbeats.
async fn read_rows(changes: &mut ChangeStream) -> Vec<String> {
    let mut rows = Vec::new();
    loop {
        match changes.next_record().await.unwrap().unwrap() {
            ChangeRecord::Change(change) => {
                rows.push(String::from_utf8(change.row.to_vec()).unwrap());
            }
            ChangeRecord::Heartbeat { .. } => return rows,
            ChangeRecord::PartitionClosed { .. } => {}
        }
    }
}

/// Merges the partition of a row with the one after it.
fn merge(mock: &MockCluster, row: &str) {
    mock.apply(&Change::MergeRegions { table: "t".into(), row: row.into() }).unwrap();
}

fn put(row: &str, value: &'static str) -> Put {
    Put::new(row).cell("f", "q", value)
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_change_is_returned_as_it_was_made() {
    for torn in [false, true] {
        let builder = MockCluster::builder().seed(5);
        let builder = if torn { builder.torn_rows() } else { builder };
        let (_mock, client) = started(builder, described().change_stream_retention(DAY)).await;
        let table = client.raw_table("t").unwrap();
        let mut changes = table.changes().since(at(BEGIN)).open().unwrap();
        let time = Timestamp::from_millis(7);
        table
            .put(put("r", "a long value").cell_at("f", "w", time, "").cell("f", "x", "z"))
            .await
            .unwrap();
        table.increment(Increment::new("r").add("f", "n", 5)).await.unwrap();
        table.append(Append::new("r").add("f", "w", "end")).await.unwrap();
        table
            .add_to_cells(AddToCells::new("r").add("s", "n", 3).add_at("s", "n", time, -1))
            .await
            .unwrap();
        table
            .merge_to_cells(MergeToCells::new("r").merge("s", "n", 4_i64.to_be_bytes()))
            .await
            .unwrap();
        table.delete(Delete::new("r").column("f", "q")).await.unwrap();
        table.delete(Delete::new("r").family("f")).await.unwrap();
        table.delete("r").await.unwrap();
        table.put(put("r", "again")).await.unwrap();
        client.admin().bigtable().unwrap().drop_rows("t", b"r").await.unwrap();

        let mut cells = Vec::new();
        let mut last = UNIX_EPOCH;
        for _ in 0..10 {
            let RowChanges { row, cells: of, source, committed_at, partition, .. } =
                next_change(&mut changes).await.unwrap();
            assert_eq!(
                (&row[..], partition.start(), partition.end()),
                (&b"r"[..], &b""[..], &b""[..])
            );
            assert_eq!(source, ChangeSource::User { cluster: "mock-c1".into() });
            assert!(committed_at > last);
            last = committed_at;
            cells.push(of);
        }
        let set = |cell: &CellChange, of: &str, is: &[u8]| {
            matches!(cell, CellChange::Set { family, qualifier, value, .. }
                if family == "f" && qualifier == of && *value == *is)
        };
        assert_eq!(cells[0].len(), 3);
        assert!(set(&cells[0][0], "q", b"a long value") && set(&cells[0][2], "x", b"z"));
        assert!(matches!(&cells[0][1], CellChange::Set { timestamp, .. } if *timestamp == time));
        assert!(set(&cells[1][0], "n", &5_i64.to_be_bytes()) && set(&cells[2][0], "w", b"end"));
        let added = |cell: &CellChange, at, amount| {
            matches!(cell, CellChange::Add { family, timestamp, input, .. }
                if family == "s" && *timestamp == at && *input == SqlValue::Int64(amount))
        };
        let zero = Timestamp::default();
        assert!(added(&cells[3][0], zero, 3) && added(&cells[3][1], time, -1), "{:?}", cells[3]);
        assert!(matches!(&cells[4][..], [CellChange::Merge { state: SqlValue::Bytes(state), .. }]
            if **state == 4_i64.to_be_bytes()));
        assert!(
            matches!(&cells[5][..], [CellChange::DeleteColumn { qualifier, from: None, to: None, .. }]
            if qualifier == "q")
        );
        assert!(matches!(&cells[6][..], [CellChange::DeleteFamily { family }] if family == "f"));
        let deleted: Vec<_> =
            ["f", "s"].map(|f| CellChange::DeleteFamily { family: f.into() }).into();
        assert_eq!(cells[7], deleted);
        assert!(set(&cells[8][0], "q", b"again"));
        assert_eq!(cells[9], deleted);
        // A replay of an addition, and a change that was refused, are no changes.
        table.put(Put::new("r").cell("none", "q", "v")).await.unwrap_err();
        assert_eq!(read_rows(&mut changes).await, [""; 0]);
    }
}

#[derive(crate::RowKey, Clone, Debug, PartialEq)]
#[row_key(crate = "crate")]
struct Id {
    id: u16,
}

#[derive(crate::Table, Debug)]
#[table(name = "t", crate = "crate")]
#[family("f")]
#[family("s", aggregate = "sum")]
struct Item {
    #[key]
    id: Id,
    #[cell("f:q")]
    name: String,
    #[cell("f:n")]
    size: Option<u32>,
    #[cell("s:c")]
    seen: crate::Counter,
}

#[tokio::test(start_paused = true)]
async fn typed_changes_have_the_keys_and_values_of_their_type() {
    let (_mock, client) =
        started(MockCluster::builder(), described().change_stream_retention(DAY)).await;
    let items = client.table::<Item>();
    let mut changes = items.changes().unwrap().since(at(BEGIN)).open().unwrap();
    let item = Item { id: Id { id: 7 }, name: "a".into(), size: None, seen: crate::Counter(0) };
    assert_eq!((&*item.name, item.size, item.seen), ("a", None, crate::Counter(0)));
    items.put(&item).await.unwrap();
    items.increment(&Id { id: 7 }, Item::SEEN, 2).await.unwrap();
    items.raw().unwrap().put(put("other", "key")).await.unwrap();
    items.raw().unwrap().put(Put::new([0, 8]).cell("f", "n", "x")).await.unwrap();
    items.delete(&Id { id: 7 }).await.unwrap();

    let change = next_change(&mut changes).await.unwrap();
    assert_eq!(change.key, item.id);
    assert_eq!(change.column(Item::NAME).unwrap(), ColumnChange::Set("a".to_owned()));
    assert_eq!(change.column(Item::SIZE).unwrap(), ColumnChange::Unchanged);
    let change = next_change(&mut changes).await.unwrap();
    assert!(matches!(change.column(Item::SEEN).unwrap(), ColumnChange::Added(2)));
    // A key that is none of the type is an error, and the stream goes on.
    let error = next_change(&mut changes).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Decode, "read changes"));
    assert!(error.to_string().contains("other"), "{error}");
    let change = next_change(&mut changes).await.unwrap();
    let error = change.column(Item::SIZE).unwrap_err();
    assert!(error.to_string().contains("column f:n"), "{error}");
    let change = next_change(&mut changes).await.unwrap();
    assert_eq!(change.column(Item::NAME).unwrap(), ColumnChange::Deleted);
    assert_eq!(change.row[..], [0, 7]);
}

#[derive(crate::Table, Debug)]
#[table(name = "t", crate = "crate")]
#[family("s", aggregate = "sum")]
#[family("l", aggregate = "min")]
struct Tally {
    #[key]
    id: Id,
    #[cell("s:c")]
    sum: crate::Counter,
    #[cell("l:c")]
    least: Aggregated<i64>,
}

/// A state that was merged left the column unchanged, additions to a minimum were summed, and one
/// after a deletion in the same step seemed to be added to what was there before.
#[tokio::test(start_paused = true)]
async fn additions_are_told_apart_from_what_only_the_table_knows() {
    use crate::admin::Aggregate;
    let described = described().family(FamilyDescriptor::new("l").aggregate(Aggregate::Min));
    let described = described.change_stream_retention(DAY);
    let (_mock, client) = started(MockCluster::builder(), described).await;
    let raw = client.raw_table("t").unwrap();
    let mut changes = client.table::<Tally>().changes().unwrap().since(at(BEGIN)).open().unwrap();
    let add = || AddToCells::new([0, 1]);
    raw.add_to_cells(add().add("s", "c", 3).add("s", "c", 4).add("l", "c", 9).add("l", "c", -5))
        .await
        .unwrap();
    raw.merge_to_cells(MergeToCells::new([0, 1]).merge("s", "c", 4_i64.to_be_bytes()))
        .await
        .unwrap();
    let mut change = next_change(&mut changes).await.unwrap();
    assert_eq!(change.key, Id { id: 1 });
    let columns = |change: &TypedChanges<Tally>| {
        (change.column(Tally::SUM).unwrap(), change.column(Tally::LEAST).unwrap())
    };
    assert_eq!(columns(&change), (ColumnChange::Added(7), ColumnChange::Added(-5)));
    let merged = next_change(&mut changes).await.unwrap();
    assert_eq!(columns(&merged), (ColumnChange::Merged, ColumnChange::Unchanged));
    let delete = CellChange::DeleteFamily { family: "s".into() };
    change.changes.cells.insert(0, delete.clone());
    assert_eq!(columns(&change).0, ColumnChange::Merged);
    change.changes.cells.push(delete);
    assert_eq!(columns(&change).0, ColumnChange::Deleted);
    let tally = Tally { id: Id { id: 1 }, sum: crate::Counter(0), least: Aggregated(None) };
    assert_eq!((tally.id.id, tally.sum, tally.least), (1, crate::Counter(0), Aggregated(None)));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_continues_at_its_token() {
    for seed in 0..4 {
        let builder = MockCluster::builder().seed(seed).torn_rows();
        let (mock, client) = started(builder, described().change_stream_retention(DAY)).await;
        let table = client.raw_table("t").unwrap();
        let rows: Vec<String> = (0..20).map(|n| format!("r{n}")).collect();
        for row in &rows {
            table.put(put(row, "a long value")).await.unwrap();
        }
        for fault in [
            Fault::on("ReadChangeStream").times(9).fail_midway(StatusCode::Unavailable, "half"),
            Fault::on("ReadChangeStream").times(9).reset_stream(),
            Fault::on("ReadChangeStream").times(3).truncate_reply(),
            Fault::on("ReadChangeStream").times(3).close_before(),
            Fault::on("ReadChangeStream").times(3).fail(StatusCode::Unavailable, "later"),
            Fault::on("ReadChangeStream").times(1).drop_request(),
            Fault::on("GenerateInitialChangeStreamPartitions")
                .times(3)
                .fail(StatusCode::Unavailable, "later"),
        ] {
            mock.inject(fault.clone());
            let mut changes = table.changes().since(at(BEGIN)).open().unwrap();
            assert_eq!(read_rows(&mut changes).await, rows, "{seed}: {fault:?}");
            assert!(mock.unfired_faults().is_empty(), "{fault:?}");
            mock.clear_faults();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_begins_now_loses_nothing_when_it_breaks() {
    let (mock, table) = table_with_stream().await;
    table.put(put("before", "v")).await.unwrap();
    let mut changes = table.changes().open().unwrap();
    assert!(matches!(
        changes.next_record().await.unwrap(),
        Some(ChangeRecord::Heartbeat { low_watermark: Some(_), .. })
    ));
    assert!(changes.low_watermark().unwrap() >= at(BEGIN));
    let saved = changes.position();
    drop(changes);
    table.put(put("after", "v")).await.unwrap();
    mock.inject(Fault::on("ReadChangeStream").times(2).reset_stream());
    let mut changes = table.changes().resume(&saved).open().unwrap();
    assert_eq!(read_rows(&mut changes).await, ["after"]);
    // A future that is dropped loses no record.
    table.put(put("later", "v")).await.unwrap();
    for _ in 0..3 {
        drop(timeout(Duration::ZERO, changes.next_record()).await);
    }
    let position = changes.position();
    let mut again = table.changes().resume(&position).open().unwrap();
    let (left, of_again) = (read_rows(&mut changes).await, read_rows(&mut again).await);
    assert_eq!(left, of_again);
}

#[tokio::test(start_paused = true)]
async fn partitions_are_followed_where_they_are_divided_and_merged() {
    let (mock, table) = table_with_stream().await;
    let mut changes = table.changes().since(at(BEGIN)).open().unwrap();
    let mut at_start = table.changes().since(at(BEGIN)).open().unwrap();
    table.put(put("a", "1")).await.unwrap();
    assert_eq!(read_rows(&mut changes).await, ["a"]);
    mock.split_region("t", b"m").unwrap();
    for row in ["a", "x"] {
        table.put(put(row, "2")).await.unwrap();
    }
    mock.split_region("t", b"g").unwrap();
    merge(&mock, "a");
    table.put(put("h", "3")).await.unwrap();
    merge(&mock, "a");
    table.put(put("x", "4")).await.unwrap();
    let mut closed = Vec::new();
    let mut rows = Vec::new();
    while rows.len() < 4 {
        match changes.next_record().await.unwrap().unwrap() {
            ChangeRecord::Change(change) => rows.push((change.row, change.partition)),
            ChangeRecord::PartitionClosed { partition, followed_by } => {
                let ends = followed_by.iter().map(|of| of.end().to_vec()).collect::<Vec<_>>();
                closed.push((partition.end().to_vec(), ends));
            }
            ChangeRecord::Heartbeat { .. } => {}
        }
    }
    let of = |row: &str| rows.iter().filter(|(found, _)| found == row).count();
    assert_eq!((of("a"), of("x"), of("h")), (1, 2, 1));
    assert_eq!(closed.len(), 1 + 1 + 2 + 2, "{closed:?}");
    assert!(closed.contains(&(b"m".to_vec(), vec![b"g".to_vec(), b"m".to_vec()])), "{closed:?}");
    // A stream that comes later finds the same.
    let mut found = Vec::new();
    while found.len() < 5 {
        found.extend(at_start.next_record().await.unwrap().unwrap().into_change());
    }
    let of_x: Vec<_> = found.iter().filter(|change| change.row == "x").collect();
    assert!(of_x[0].committed_at < of_x[1].committed_at);
    assert_eq!(read_rows(&mut at_start).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_where_it_is_asked_to() {
    let (mock, table) = table_with_stream().await;
    mock.split_region("t", b"m").unwrap();
    table.put(put("a", "1")).await.unwrap();
    let end = BEGIN + 1_000;
    let changes = table.changes().since(at(BEGIN)).until(at(end));
    let mut changes = changes.open().unwrap();
    assert_eq!(next_change(&mut changes).await.unwrap().row, "a");
    mock.advance_clock(Duration::from_secs(2)).unwrap();
    table.put(put("z", "late")).await.unwrap();
    let mut ended = 0;
    while let Some(record) = changes.next_record().await.unwrap() {
        match record {
            ChangeRecord::PartitionClosed { followed_by, .. } => {
                assert_eq!(followed_by, []);
                ended += 1;
            }
            ChangeRecord::Change(change) => panic!("{change:?}"),
            ChangeRecord::Heartbeat { .. } => {}
        }
    }
    assert_eq!(ended, 2);
    assert_eq!(changes.next_record().await.unwrap(), None);
    // A position at the end has nothing more.
    let saved = changes.position().to_string();
    let saved = saved.parse::<ChangePosition>().unwrap();
    let mut again = table.changes().resume(&saved).open().unwrap();
    assert_eq!(again.next_record().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_kept_any_more_is_an_error_that_says_what_to_do() {
    let (mock, table) = table_with_stream().await;
    table.put(put("a", "1")).await.unwrap();
    let mut changes = table.changes().since(at(BEGIN)).open().unwrap();
    assert_eq!(next_change(&mut changes).await.unwrap().row, "a");
    let old = changes.position();
    drop(changes);
    mock.advance_clock(DAY + Duration::from_secs(1)).unwrap();
    for (builder, advice) in [
        (table.changes().resume(&old), "since the position are not kept any more"),
        (
            table.changes().since(at(BEGIN)),
            "of that time are not kept, or not any more: begin at a",
        ),
    ] {
        let mut changes = builder.open().unwrap();
        let error = changes.next_record().await.unwrap_err();
        assert_eq!(
            (error.kind(), error.exception()),
            (ErrorKind::DoNotRetry, Some("OUT_OF_RANGE"))
        );
        assert!(error.to_string().contains(advice), "{error}");
        assert_eq!(error.operation(), "read changes");
        assert_eq!(changes.next_record().await.unwrap(), None);
    }
    let future = table.changes().since(at(BEGIN + 2 * 86_400_000 + 60_000));
    let error = future.open().unwrap().next_record().await.unwrap_err();
    assert!(error.to_string().contains("not in the future"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_given_changed_and_ended_by_altering_the_table() {
    let (_mock, client) = started(MockCluster::builder(), described()).await;
    let table = client.raw_table("t").unwrap();
    let error = table.changes().open().unwrap().next_record().await.unwrap_err();
    assert_eq!(error.exception(), Some("FAILED_PRECONDITION"));
    assert!(error.to_string().contains("TableDescriptor::change_stream_retention"), "{error}");

    let admin = client.admin();
    let diff =
        async |wanted: &TableDescriptor| -> SchemaDiff { admin.diff_table(wanted).await.unwrap() };
    let wanted = described().change_stream_retention(DAY);
    admin.alter(&diff(&wanted).await).await.unwrap();
    let live = admin.describe("t").await.unwrap();
    assert_eq!(live.get("CHANGE_STREAM_RETENTION"), Some("86400"));
    assert!(diff(&wanted).await.is_empty() && diff(&described()).await.is_empty());
    let mut changes = table.changes().open().unwrap();
    assert_eq!(read_rows(&mut changes).await, [""; 0]);
    let position = changes.position();

    let longer = described().change_stream_retention(2 * DAY);
    admin.alter(&diff(&longer).await).await.unwrap();
    let none = described().attribute("CHANGE_STREAM_RETENTION", "NONE");
    let ending = diff(&none).await;
    let error = admin.alter(&ending).await.unwrap_err();
    assert!(error.to_string().contains("loses changes in the stream"), "{error}");
    admin.alter(&ending.allow("CHANGE_STREAM_RETENTION")).await.unwrap();
    assert_eq!(admin.describe("t").await.unwrap().get("CHANGE_STREAM_RETENTION"), None);
    // A stream that is read ends with an error, and a new stream of the table is another one.
    let error = changes.next_record().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
    admin.alter(&diff(&wanted).await).await.unwrap();
    let error = table.changes().resume(&position).open().unwrap().next_record().await.unwrap_err();
    assert_eq!(error.exception(), Some("FAILED_PRECONDITION"), "{error}");
    for days in [0, 8] {
        let table = described().with_name("u").unwrap().change_stream_retention(days * DAY);
        let error = admin.create_table(&table).await.unwrap_err();
        assert!(error.to_string().contains("from 86400 (a day)"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn wrong_requests_are_not_sent() {
    let (mock, table) = table_with_stream().await;
    let other = table.changes().open().unwrap().position();
    let mut bytes = other.to_bytes();
    assert_eq!(bytes[3], b't');
    bytes[3] = b'u';
    let other = ChangePosition::from_bytes(&bytes).unwrap();
    let error = table.changes().resume(&other).open().unwrap_err();
    assert!(error.to_string().contains("one of the table u"), "{error}");
    for every in [Duration::from_millis(99), Duration::from_secs(3_601)] {
        let error = table.changes().heartbeat(every).open().unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "read changes"));
    }
    assert_eq!(mock.call_count("ReadChangeStream"), 0);
    let config = piped(&mock, quick());
    let hbase = Client::connect_with(&mock.url(), config).await.unwrap();
    let error = hbase.raw_table("t").unwrap().changes().open().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let table = described().with_name("u").unwrap();
    let of_hbase = TableDescriptor::new(table.name()).unwrap().family(FamilyDescriptor::new("f"));
    hbase.admin().create_table(&of_hbase).await.unwrap();
    let diff = of_hbase.clone().change_stream_retention(DAY).diff(&of_hbase);
    for error in [
        hbase.admin().create_table(&of_hbase.change_stream_retention(DAY)).await.unwrap_err(),
        hbase.admin().alter(&diff).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("leave out CHANGE_STREAM_RETENTION"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_service_that_stays_away_ends_the_stream_and_its_position_remains() {
    let (mock, table) = table_with_stream().await;
    table.put(put("a", "1")).await.unwrap();
    let mut changes = table.changes().since(at(BEGIN)).open().unwrap();
    assert_eq!(read_rows(&mut changes).await, ["a"]);
    table.put(put("b", "1")).await.unwrap();
    let position = changes.position();
    mock.inject(Fault::on("ReadChangeStream").fail(StatusCode::Unavailable, "away"));
    let mut resumed = table.changes().resume(&position).open().unwrap();
    let error = resumed.next_record().await.unwrap_err();
    assert!(error.to_string().contains("away"), "{error}");
    assert_eq!(resumed.position(), position);
    mock.clear_faults();
    let mut resumed = table.changes().resume(&resumed.position()).open().unwrap();
    assert_eq!(read_rows(&mut resumed).await, ["b"]);
}

fn response(record: StreamRecord) -> ReadChangeStreamResponse {
    ReadChangeStreamResponse { stream_record: Some(record) }
}

fn whole() -> StreamPartition {
    StreamPartition::of("".into(), "".into())
}

fn token(text: &str) -> StreamContinuationToken {
    StreamContinuationToken { partition: Some(whole()), token: text.into() }
}

/// A server that answers each ReadChangeStream by this function.
async fn scripted(
    answer: impl Fn(ReadChangeStreamRequest) -> Vec<ReadChangeStreamResponse> + Send + Sync + 'static,
) -> RawTable {
    use prost::Message;
    answering_by(move |message| {
        let request = ReadChangeStreamRequest::decode(message).unwrap_or_default();
        match request.partition {
            Some(_) => Scripted::of(&answer(request)),
            None => Scripted::of(&[GenerateInitialChangeStreamPartitionsResponse {
                partition: Some(whole()),
            }]),
        }
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn garbage_collection_and_ends_without_a_close_are_understood() {
    let table = scripted(|request| {
        let collected = DataChange {
            r#type: DataChangeType::GarbageCollection as i32,
            row_key: "r".into(),
            commit_timestamp: Some(Default::default()),
            done: true,
            token: "1".into(),
            ..DataChange::default()
        };
        let heartbeat = |text| {
            response(StreamRecord::Heartbeat(Heartbeat {
                continuation_token: Some(token(text)),
                estimated_low_watermark: None,
            }))
        };
        match request.start_from {
            // Each of these streams ends without saying why.
            None => vec![response(StreamRecord::DataChange(collected))],
            Some(StartFrom::ContinuationTokens(tokens)) if tokens.tokens == [token("1")] => {
                vec![heartbeat("2")]
            }
            Some(StartFrom::ContinuationTokens(tokens)) if tokens.tokens == [token("2")] => {
                let status = Some(Status { code: 14, ..Status::default() });
                let close = CloseStream { status, ..CloseStream::default() };
                vec![heartbeat("3"), response(StreamRecord::CloseStream(close))]
            }
            _ => vec![heartbeat("4")],
        }
    });
    let mut changes = table.await.changes().open().unwrap();
    let change = next_change(&mut changes).await.unwrap();
    assert_eq!((change.source, change.low_watermark), (ChangeSource::GarbageCollection, None));
    for _ in 0..4 {
        let record = changes.next_record().await.unwrap().unwrap();
        assert!(matches!(record, ChangeRecord::Heartbeat { .. }), "{record:?}");
    }
    assert_eq!(changes.low_watermark(), None);
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_none_of_a_service_are_protocol_errors() {
    let half = StreamPartition::of("".into(), "m".into());
    let of_half = StreamContinuationToken { partition: Some(half.clone()), token: "t".into() };
    let close = |continuation_tokens, new_partitions| {
        StreamRecord::CloseStream(CloseStream { status: None, continuation_tokens, new_partitions })
    };
    let cases = [
        (ReadChangeStreamResponse { stream_record: None }, "without content"),
        (response(StreamRecord::Heartbeat(Heartbeat::default())), "without a position"),
        (response(StreamRecord::DataChange(DataChange::default())), "the unknown type 0"),
        (response(close(vec![of_half.clone()], vec![half.clone()])), "only"),
        (response(close(vec![token("t")], vec![half.clone()])), "no part of"),
        (response(close(vec![token("t")], vec![half.clone(), half])), "in 2 new partitions"),
    ];
    for (answer, expected) in cases {
        let table = scripted(move |_| vec![answer.clone()]).await;
        let mut changes = table.changes().open().unwrap();
        let error = changes.next_record().await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::Protocol, "read changes"));
        assert!(error.to_string().contains(expected), "no {expected:?} in {error}");
        assert_eq!(changes.next_record().await.unwrap(), None);
    }
}

/// A server could otherwise keep a reader for ever, which waits for messages and gets them.
#[tokio::test(start_paused = true)]
async fn a_change_that_never_ends_is_a_protocol_error() {
    let part = |r#type| DataChange {
        r#type: r#type as i32,
        row_key: "r".into(),
        commit_timestamp: Some(Default::default()),
        ..DataChange::default()
    };
    let first = response(StreamRecord::DataChange(part(DataChangeType::User)));
    let mut parts =
        vec![response(StreamRecord::DataChange(part(DataChangeType::Continuation))); 2_000];
    parts.insert(0, first);
    let table = scripted(move |_| parts.clone()).await;
    let mut changes = table.changes().open().unwrap();
    let error = changes.next_record().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Protocol, "read changes"));
    assert!(error.to_string().contains("more than 1000 empty messages"), "{error}");
    assert_eq!(changes.next_record().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn partitions_with_the_same_rows_are_a_protocol_error() {
    let first = |start: &'static str, end: &'static str| {
        let partition = Some(StreamPartition::of(start.into(), end.into()));
        GenerateInitialChangeStreamPartitionsResponse { partition }
    };
    let answer = [first("b", ""), first("", "c")];
    let table = answering_by(move |_| Scripted::of(&answer)).await;
    let error = table.changes().open().unwrap().next_record().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(error.to_string().contains("with the same rows"), "{error}");
}
