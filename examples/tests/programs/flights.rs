use std::path::PathBuf;

use tallrow::{Client, Put};
use tallrow_mock::MockCluster;

use tallrow_examples::program::{Program, Run, shown};

fn run(arguments: &[&str]) -> Run {
    Program::named("flights").run(arguments)
}

/// The sample with one change, as a file of this test.
fn changed(test: &str, from: &str, to: &str) -> PathBuf {
    let sample = include_str!("../../flights/sample.csv");
    assert!(sample.contains(from));
    let path = std::env::temp_dir().join(format!("tallrow-{test}-{}.csv", std::process::id()));
    std::fs::write(&path, sample.replacen(from, to, 1)).unwrap();
    path
}

fn fails(arguments: &[&str], code: i32, error: &str) {
    let run = run(arguments);
    assert_eq!(run.code, Some(code), "{}", run.errors);
    assert!(run.errors.contains(error), "{}", run.errors);
    assert!(!run.errors.contains("panicked"), "{}", run.errors);
}

#[test]
fn the_answers_for_the_sample_are_those_in_the_head() {
    let run = run(&[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let printed: Vec<_> = run.output.lines().collect();
    assert_eq!(printed, shown(include_str!("../../flights/main.rs")));
    assert!(run.errors.contains("loaded 452 of 452 rows\n"), "{}", run.errors);
}

#[test]
fn a_malformed_line_is_named_with_its_column_and_what_was_found() {
    let path = changed("malformed", ",OO,4483,", ",OO,44x83,");
    let path = path.to_str().unwrap();
    let line = std::fs::read_to_string(path).unwrap();
    let line = 1 + line.lines().position(|line| line.contains("44x83")).unwrap();
    let found = r#"column flight: expected a number from 0 to 65535, found "44x83""#;
    fails(&["--csv", path], 1, &format!("error: {path}:{line}: {found}\n"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_missing_file_is_named() {
    fails(&["--csv", "/nowhere/flights.csv"], 1, "error: read /nowhere/flights.csv: ");
}

#[test]
fn the_error_for_a_wrong_argument_lists_the_valid_ones() {
    fails(&["--fast"], 2, "error: \"--fast\" is not an argument of this program\n\nusage: flights");
    fails(&["--csv"], 2, "error: --csv needs a value");
    fails(&["--concurrency", "0"], 2, "error: --concurrency is \"0\"");
}

#[test]
fn a_wrong_address_is_an_error() {
    fails(&["--url", "localhost"], 1, "error: connect: address \"localhost\": it has no scheme");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answers_are_the_same_through_bigtable() {
    let builder = MockCluster::builder().bigtable_port(0).seed(3).torn_rows();
    let mock = builder.start().await.unwrap();
    let url = mock.bigtable_url().unwrap();
    let first = run(&["--url", &url, "--keep"]);
    assert_eq!(first.code, Some(0), "{}", first.errors);
    let printed: Vec<_> = first.output.lines().collect();
    assert_eq!(printed, shown(include_str!("../../flights/main.rs")));
    for method in ["CreateTable", "MutateRows", "ReadModifyWriteRow", "ReadRows"] {
        assert!(mock.call_count(method) > 0, "{method}");
    }

    // What was written through one protocol has the same answers through the other one.
    let through_hbase = run(&["--url", &mock.url(), "--no-load"]);
    let digest = |run: &Run| run.output.lines().next().map(str::to_owned);
    assert_eq!(digest(&through_hbase), digest(&first));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_tables_give_other_answers() {
    let mock = MockCluster::start().await.unwrap();
    let url = format!("hbase+rpc://{}", mock.rpc_address());
    let client = Client::connect(&url).await.unwrap();
    let loaded = run(&["--url", &url, "--keep"]);
    assert_eq!(loaded.code, Some(0), "{}", loaded.errors);

    // Another run on the same file gives the same answers and digest.
    let again = run(&["--url", &url, "--no-load"]);
    let digest = |run: &Run| run.output.lines().next().map(str::to_owned);
    assert_eq!(digest(&again), digest(&loaded));

    // One flight is missing, one leg is changed, one flight is counted twice.
    let flights = client.raw_table("tallrow_flights").unwrap();
    let first = flights.scan(tallrow::Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    flights.delete(first.key()).await.unwrap();
    let legs = client.raw_table("tallrow_flights_by_tail").unwrap();
    let leg = legs.scan(tallrow::Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    legs.put(Put::new(leg.key()).cell("l", "d", "XXX")).await.unwrap();
    let airports = client.raw_table("tallrow_flights_by_airport").unwrap();
    airports.increment(tallrow::Increment::new("JFK").add("c", "d", 1)).await.unwrap();
    let wrong = run(&["--url", &url, "--no-load"]);
    assert_eq!(wrong.code, Some(1));
    assert_ne!(digest(&wrong), digest(&loaded));
    for what in ["departures from JFK: expected ", "XXX", " is missing\n"] {
        assert!(wrong.errors.contains(what), "{what}: {}", wrong.errors);
    }
    assert!(wrong.output.ends_with(" 5 wrong\n"), "{}", wrong.output);

    // A row whose key is not a key of the table.
    flights.put(Put::new("9E\0").cell("f", "o", "JFK")).await.unwrap();
    let foreign = run(&["--url", &url, "--no-load"]);
    assert_eq!(foreign.code, Some(1));
    let error = "field number at byte 2: need 2 bytes, found 1";
    assert!(foreign.errors.contains(error), "{}", foreign.errors);
}
