//! What users of Google's emulator have reported as different from the service, each answered as
//! the service does according to the report, its answers, or the descriptions of the messages.
//!
//! A report is named by its repository and number: `go`, `cpp` and `python` are `google-cloud-go`,
//! `google-cloud-cpp` and `google-cloud-python` of `googleapis` on GitHub, `java`, `java-hbase` and
//! `node` are `java-bigtable`, `java-bigtable-hbase` and `nodejs-bigtable`. Others are named with
//! their owner.
//!
//! These reports have tests elsewhere:
//!
//! - the chance of rows in samples (go#840, go#1086), and how far a scan is (go#8343):
//!   `a_limit_counts_rows_that_pass_and_a_blocked_scan_tells_how_far_it_is`
//! - ranges of columns, times and values (go#261): `each_filter_takes_its_cells`
//! - filters that are incomplete (go#4201) or too large (java-hbase#2192):
//!   `bad_filters_are_refused`
//! - no mutations (go#4309), times that are no milliseconds (go#12022, java-hbase#2255):
//!   `what_the_service_refuses_is_refused_with_its_code`
//! - the entry with an unknown family (go#611):
//!   `a_mutation_of_many_rows_has_an_outcome_for_each`
//! - the deletion of a row (go#152):
//!   `deletions_take_what_is_there_and_nothing_that_comes_later`
//! - a family that is dropped and added again (go#4202): `families_are_changed_all_or_none`
//! - requests of more than 4 MiB (go#1270):
//!   `a_large_row_is_divided_over_messages_and_small_ones_share_them`
//! - rows of more than 4 MiB in one message (go#667, node#122):
//!   `a_row_of_any_size_is_in_one_message_for_clients_in_go`
//! - `PingAndWarm` (go#5803): `everything_is_consistent_at_once_and_a_ping_is_answered`
//! - requests that end the emulator (python#2249):
//!   `an_unknown_method_is_unimplemented_and_an_empty_request_never_ends_the_server`
//! - the counts of a read (go#7141): `a_read_is_counted_if_that_is_asked_for`

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::Filter as F;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Call, Client, INSTANCE, bytes, create, family, set};
use crate::filters::{chain, condition, filter, interleave};

fn times(start_timestamp_micros: i64, end_timestamp_micros: i64) -> F {
    F::TimestampRangeFilter(TimestampRange { start_timestamp_micros, end_timestamp_micros })
}

fn columns(family: &str) -> F {
    F::ColumnRangeFilter(ColumnRange { family_name: family.into(), ..Default::default() })
}

fn by_filter(of: F) -> ReadRowsRequest {
    ReadRowsRequest { filter: Some(filter(of)), ..Default::default() }
}

fn by_range(start: StartKey, end: EndKey) -> ReadRowsRequest {
    let range = RowRange { start_key: Some(start), end_key: Some(end) };
    let rows = RowSet { row_keys: Vec::new(), row_ranges: vec![range] };
    ReadRowsRequest { rows: Some(rows), ..Default::default() }
}

fn from(key: &'static str) -> StartKey {
    StartKey::StartKeyClosed(key.into())
}

fn before(key: &'static str) -> EndKey {
    EndKey::EndKeyOpen(key.into())
}

const A1: &str = "a/f:p@1000=1";
const A2: &str = "a/f:q@2000=2";
const A3: &str = "a/f:q@1000=3";
const A4: &str = "a/g:p@1000=4";
const EMPTY: &str = "ab/f:p@1000=";
const BINARY: &str = "b\\xff/g:\\xfe\\x01@3000=\\x80\\n";

