//! What is written is read: ranges, limits, directions, splits, sizes.

use tallrow_wire::bigtable::*;
use tonic::Code;

use crate::client::{Client, bytes, set};

fn read(table: &str) -> ReadRowsRequest {
    ReadRowsRequest { table_name: table.into(), ..Default::default() }
}

fn keys(keys: &[&str]) -> Option<RowSet> {
    Some(RowSet { row_keys: keys.iter().map(|k| bytes(k)).collect(), row_ranges: Vec::new() })
}

fn range(start: Option<StartKey>, end: Option<EndKey>) -> Option<RowSet> {
    let range = RowRange { start_key: start, end_key: end };
    Some(RowSet { row_keys: Vec::new(), row_ranges: vec![range] })
}

/// Like Bigtable: reads by keys, ranges and limits, in both directions.
#[tokio::test]
async fn rows_are_read_by_keys_ranges_and_limits_in_both_directions() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &["b", "d"]).await;
    for row in ["a", "b", "c", "d", "e"] {
        client.put(&table, row, &[("f", "q", 1000, row)]).await;
    }
    let cell = |row: &str| format!("{row}/f:q@1000={row}");
    let cells = |rows: &[&str]| rows.iter().map(|row| cell(row)).collect::<Vec<_>>();
    assert_eq!(client.all(&table).await, cells(&["a", "b", "c", "d", "e"]));
    let request = ReadRowsRequest { reversed: true, ..read(&table) };
    assert_eq!(client.read(request.clone()).await, cells(&["e", "d", "c", "b", "a"]));
    let limited = ReadRowsRequest { rows_limit: 2, ..request };
    assert_eq!(client.read(limited).await, cells(&["e", "d"]));
    let rows = keys(&["e", "x", "a", "a"]);
    assert_eq!(client.read(ReadRowsRequest { rows, ..read(&table) }).await, cells(&["a", "e"]));
    let (open, closed) = (StartKey::StartKeyOpen("a".into()), EndKey::EndKeyClosed("d".into()));
    let rows = range(Some(open), Some(closed));
    for (reversed, expected) in [(false, ["b", "c", "d"]), (true, ["d", "c", "b"])] {
        let request = ReadRowsRequest { rows: rows.clone(), reversed, ..read(&table) };
        assert_eq!(client.read(request).await, cells(&expected));
    }
}

#[tokio::test]
async fn cells_come_by_family_and_qualifier_the_newest_first() {
    let client = Client::start().await;
    let table = client.table("t", &["g", "f"], &[]).await;
    let cells =
        [("g", "", 0, "1"), ("f", "b", 1000, "2"), ("f", "b", 3000, ""), ("f", "a", 5000, "4")];
    client.put(&table, "r", &cells).await;
    client.put(&table, "r", &[("f", "b", 1000, "again")]).await;
    let expected = ["r/f:a@5000=4", "r/f:b@3000=", "r/f:b@1000=again", "r/g:@0=1"];
    assert_eq!(client.all(&table).await, expected);
}

#[tokio::test]
async fn the_server_writes_its_own_time() {
    use tallrow_mock::MockCluster;
    let client = Client::of(MockCluster::builder().clock_start_ms(1_700_000_000_000)).await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "q", -1, "v")]).await;
    let cells = client.all(&table).await;
    assert!(cells[0].starts_with("r/f:q@17000000"), "{cells:?}");
    assert!(cells[0].ends_with("000=v"), "{cells:?}");
}

/// Like Bigtable: rows larger than a message come in several.
#[tokio::test]
async fn a_large_row_is_divided_over_messages_and_small_ones_share_them() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let large = "x".repeat(5 << 20);
    client.put(&table, "large", &[("f", "a", 0, &large), ("f", "b", 0, "end")]).await;
    for row in 0..100 {
        client.put(&table, &format!("small{row:03}"), &[("f", "q", 0, "v")]).await;
    }
    let (answers, end) = client.stream(method::READ_ROWS, read(&table)).await;
    end.unwrap();
    let cells = crate::rows::cells(&answers);
    assert_eq!(cells.len(), 102);
    assert_eq!(cells[0], format!("large/f:a@0={large}"));
    assert_eq!(cells[1], "large/f:b@0=end");
    assert!((6..9).contains(&answers.len()), "{} messages", answers.len());
    assert!(answers.iter().all(|a| prost::Message::encoded_len(a) < 2 << 20));
}

/// Like Bigtable: a row of any size comes in one message to clients in Go, which fail at a row in
/// several messages.
#[tokio::test]
async fn a_row_of_any_size_is_in_one_message_for_clients_in_go() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let go = Client::connect_as(client.cluster.clone(), "grpc-go/1.83.2").await;
    // Sizes at which messages are completed or rows are divided.
    let sizes = [0, 1, (128 << 10) - 40, 128 << 10, (3 << 20) - 1, 3 << 20, (3 << 20) + 1, 9 << 20];
    let mut expected = Vec::new();
    for (row, size) in sizes.into_iter().enumerate() {
        let value = "x".repeat(size);
        client.put(&table, &format!("{row}"), &[("f", "a", 0, &value), ("f", "b", 0, "end")]).await;
        expected.extend([format!("{row}/f:a@0={value}"), format!("{row}/f:b@0=end")]);
    }
    for reversed in [false, true] {
        let request = ReadRowsRequest { reversed, ..read(&table) };
        let (answers, end) = go.stream(method::READ_ROWS, request).await;
        end.unwrap();
        let mut cells = Vec::new();
        for answer in &answers {
            // Each message has whole rows only.
            cells.push(crate::rows::cells(std::slice::from_ref(answer)));
        }
        if reversed {
            cells.iter_mut().for_each(|cells| {
                let rows = cells.chunks(2).rev().flatten().cloned().collect();
                *cells = rows;
            });
            cells.reverse();
        }
        assert!(cells.concat() == expected, "reversed: {reversed}");
    }
}

