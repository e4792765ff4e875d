//! Google's cases of rows in chunks, both ways: the client's merger reads their chunks, and what it
//! makes of them is stored in the mock, which sends it in chunks of its own.
//!
//! The cases are a file of Google's Go client, which `tests/peers/conformance/run` downloads and
//! names in `TALLROW_READ_ROWS_CASES`.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use prost::Message;
use serde_json::Value;
use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor, Timestamp};
use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::{CellChunk, RowChunk, RowMerger, RowStatus};

/// How many there are.
const CASES: usize = 48;
/// How many shapes of each answer the mock is asked for.
const SEEDS: u64 = 20;

/// A case: what is sent, what is read of it, and whether it is an error then.
struct Case {
    name: String,
    chunks: Vec<CellChunk>,
    cells: Vec<Cell>,
    fails: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Cell {
    row: Bytes,
    family: String,
    qualifier: Bytes,
    micros: i64,
    value: Bytes,
    label: String,
}

/// The cases, unless the environment has none and nothing demands them.
fn cases() -> Option<Vec<Case>> {
    let Some(path) = std::env::var_os("TALLROW_READ_ROWS_CASES") else {
        let how =
            "tests/peers/conformance/run downloads the cases and sets TALLROW_READ_ROWS_CASES";
        assert!(std::env::var_os("TALLROW_SKIP_NOTHING").is_none(), "{how}");
        eprintln!("skipped: {how}");
        return None;
    };
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let all: Value = serde_json::from_slice(&text).unwrap();
    let cases: Vec<Case> = list(&all, "readRowsTests").iter().map(case).collect();
    assert_eq!(cases.len(), CASES);
    Some(cases)
}

fn case(json: &Value) -> Case {
    let results = list(json, "results");
    let fails = |result: &&Value| result["error"].as_bool() == Some(true);
    let cells = results.iter().filter(|result| !fails(result)).map(|result| Cell {
        row: plain(result, "rowKey"),
        family: text(result, "familyName").unwrap_or_default(),
        qualifier: plain(result, "qualifier"),
        micros: number(result, "timestampMicros"),
        value: plain(result, "value"),
        label: text(result, "label").unwrap_or_default(),
    });
    Case {
        name: text(json, "description").unwrap(),
        chunks: list(json, "chunks").iter().map(chunk).collect(),
        cells: cells.collect(),
        fails: results.iter().any(|result| fails(&result)),
    }
}

fn chunk(json: &Value) -> CellChunk {
    let set = |name| json[name].as_bool() == Some(true);
    let row_status = match (set("resetRow"), set("commitRow")) {
        (true, _) => Some(RowStatus::ResetRow(true)),
        (_, true) => Some(RowStatus::CommitRow(true)),
        _ => None,
    };
    CellChunk {
        row_key: base64(json, "rowKey"),
        family_name: text(json, "familyName"),
        qualifier: json["qualifier"].is_string().then(|| base64(json, "qualifier")),
        timestamp_micros: number(json, "timestampMicros"),
        labels: list(json, "labels").iter().filter_map(|l| l.as_str().map(str::to_owned)).collect(),
        value: base64(json, "value"),
        value_size: i32::try_from(number(json, "valueSize")).unwrap(),
        row_status,
    }
}

/// Bytes of a result, which are text.
fn plain(json: &Value, name: &str) -> Bytes {
    text(json, name).unwrap_or_default().into()
}

fn list<'j>(json: &'j Value, name: &str) -> &'j [Value] {
    json[name].as_array().map_or(&[], |all| all)
}

fn text(json: &Value, name: &str) -> Option<String> {
    json[name].as_str().map(str::to_owned)
}

