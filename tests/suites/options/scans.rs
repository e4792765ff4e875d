//! Every option of a scan: a server of HBase gets it, from a raw and from a typed table, and a
//! client of Bigtable refuses what Bigtable does not have. A new option needs a line here.

use bytes::Bytes;
use prost::Message;
use tallrow::table::TableScan;
use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Scan, TableDescriptor, TypedTable};
use tallrow_mock::MockCluster;
use tallrow_tests::{Recorded, in_memory};
use tallrow_wire::proto::{self, ScanRequest};

use super::complete::{assert_covered, functions};
use super::verbs::{Id, Item};
use super::{Of, Place, assert_none};

/// An option, named after the function that sets it.
struct Choice<S> {
    name: &'static str,
    set: fn(S) -> S,
    /// Whether a request that opens a scanner has it.
    arrived: fn(&ScanRequest, &proto::Scan) -> bool,
    /// Whether a client of Bigtable refuses it.
    of_hbase_only: bool,
}

macro_rules! choices {
    ($($name:literal, $set:expr, $arrived:expr, $of_hbase_only:literal;)*) => {
        &[$(Choice {
            name: $name,
            set: $set,
            arrived: $arrived,
            of_hbase_only: $of_hbase_only,
        }),*]
    };
}

/// What a scan of typed rows has as well; a macro, as the functions are those of two types.
macro_rules! of_both {
    () => {
        choices! {
            "limit", |s| s.limit(3), |r, _| r.limit_of_rows == Some(3), false;
            "reversed", |s| s.reversed(), |_, s| s.reversed == Some(true), false;
            "bytes_per_call", |s| s.bytes_per_call(4_321), |_, s| s.max_result_size == Some(4_321), false;
            "rows_per_call", |s| s.rows_per_call(5), |r, _| r.number_of_rows == Some(5), false;
            "cache_blocks", |s| s.cache_blocks(false), |_, s| s.cache_blocks == Some(false), false;
            "server_metrics", |s| s.server_metrics(),
                |r, _| r.track_scan_metrics == Some(true), false;
        }
    };
}

const OF_ROWS: &[Choice<Scan>] = of_both!();
const OF_TYPED_ROWS: &[Choice<TableScan<Item>>] = of_both!();

/// What only a scan of rows has.
const OF_ROWS_ONLY: &[Choice<Scan>] = choices! {
    "raw", |s| s.raw(), |_, s| s.attribute.iter().any(|a| a.name == "_raw_"), true;
    "keys_only", |s| s.keys_only(), |_, s| s.filter.is_some(), false;
    "after", |s| s.after("r0"), |_, s| s.start_row.as_deref() == Some(&b"r0\0"[..]), false;
    "cells_per_family", |s| s.family("f").cells_per_family(6),
        |_, s| s.store_limit == Some(6), false;
    "cell_offset", |s| s.family("f").cell_offset(1), |_, s| s.store_offset == Some(1), false;
    "batch", |s| s.batch(7), |_, s| s.batch_size == Some(7), false;
    "partial_rows", |s| s.partial_rows(), |_, s| s.allow_partial_results == Some(true), false;
    "cursors", |s| s.cursors(), |_, s| s.need_cursor_result == Some(true), false;
};

/// What the client does, so that servers do not hear of it, and what has tests of its own.
const NOT_SENT: [&str; 9] = [
    // What it is a scan of.
    "all",
    "range",
    "prefix",
    // `OF_CALLS` of choices.rs has each.
    "options",
    // `tests/suites/paging` has these.
    "resume",
    "end_page_at_bytes",
    "end_page_after",
    // Which regions are asked when.
    "parallel",
    "unordered",
];

/// The requests that opened scanners of other tables than `hbase:meta`.
fn opened(recorded: &Recorded) -> Vec<(ScanRequest, proto::Scan)> {
    let decode = |body: Vec<u8>| ScanRequest::decode_length_delimited(Bytes::from(body)).unwrap();
    let requests = recorded.calls("Scan").into_iter().map(|header| decode(header.body));
    requests
        .filter(|request| !request.region.iter().any(super::seen::is_meta))
        .filter_map(|mut request| request.scan.take().map(|scan| (request, scan)))
        .collect()
}

/// What is wrong with an option, by what was sent with it or, without it, by what was not.
fn judge<S>(choice: &Choice<S>, of: &str, set: bool, recorded: &Recorded) -> Option<String> {
    let opened = opened(recorded);
    let arrived = opened.iter().map(|(request, scan)| (choice.arrived)(request, scan));
    let wrong = opened.is_empty() || arrived.clone().any(|arrived| arrived != set);
    wrong.then(|| format!("{} of {of}, set {set}: {opened:?}", choice.name))
}

#[tokio::test(start_paused = true)]
async fn each_option_of_a_scan_arrives_if_it_is_set() {
    let (mut problems, place) = (Vec::new(), Place::new().await);
    for set in [true, false] {
        for choice in OF_ROWS.iter().chain(OF_ROWS_ONLY) {
            let (client, name, recorded) = place.table(Of::Raw).await;
            let scan = if set { (choice.set)(Scan::all()) } else { Scan::all() };
            client.raw_table(&*name).unwrap().scan(scan).unwrap().next_row().await.unwrap();
            problems.extend(judge(choice, "a scan of rows", set, &recorded));
        }
        for choice in OF_TYPED_ROWS {
            let (client, name, recorded) = place.table(Of::Typed).await;
            let table: TypedTable<Item> = client.table_named(&name).unwrap();
            let scan = table.scan(Id::scan());
            let scan = if set { (choice.set)(scan) } else { scan };
            scan.rows().next_row().await.unwrap();
            problems.extend(judge(choice, "a scan of typed rows", set, &recorded));
        }
    }
    assert_none(problems);
}

#[tokio::test(start_paused = true)]
async fn what_bigtable_does_not_have_of_a_scan_is_refused() {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let mock = builder.start().await.unwrap();
    let config = Config::new().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await.unwrap();
    Of::Raw.fill(&client.table_named("t").unwrap()).await;
    let table = client.raw_table("t").unwrap();
    let mut problems = Vec::new();
    for choice in OF_ROWS.iter().chain(OF_ROWS_ONLY) {
        let found = match table.scan((choice.set)(Scan::all())) {
            Ok(mut rows) => rows.next_row().await,
            Err(error) => Err(error),
        };
        let refused = found.as_ref().is_err_and(|e| e.kind() == ErrorKind::Unsupported);
        if refused != choice.of_hbase_only || (!refused && !matches!(found, Ok(Some(_)))) {
            problems.push(format!("{}: {found:?}", choice.name));
        }
    }
    assert_none(problems);
}

#[test]
fn no_option_of_a_scan_is_missing() {
    let of_rows = OF_ROWS.iter().chain(OF_ROWS_ONLY).map(|choice| choice.name);
    let of_typed_rows = OF_TYPED_ROWS.iter().map(|choice| choice.name);
    let names: Vec<_> = of_rows.chain(of_typed_rows).chain(NOT_SENT).collect();
    for file in ["mod.rs", "partial_rows.rs", "range.rs"] {
        let found = functions(&format!("request/scan/{file}"), "pub fn ");
        assert_covered(found, &names, "they need a line in scans.rs");
    }
}