/// A table with these cells.
async fn client() -> (Client, String) {
    let client = Client::start().await;
    let table = client.table("t", &["f", "g"], &["ab"]).await;
    let cells = [
        ("f", "p", 1000, "1"),
        ("f", "q", 2000, "2"),
        ("f", "q", 1000, "3"),
        ("g", "p", 1000, "4"),
    ];
    client.put(&table, "a", &cells).await;
    client.put(&table, "ab", &[("f", "p", 1000, "")]).await;
    let cell = SetCell {
        family_name: "g".into(),
        column_qualifier: b"\xfe\x01"[..].into(),
        timestamp_micros: 3000,
        value: b"\x80\n"[..].into(),
    };
    let request = MutateRowRequest {
        table_name: table.clone(),
        row_key: b"b\xff"[..].into(),
        mutations: vec![Mutation { mutation: Some(Change::SetCell(cell)) }],
        ..Default::default()
    };
    client.call(method::MUTATE_ROW, request).await.unwrap();
    (client, table)
}

/// Reports about what a read returns: the report, the read, and the cells.
fn reads() -> Vec<(&'static str, ReadRowsRequest, Vec<&'static str>)> {
    let family = |name: &str| F::FamilyNameRegexFilter(name.into());
    let column = |pattern: &'static [u8]| F::ColumnQualifierRegexFilter(pattern.into());
    let value = |pattern: &'static [u8]| F::ValueRegexFilter(pattern.into());
    let row = |pattern: &'static [u8]| F::RowKeyRegexFilter(pattern.into());
    let in_column = |text| chain(vec![family("f"), column(b"q"), value(text)]);
    let everything = || Some(F::PassAllFilter(true));
    let a = || vec![A1, A2, A3, A4];
    let all = || [a(), vec![EMPTY, BINARY]].concat();
    let page = [family("f"), F::CellsPerRowOffsetFilter(1), F::CellsPerRowLimitFilter(1)];
    let limited = |request, rows_limit| ReadRowsRequest { rows_limit, ..request };
    let no_keys = ReadRowsRequest { rows: Some(RowSet::default()), ..Default::default() };
    let missing = RowSet { row_keys: vec![bytes("none")], row_ranges: Vec::new() };
    let labelled = chain(vec![value(b"4"), F::ApplyLabelTransformer("l".into())]);
    vec![
        ("go#804", by_filter(condition(in_column(b"2"), everything(), None)), a()),
        ("go#1712", by_filter(condition(in_column(b"none"), everything(), None)), vec![]),
        ("go#1399", by_filter(condition(in_column(b"2"), None, everything())), vec![EMPTY, BINARY]),
        ("go#842", by_filter(condition(row(b"a"), Some(column(b"p")), None)), vec![A1, A4]),
        ("go#839", by_filter(F::BlockAllFilter(true)), vec![]),
        ("go#843", by_filter(interleave(vec![value(b"2"), column(b"q")])), vec![A2, A2, A3]),
        ("go#623", by_filter(interleave(vec![family("f"), family("g")])), all()),
        ("go#184", by_filter(family("f|none")), vec![A1, A2, A3, EMPTY]),
        ("go#1499", by_filter(value(b"|4")), vec![A4, EMPTY]),
        ("go#1355", by_filter(row(b"a")), a()),
        ("go#1355", by_filter(row(b"a.*")), [a(), vec![EMPTY]].concat()),
        ("go#1531", by_filter(column(b"\xfe\\C*")), vec![BINARY]),
        ("java#378", by_filter(row(b"b\xff")), vec![BINARY]),
        ("java#378", by_filter(row(b"\\Qb\xff\\E\\C*")), vec![BINARY]),
        ("node#128", by_filter(value(b"\x80\n|1")), vec![A1, BINARY]),
        ("go#9149", by_filter(chain(vec![row(b"a"), times(2000, 2001)])), vec![A2]),
        ("go#9149", by_filter(chain(vec![row(b"a"), times(1001, 2000)])), vec![]),
        ("java#98", by_filter(chain(vec![row(b"a"), times(1001, 0)])), vec![A2]),
        ("java-hbase#1539", by_filter(chain(page.to_vec())), vec![A2]),
        ("python#2322", by_filter(labelled), vec!["a/g:p@1000=4 #l"]),
        ("go#319", limited(ReadRowsRequest::default(), 1), a()),
        ("go#322", limited(by_range(from("a"), before("b")), 1), a()),
        ("go#322", by_range(from("ab"), before("ac")), vec![EMPTY]),
        ("go#826", by_range(from("a"), EndKey::EndKeyClosed("a".into())), a()),
        ("go#958", no_keys, all()),
        ("node#779", ReadRowsRequest { rows: Some(missing), ..Default::default() }, vec![]),
        (
            "go#8197",
            ReadRowsRequest { reversed: true, rows_limit: 2, ..Default::default() },
            vec![BINARY, EMPTY],
        ),
    ]
}