/// Like Bigtable: requests that are refused, with their code.
#[tokio::test]
async fn bad_reads_are_refused() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let failed = async |request: ReadRowsRequest| {
        client.stream(method::READ_ROWS, request).await.1.unwrap_err()
    };
    let missing = failed(read("projects/p/instances/i/tables/none")).await;
    assert_eq!(missing.code(), Code::NotFound);
    assert_eq!(missing.message(), "Table not found: projects/p/instances/i/tables/none");
    assert_eq!(failed(read("t")).await.code(), Code::InvalidArgument);
    let negative = ReadRowsRequest { rows_limit: -1, ..read(&table) };
    assert_eq!(failed(negative).await.code(), Code::InvalidArgument);
    let rows = keys(&[&"k".repeat(600 << 10)]);
    let huge = failed(ReadRowsRequest { rows, ..read(&table) }).await;
    assert!(huge.message().contains("exceeds the limit of 524288 bytes"), "{huge}");
}

#[tokio::test]
async fn a_scan_continues_where_regions_split_and_move() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let value = "v".repeat(10_000);
    for row in 0..200 {
        client.put(&table, &format!("{row:03}"), &[("f", "q", 0, &value)]).await;
    }
    let other = client.clone();
    let splits = tokio::spawn(async move {
        for at in [50, 150, 100] {
            other.cluster.split_region("t", format!("{at:03}").as_bytes()).unwrap();
            tokio::task::yield_now().await;
        }
        other.cluster.move_region("t", b"000", 0).unwrap();
    });
    for _ in 0..5 {
        assert_eq!(client.all(&table).await.len(), 200);
    }
    splits.await.unwrap();
    let request = SampleRowKeysRequest { table_name: table, ..Default::default() };
    let (samples, end) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
    end.unwrap();
    let keys: Vec<_> = samples.iter().map(|s| s.row_key.clone()).collect();
    assert_eq!(keys, ["050", "100", "150", ""]);
    assert!(samples.is_sorted_by_key(|s| s.offset_bytes) && samples[0].offset_bytes > 500_000);
}

#[tokio::test]
async fn the_keys_of_a_range_are_sampled_with_its_end_as_the_last() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &["b", "m", "x"]).await;
    let sample = async |start_key, end_key| {
        let row_range = Some(RowRange { start_key, end_key });
        let table_name = table.clone();
        let request = SampleRowKeysRequest { table_name, row_range, ..Default::default() };
        let (samples, end) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
        assert!(samples.is_sorted_by_key(|s| s.offset_bytes));
        end.map(|()| samples.into_iter().map(|s| s.row_key).collect::<Vec<_>>())
    };
    let closed = |key: &'static str| Some(StartKey::StartKeyClosed(key.into()));
    let open = |key: &'static str| Some(StartKey::StartKeyOpen(key.into()));
    let before = |key: &'static str| Some(EndKey::EndKeyOpen(key.into()));
    let through = |key: &'static str| Some(EndKey::EndKeyClosed(key.into()));
    for (start, end, expected) in [
        (None, None, &["b", "m", "x", ""][..]),
        (closed("b"), None, &["m", "x", ""]),
        (open("b"), before("x"), &["m", "x"]),
        (closed("a"), through("x"), &["b", "m", "x"]),
        (closed("a"), before("n"), &["b", "m", "n"]),
        (closed("c"), through("d"), &["d"]),
        (closed("c"), before("c"), &["c"]),
        (None, before(""), &["b", "m", "x", ""]),
    ] {
        let keys = sample(start.clone(), end.clone()).await.unwrap();
        assert_eq!(keys, expected, "{start:?} {end:?}");
    }
    let inverted = sample(closed("d"), before("c")).await.unwrap_err();
    assert_eq!(inverted.code(), Code::InvalidArgument);
    assert!(inverted.message().starts_with("Error in field 'row_range' : start_key"), "{inverted}");
}

#[tokio::test]
async fn a_mutation_of_many_rows_has_an_outcome_for_each() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &["m"]).await;
    let entry = |row: &str, family: &str| MutateRowsEntry {
        row_key: bytes(row),
        mutations: vec![set(family, "q", 1000, "v")],
        idempotency: None,
    };
    let entries = vec![entry("a", "f"), entry("b", "none"), entry("z", "f")];
    let (answers, end) = client.mutate_rows(&table, entries).await;
    end.unwrap();
    let codes: Vec<_> = answers
        .iter()
        .flat_map(|a| &a.entries)
        .map(|e| (e.index, e.status.as_ref().unwrap().code))
        .collect();
    assert_eq!(codes, [(0, 0), (1, Code::NotFound as i32), (2, 0)]);
    assert_eq!(client.all(&table).await, ["a/f:q@1000=v", "z/f:q@1000=v"]);
}