/// A number, which may be written as text.
fn number(json: &Value, name: &str) -> i64 {
    let value = &json[name];
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn base64(json: &Value, name: &str) -> Bytes {
    STANDARD.decode(json[name].as_str().unwrap_or("")).unwrap().into()
}

#[test]
fn the_merger_reads_what_the_cases_send() {
    let Some(cases) = cases() else { return };
    let mut wrong = Vec::new();
    for case in &cases {
        let mut merger = RowMerger::new(false);
        let (mut cells, mut failed) = (Vec::new(), false);
        for chunk in &case.chunks {
            // As the client has it: decoded from its bytes.
            let message = chunk.encode_to_vec();
            match merger.merge(&RowChunk::decode(&message).unwrap()) {
                Ok(None) => {}
                Ok(Some(row)) => cells.extend(row.cells().map(|cell| Cell {
                    row: Bytes::copy_from_slice(row.key()),
                    family: String::from_utf8(cell.family.to_vec()).unwrap(),
                    qualifier: Bytes::copy_from_slice(cell.qualifier),
                    micros: cell.timestamp_micros,
                    value: Bytes::copy_from_slice(cell.value),
                    label: cell.labels.first().cloned().unwrap_or_default(),
                })),
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        failed |= merger.finish().is_err();
        if (&cells, failed) != (&case.cells, case.fails) {
            wrong.push(format!("{}: {failed} {cells:?}; not {:?}", case.name, case.cells));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} cases of chunks read as they should be", cases.len());
}

/// What is stored of a case: its cells, at times of whole milliseconds, and the newest of the same
/// place and time.
fn stored(case: &Case) -> BTreeMap<(Bytes, String, Bytes, i64), Bytes> {
    let key =
        |cell: &Cell| (cell.row.clone(), cell.family.clone(), cell.qualifier.clone(), -cell.micros);
    case.cells.iter().map(|cell| (key(cell), cell.value.clone())).collect()
}

#[tokio::test]
async fn what_the_cases_have_is_read_from_the_mock_in_any_shape() {
    let Some(cases) = cases() else { return };
    let valid: Vec<_> = cases.iter().filter(|c| !c.cells.is_empty()).collect();
    assert!(valid.len() > 20, "{}", valid.len());
    for seed in 0..SEEDS {
        let builder = MockCluster::builder().servers(1).bigtable_port(0).seed(seed).torn_rows();
        let cluster = builder.start().await.unwrap();
        let at = cluster.bigtable_address().unwrap();
        let client = Client::connect(&format!("bigtable://p/i?endpoint={at}")).await.unwrap();
        for (number, case) in valid.iter().enumerate() {
            let wanted = stored(case);
            let name = format!("t{number}");
            let families: BTreeSet<&String> = wanted.keys().map(|(_, family, ..)| family).collect();
            let table = TableDescriptor::new(&*name).unwrap();
            let table = families.into_iter().fold(table, |table, family| {
                table.family(FamilyDescriptor::new(family).versions(100))
            });
            client.admin().create_table(&table).await.unwrap();
            let table = client.raw_table(&*name).unwrap();
            for ((row, family, qualifier, micros), value) in &wanted {
                let time = Timestamp::from_millis(micros.unsigned_abs());
                let put = Put::new(row).cell_at(family, qualifier, time, value);
                table.put(put).await.unwrap();
            }
            let mut rows = table.scan(Scan::all().versions(100)).unwrap();
            let mut read = BTreeMap::new();
            while let Some(row) = rows.next_row().await.unwrap() {
                for cell in row.cells() {
                    let key = (
                        Bytes::copy_from_slice(cell.row()),
                        String::from_utf8(cell.family().to_vec()).unwrap(),
                        Bytes::copy_from_slice(cell.qualifier()),
                        -i64::try_from(cell.timestamp().as_millis()).unwrap(),
                    );
                    read.insert(key, Bytes::copy_from_slice(cell.value()));
                }
            }
            assert_eq!(read, wanted, "seed {seed}: {}", case.name);
        }
    }
    println!("{} cases read from {SEEDS} mocks", valid.len());
}