/// Like Bigtable: reads that Google's emulator has answered otherwise, by the reports of its users.
#[tokio::test]
async fn reads_are_answered_as_the_service_does_by_the_reports() {
    let (client, table) = client().await;
    for (report, read, expected) in reads() {
        let request = ReadRowsRequest { table_name: table.clone(), ..read };
        let (answers, end) = client.stream(method::READ_ROWS, request.clone()).await;
        end.unwrap_or_else(|status| panic!("{report}: {status} {request:?}"));
        assert_eq!(crate::rows::cells(&answers), expected, "{report} {request:?}");
    }
}

/// Like Bigtable: requests that Google's emulator has taken, by the reports of its users.
#[tokio::test]
async fn requests_are_refused_as_the_service_does_by_the_reports() {
    let (client, table) = client().await;
    let keys = |count: usize| {
        let row_keys = (0..count).map(|key| Bytes::from(format!("{key:08}"))).collect();
        let rows = Some(RowSet { row_keys, row_ranges: Vec::new() });
        ReadRowsRequest { rows, ..Default::default() }
    };
    let most_keys = {
        let empty = ReadRowsRequest { table_name: table.clone(), ..keys(0) };
        // 10 bytes for each key, and 2 more for the length of all.
        ((512 << 10) - prost::Message::encoded_len(&empty) - 2) / 10
    };
    let read = async |request| {
        let request = ReadRowsRequest { table_name: table.clone(), ..request };
        client.stream(method::READ_ROWS, request).await.1
    };
    for (report, request, text) in [
        ("go#6519", by_filter(F::RowKeyRegexFilter("".into())), "'row_key_regex_filter'"),
        ("spotify/simple-bigtable#15", by_filter(columns("")), "'column_range_filter'"),
        ("go#1312", by_range(from("b"), before("a")), "start_key must be less than end_key"),
        ("python#6836, go#732", keys(most_keys + 1), "exceeds the limit of 524288 bytes"),
    ] {
        let status: Status = read(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{report}: {status}");
        assert!(status.message().contains(text), "{report}: {status}");
    }
    read(keys(most_keys)).await.unwrap();
    // go#932
    for range in [(2000, 2000), (3000, 2000), (1, 2000)] {
        let delete = DeleteFromColumn {
            family_name: "f".into(),
            column_qualifier: bytes("q"),
            time_range: Some(TimestampRange {
                start_timestamp_micros: range.0,
                end_timestamp_micros: range.1,
            }),
        };
        let delete = Mutation { mutation: Some(Change::DeleteFromColumn(delete)) };
        let status = client.mutate(&table, "a", vec![delete]).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{range:?}: {status}");
    }
    assert!(client.all(&table).await.starts_with(&[A1, A2, A3, A4].map(str::to_owned)));
}

/// node#810: the second version of a column is sent without the names of its row and column.
#[tokio::test]
async fn names_that_stay_the_same_are_sent_once() {
    let (client, table) = client().await;
    let request = ReadRowsRequest { table_name: table, rows_limit: 1, ..Default::default() };
    let (answers, end) = client.stream(method::READ_ROWS, request).await;
    end.unwrap();
    let named = |chunk: &CellChunk| {
        (!chunk.row_key.is_empty(), chunk.family_name.is_some(), chunk.qualifier.is_some())
    };
    let named: Vec<_> = answers.iter().flat_map(|answer| &answer.chunks).map(named).collect();
    let column = (false, false, true);
    assert_eq!(named, [(true, true, true), column, (false, false, false), (false, true, true)]);
}

/// go#489: rows that were dropped are written again, with the times that they had.
#[tokio::test]
async fn rows_that_were_dropped_are_written_again() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &["5"]).await;
    for target in [
        DropTarget::DeleteAllDataFromTable(true),
        DropTarget::RowKeyPrefix("1".into()),
        DropTarget::RowKeyPrefix("9".into()),
    ] {
        for row in ["1", "9"] {
            client.put(&table, row, &[("f", "q", 0, row)]).await;
        }
        assert_eq!(client.all(&table).await, ["1/f:q@0=1", "9/f:q@0=9"]);
        let request = DropRowRangeRequest { name: table.clone(), target: Some(target) };
        client.call(method::DROP_ROW_RANGE, request).await.unwrap();
        assert!(client.all(&table).await.len() < 2);
    }
}

/// go#1240: a limit does not count rows whose cells were deleted.
#[tokio::test]
async fn a_limit_does_not_count_deleted_rows() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    for row in ["r1", "r2", "r3"] {
        client.put(&table, row, &[("f", "q", 0, "v")]).await;
    }
    let two = || ReadRowsRequest {
        table_name: table.clone(),
        rows_limit: 2,
        ..by_range(from("r"), before(""))
    };
    assert_eq!(client.read(two()).await, ["r1/f:q@0=v", "r2/f:q@0=v"]);
    let delete = |change| vec![Mutation { mutation: Some(change) }];
    let row = delete(Change::DeleteFromRow(DeleteFromRow {}));
    client.mutate(&table, "r1", row).await.unwrap();
    assert_eq!(client.read(two()).await, ["r2/f:q@0=v", "r3/f:q@0=v"]);
    let family = delete(Change::DeleteFromFamily(DeleteFromFamily { family_name: "f".into() }));
    client.mutate(&table, "r2", family).await.unwrap();
    assert_eq!(client.read(two()).await, ["r3/f:q@0=v"]);
}

/// go#264 and go#800: an increment and an append write a new version, and return its time.
#[tokio::test]
async fn the_versions_of_increments_and_appends_have_the_time_of_the_server() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "a", 1000, "v")]).await;
    let rule = |column: &str, rule| ReadModifyWriteRule {
        family_name: "f".into(),
        column_qualifier: bytes(column),
        rule: Some(rule),
    };
    let request = ReadModifyWriteRowRequest {
        table_name: table.clone(),
        row_key: "r".into(),
        rules: vec![
            rule("a", Rule::AppendValue("w".into())),
            rule("n", Rule::IncrementAmount(0x6162_6364_6566_6768)),
        ],
        ..Default::default()
    };
    let answer = client.call(method::READ_MODIFY_WRITE_ROW, request).await.unwrap();
    let row = answer.row.unwrap();
    let times: Vec<i64> =
        row.families[0].columns.iter().map(|c| c.cells[0].timestamp_micros).collect();
    assert!(times.iter().all(|time| *time > 1000), "{times:?}");
    let expected = [
        format!("r/f:a@{}=vw", times[0]),
        "r/f:a@1000=v".to_owned(),
        format!("r/f:n@{}=abcdefgh", times[1]),
    ];
    assert_eq!(client.all(&table).await, expected);
}

/// go#10611: the samples of a table end with the end of the table, also if it is empty.
#[tokio::test]
async fn the_samples_of_an_empty_table_are_its_end() {
    let client = Client::start().await;
    let table_name = client.table("t", &["f"], &[]).await;
    let request = SampleRowKeysRequest { table_name, ..Default::default() };
    let (samples, end) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
    end.unwrap();
    assert_eq!(samples, [SampleRowKeysResponse::default()]);
}

/// go#2600, cpp#441, cpp#2274 and bitly/little_bigtable#11: while some clients change the same row,
/// and others sample, scan and drop rows, no change is lost and no call fails.
#[tokio::test(flavor = "multi_thread")]
async fn calls_of_many_clients_do_not_disturb_each_other() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &["m"]).await;
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..4 {
        let (client, table) = (client.clone(), table.clone());
        tasks.spawn(async move {
            for at in 0..50 {
                let column = format!("{writer}-{at}");
                client.mutate(&table, "r", vec![set("f", &column, 0, "v")]).await.unwrap();
                client.put(&table, &format!("x{column}"), &[("f", "q", 0, "v")]).await;
            }
        });
    }
    for _ in 0..2 {
        let (client, table) = (client.clone(), table.clone());
        tasks.spawn(async move {
            for _ in 0..25 {
                let request =
                    SampleRowKeysRequest { table_name: table.clone(), ..Default::default() };
                client.stream(method::SAMPLE_ROW_KEYS, request).await.1.unwrap();
                client.all(&table).await;
                let target = Some(DropTarget::RowKeyPrefix("x".into()));
                let request = DropRowRangeRequest { name: table.clone(), target };
                client.call(method::DROP_ROW_RANGE, request).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let cells = client.all(&table).await;
    assert_eq!(cells.iter().filter(|cell| cell.starts_with("r/")).count(), 200);
}

/// The message of a table that names the table (getsentry/objectstore#73).
#[tokio::test]
async fn a_table_is_created_by_its_id_alone() {
    let client = Client::start().await;
    let mut request = create("t", [("f".to_owned(), family(None))].into());
    let name = format!("{INSTANCE}/tables/t");
    request.table.as_mut().unwrap().name.clone_from(&name);
    let status = client.call(method::CREATE_TABLE, request.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("The name must be empty"), "{}", status.message());
    request.table.as_mut().unwrap().name.clear();
    assert_eq!(client.call(method::CREATE_TABLE, request).await.unwrap().name, name);
}

/// Families without a rule: a family whose message has no field is encoded without a value by
/// prost, and is not created (getsentry/objectstore#73). With a value, it is: the acceptance tests
/// of Google's client for Ruby drop it.
#[tokio::test]
async fn a_family_without_a_value_is_not_created() {
    let client = Client::start().await;
    let families = [("f".to_owned(), family(None)), ("g".to_owned(), ColumnFamily::default())];
    let request = create("t", families.into());
    let made = client.call(method::CREATE_TABLE, request).await.unwrap();
    assert_eq!(made.column_families.keys().collect::<Vec<_>>(), ["f"]);
    let status = client.mutate(&made.name, "r", vec![set("g", "q", 1_000, "v")]).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound, "{}", status.message());
    let added = client.modify(&made.name, vec![("g", FamilyChange::Create(Default::default()))]);
    assert_eq!(added.await.unwrap().column_families.len(), 2);
    // The same table, with a value that has no fields.
    let family = |name: &str| FamilyEntry { name: name.into(), family: Some(Default::default()) };
    let table = Some(TableOfEntries { column_families: vec![family("f"), family("g")] });
    let request = CreateOfEntries { parent: INSTANCE.into(), table_id: "u".into(), table };
    let made = client.call(method::CREATE_TABLE, request).await.unwrap();
    assert_eq!(made.column_families.keys().collect::<Vec<_>>(), ["f", "g"]);
}

/// A [`CreateTableRequest`] whose families are entries: prost leaves out the value of a map's entry
/// if it has no fields, other libraries do not.
#[derive(Clone, PartialEq, Message)]
struct CreateOfEntries {
    #[prost(string, tag = "1")]
    parent: String,
    #[prost(string, tag = "2")]
    table_id: String,
    #[prost(message, optional, tag = "3")]
    table: Option<TableOfEntries>,
}

#[derive(Clone, PartialEq, Message)]
struct TableOfEntries {
    #[prost(message, repeated, tag = "3")]
    column_families: Vec<FamilyEntry>,
}

#[derive(Clone, PartialEq, Message)]
struct FamilyEntry {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    family: Option<ColumnFamily>,
}

impl Call for CreateOfEntries {
    type Answer = Table;
}
