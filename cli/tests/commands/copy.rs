//! Tables that are copied between HBase and Bigtable.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tallrow::{Client, Delete, FamilyDescriptor, Put, RawTable, TableDescriptor, Timestamp};
use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::runtime::Runtime;

use crate::cluster::Cluster;
use crate::program::{Run, begins, command, ends, folder, has, interrupt, tallrow, words};

/// The path of a state that does not exist.
fn state(name: &str) -> String {
    let path = folder().join(name);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

/// Copies a table, with a state of this name.
fn copy(name: &str, from: &str, to: &str, rest: &[&str]) -> Run {
    let path = folder().join(name);
    let state = path.to_str().unwrap();
    tallrow(&[&["copy", "t", "--url", from, "--to", to, "--state", state][..], rest].concat())
}

/// Whether two tables `t` have the same cells, by the program.
fn assert_same(a: &str, b: &str) {
    let run = tallrow(&["copy", "t", "--url", a, "--to", b, "--verify-only"]);
    assert!(run.errors.ends_with("are the same\n"), "{}{}", run.output, run.errors);
    assert_eq!(run.done(), "");
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// A time that no time to live has ended.
fn now() -> u64 {
    Timestamp::now().as_millis()
}

/// Fills a new table: versions, empty names and values, all bytes in keys, a row of many cells, a
/// counter.
async fn fill(url: &str) -> RawTable {
    let client = Client::connect(url).await.unwrap();
    let table = TableDescriptor::new("t").unwrap();
    let kept = FamilyDescriptor::new("d").versions(5).ttl(Duration::from_secs(86_400));
    let table = table.family(kept).family(FamilyDescriptor::new("wide"));
    client.admin().create_table(&table.splits(["g", "p"])).await.unwrap();
    let table = client.raw_table("t").unwrap();
    let now = now();
    let mut puts = Vec::new();
    for byte in 0..=255_u8 {
        let key = [byte, b'k', 255 - byte];
        let put = (0..5).fold(Put::new(key), |put, version| {
            put.cell_at("d", [byte], at(now - version), [byte, version as u8])
        });
        puts.push(put.cell_at("d", "", at(now - 77), "").cell_at(
            "d",
            "big",
            at(1 + now),
            [byte; 3_000],
        ));
    }
    let wide = (0..2_500).fold(Put::new("h"), |put, at_| {
        put.cell_at("wide", format!("{at_:05}"), at(now - at_), "w")
    });
    puts.push(wide);
    // Rows that are read in several parts, one of which ends where the row ends.
    for (row, sizes) in [("large", [700_000; 3]), ("larger", [1 << 20; 3])] {
        puts.push(sizes.iter().enumerate().fold(Put::new(row), |put, (number, size)| {
            put.cell_at("d", format!("part{number}"), at(now), vec![number as u8; *size])
        }));
    }
    table.put_all(puts).await.into_result().unwrap();
    let count = tallrow::Increment::new("counter").add("d", "n", 41);
    table.increment(count).await.unwrap();
    table
}

#[test]
fn a_table_is_the_same_after_both_ways() {
    let (first, second, third) = (Cluster::mock(), Cluster::mock(), Cluster::mock());
    let runtime = Runtime::new().unwrap();
    runtime.block_on(fill(&first.url));
    let states = ["both_ways_1.copy", "both_ways_2.copy"].map(state);
    let out = copy("both_ways_1.copy", &first.url, &second.bigtable, &["--verify"]);
    let lines: Vec<_> = out.errors.lines().collect();
    assert_eq!(lines[0], format!("created t on {} in 3 parts", second.bigtable));
    assert_eq!(lines[1], format!("copied 260 rows with 4299 cells to t on {}", second.bigtable));
    let place = &first.url;
    let same = format!("260 rows compared: t on {place} and t on {} are the same", second.bigtable);
    assert_eq!(lines[2], same);
    assert_eq!(out.done(), "");
    copy("both_ways_2.copy", &second.bigtable, &third.url, &["--concurrency", "1", "--batch", "7"])
        .done();
    assert_same(&first.url, &third.url);
    assert!(!states.iter().any(|path| fs::exists(path).unwrap()), "nothing is left to resume");

    // What the families keep and where the table is divided are the same too, and the counter goes
    // on.
    let described = |cluster: &Cluster| cluster.run(&["table", "describe", "t", "--json"]).json();
    let (was, is) = (described(&first), described(&third));
    for family in [0, 1] {
        for option in ["VERSIONS", "TTL", "MIN_VERSIONS"] {
            let of = |table: &Value| table["families"][family]["options"][option].clone();
            assert_eq!(of(&was), of(&is), "{option} in {was} and {is}");
        }
    }
    let starts = |table: &Value| -> Vec<Value> {
        table["regions"].as_array().unwrap().iter().map(|r| r["start"].clone()).collect()
    };
    assert_eq!((starts(&was), starts(&was).len()), (starts(&is), 3));
    for url in [&second.bigtable, &third.url] {
        let sum = tallrow(&["table", "incr", "t", "counter", "d:n=1", "--url", url]).done();
        has(&sum, "42");
    }
}

#[test]
fn a_table_is_copied_within_a_store() {
    let cluster = Cluster::mock();
    Runtime::new().unwrap().block_on(fill(&cluster.url));
    for (url, name) in [(&cluster.url, "hbase"), (&cluster.bigtable, "bigtable")] {
        let to = format!("t_{name}");
        state(&format!("within_{name}.copy"));
        let rest = ["--to-table", &to, "--verify"];
        let run = copy(&format!("within_{name}.copy"), url, url, &rest);
        has(&run.errors, "copied 260 rows with 4299 cells");
        run.done();
    }
    let itself = copy("itself.copy", &cluster.url, &cluster.url, &[]).failed(2);
    has(&itself, "would be copied to itself\n  next: --to-table NAME");
}

/// Starts a copy of a table `t`.
fn start(from: &str, to: &str, state: &str, rest: &[&str]) -> Child {
    let mut program = command();
    program.args(["copy", "t", "--url", from, "--to", to, "--state", state]).args(rest);
    program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Kills a copy three times, each after 20 rows more, and returns how many are copied then.
fn kill_three_times(from: &str, to: &str, state: &str) -> u64 {
    let mut before = 0;
    for _ in 0..3 {
        let mut child = start(from, to, state, &SMALL);
        while copied(state) < before + 20 {
            assert!(child.try_wait().unwrap().is_none(), "{}", errors(child));
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        before = copied(state);
        assert!(before < 260, "it was killed too late");
    }
    before
}

/// How many rows a state says are copied.
fn copied(state: &str) -> u64 {
    let text = fs::read(state).unwrap_or_default();
    let state: Value = serde_json::from_slice(&text).unwrap_or_default();
    let ranges = state["ranges"].as_array().cloned().unwrap_or_default();
    ranges.iter().map(|range| range["rows"].as_u64().unwrap()).sum()
}

fn errors(child: Child) -> String {
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

/// A mock whose writes through Bigtable take a while.
fn slow(runtime: &Runtime) -> MockCluster {
    slow_by(runtime, "MutateRows")
}

/// A mock whose calls of this method take a while.
fn slow_by(runtime: &Runtime, method: &str) -> MockCluster {
    let builder = MockCluster::builder().bigtable_port(0);
    let mock = runtime.block_on(builder.start()).unwrap();
    let slow = Fault::on(method).times(u64::MAX);
    mock.inject(slow.pause_handler(Duration::from_millis(30)));
    mock
}

const SMALL: [&str; 6] = ["--batch", "5", "--save-every", "1", "--concurrency", "2"];

#[test]
fn a_copy_that_is_killed_goes_on_where_it_was() {
    let runtime = Runtime::new().unwrap();
    let source = Cluster::mock();
    runtime.block_on(fill(&source.url));
    let target = slow(&runtime);
    let to = target.bigtable_url().unwrap();
    let path = state("killed.copy");
    let before = kill_three_times(&source.url, &to, &path);
    // Others do not get in its way, and other arguments are refused.
    let other = copy("killed.copy", &source.url, &to, &["--raw"]).failed(2);
    has(&other, "killed.copy has other arguments: t on ");
    target.clear_faults();
    let writes = target.call_count("MutateRows");
    let run = copy("killed.copy", &source.url, &to, &[&SMALL[..], &["--verify"]].concat());
    begins(&run.errors, &format!("going on after {before} rows\n"));
    has(&run.errors, "copied 260 rows with 4299 cells");
    run.done();
    let writes = target.call_count("MutateRows") - writes;
    assert!(writes <= (260 - before) + 9, "{writes} calls for {} rows", 260 - before);
    assert!(!fs::exists(&path).unwrap());
}

/// Copies from and to Bigtable, while streams break, calls are aborted and answers are lost.
#[test]
fn a_copy_that_is_killed_between_faults_is_complete() {
    let runtime = Runtime::new().unwrap();
    for (name, method) in
        [("killed_from_bigtable", "Multi"), ("killed_within_bigtable", "MutateRows")]
    {
        let source = runtime.block_on(MockCluster::builder().seed(3).bigtable_port(0).start());
        let source = source.unwrap();
        let (from, target) = (source.bigtable_url().unwrap(), slow_by(&runtime, method));
        runtime.block_on(fill(&from));
        let to = if method == "Multi" { target.url() } else { target.bigtable_url().unwrap() };
        let chance = |method: &str| Fault::on(method).chance(0.05);
        for fault in [
            chance("ReadRows").fail_midway(StatusCode::Unavailable, "half"),
            chance("ReadRows").reset_stream(),
            chance("ReadRows").truncate_reply(),
            chance("ReadRows").close_before(),
        ] {
            source.inject(fault);
        }
        for fault in [chance(method).close_after(), chance(method).truncate_reply()] {
            target.inject(fault);
        }
        if method == "MutateRows" {
            target.inject(chance(method).fail(StatusCode::Aborted, "try again"));
        }
        let file = format!("{name}.copy");
        kill_three_times(&from, &to, &state(&file));
        copy(&file, &from, &to, &SMALL).done();
        source.clear_faults();
        target.clear_faults();
        assert_same(&from, &to);
    }
}

#[test]
fn ctrl_c_says_what_was_copied_and_the_same_command_goes_on() {
    let runtime = Runtime::new().unwrap();
    let source = Cluster::mock();
    runtime.block_on(fill(&source.url));
    let target = slow(&runtime);
    let to = target.bigtable_url().unwrap();
    let path = state("interrupted.copy");
    let mut child = start(&source.url, &to, &path, &SMALL);
    while copied(&path) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "{}", errors(child));
        std::thread::yield_now();
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stderr).unwrap();
    let so_far = format!(
        "tallrow: stopped by Ctrl-C\n  so far: {} rows are in t on {to}\n  next: the same command \
         goes on with the rows that are left\n",
        copied(&path)
    );
    ends(&text, &so_far);
    target.clear_faults();
    copy("interrupted.copy", &source.url, &to, &[]).done();
    assert_same(&source.url, &to);
}

#[test]
fn a_write_that_fails_ends_the_copy_with_what_is_done() {
    let runtime = Runtime::new().unwrap();
    let source = Cluster::mock();
    runtime.block_on(fill(&source.url));
    let target = runtime.block_on(MockCluster::builder().bigtable_port(0).start()).unwrap();
    let to = target.bigtable_url().unwrap();
    let denied = Fault::on("MutateRows").nth(4).times(u64::MAX);
    target.inject(denied.fail(tallrow_mock::StatusCode::PermissionDenied, "not for you"));
    state("denied.copy");
    let rest = ["--batch", "10", "--concurrency", "1", "--json"];
    let text = copy("denied.copy", &source.url, &to, &rest).failed(1);
    has(&text, "not for you");
    has(&text, "\n  so far: 30 rows are in t on ");
    target.clear_faults();
    let done = copy("denied.copy", &source.url, &to, &rest).json();
    assert_eq!(done, json!({ "table": "t", "rows": 260, "cells": 4299 }));
    assert_same(&source.url, &to);
}

#[test]
fn a_comparison_names_the_rows_that_differ() {
    let (source, target) = (Cluster::mock(), Cluster::mock());
    Runtime::new().unwrap().block_on(async {
        let table = fill(&source.url).await;
        state("differs.copy");
        copy("differs.copy", &source.url, &target.bigtable, &[]).done();
        let client = Client::connect(&target.url).await.unwrap();
        let other = client.raw_table("t").unwrap();
        let time = now() + 9;
        other.put(Put::new("more").cell_at("d", "q", at(time), "x")).await.unwrap();
        other.delete(Delete::new("h").column("wide", "00007")).await.unwrap();
        other.delete(Delete::new("counter")).await.unwrap();
        table.put(Put::new("ak\u{9e}").cell_at("d", "q", at(5 + time), "x")).await.unwrap();
    });
    let run =
        tallrow(&["copy", "t", "--url", &source.url, "--to", &target.bigtable, "--verify-only"]);
    let found: Vec<_> = run.output.lines().collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(
        (found[0], found[1]),
        ("ak\\xC2\\x9E\tnot in the target", "counter\tnot in the target")
    );
    assert!(
        found[2].starts_with("h\twide:00007 at ") && found[2].ends_with(" ms: not in the target")
    );
    assert_eq!(found[3], "more\tonly in the target");
    let errors = run.failed(3);
    begins(&errors, "tallrow: 4 of 262 rows differ between t on hbase+rpc://");
    has(&errors, "\n  next: rows that were written meanwhile differ too: --merge");

    // A copy into rows that are there has to be asked for, and leaves others.
    let again = copy("differs.copy", &source.url, &target.bigtable, &[]).failed(1);
    has(&again, "has rows already, such as \\x00k\\xFF\n  next: --merge writes");
    let rest = ["--merge", "--verify", "--json"];
    let merged = copy("differs.copy", &source.url, &target.bigtable, &rest);
    let lines: Vec<Value> =
        merged.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({ "row": "more", "difference": "only in the target" }));
    assert_eq!(
        (lines.len(), &lines[1]["different"], &lines[1]["compared"]),
        (2, &json!(1), &json!(262))
    );
    merged.failed(3);
}

#[test]
fn what_bigtable_cannot_hold_is_an_error_with_the_row() {
    let (source, target) = (Cluster::mock(), Cluster::mock());
    let runtime = Runtime::new().unwrap();
    let table = runtime.block_on(async {
        let client = Client::connect(&source.url).await.unwrap();
        let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("d"));
        client.admin().create_table(&table).await.unwrap();
        let table = client.raw_table("t").unwrap();
        let late = at(i64::MAX as u64 / 1_000 + 1);
        for put in [
            Put::new("a").cell("d", "q", "fine"),
            Put::new("b".repeat(4_097)).cell("d", "q", "long key"),
            Put::new("c").cell_at("d", "q", late, "late"),
            Put::new("d").cell("d", "q".repeat(16_385), "long qualifier"),
        ] {
            table.put(put).await.unwrap();
        }
        table
    });
    let path = state("refused.copy");
    let dry = copy("refused.copy", &source.url, &target.bigtable, &["--dry-run"]);
    assert_eq!(dry.output, "4 rows with 4 cells were read, 3 refused; nothing was written\n");
    let lines: Vec<_> = dry.errors.lines().collect();
    assert!(lines[0].contains(" would be made by: create 't', "), "{lines:?}");
    let key = "b".repeat(4_097);
    assert_eq!(lines[1], format!("row {key}: its key has 4097 bytes, and Bigtable's at most 4096"));
    assert!(
        lines[2].starts_with("row c: d:q at 9223372036854776 ms: its time is too late"),
        "{lines:?}"
    );
    assert!(lines[3].contains("its qualifier has 16385 bytes, and Bigtable's at most 16384"));
    dry.failed(3);
    assert!(!fs::exists(&path).unwrap());

    let text = copy("refused.copy", &source.url, &target.bigtable, &[]).failed(1);
    has(&text, &format!("tallrow: row {key}: its key has 4097 bytes"));
    has(&text, "\n  so far: 1 row are in t on ");
    for row in [&*key, "d"] {
        runtime.block_on(table.delete(row)).unwrap();
    }
    let late = Delete::new("c").column_until("d", "q", Timestamp::MAX);
    runtime.block_on(table.delete(late)).unwrap();
    // The delete markers hide nothing that would be copied; as cells they are not for Bigtable.
    let raw =
        copy("refused.copy", &source.url, &target.bigtable, &["--raw", "--merge", "--dry-run"]);
    has(&raw.errors, "\nrow d: d: at ");
    has(&raw.errors, "a delete marker (DeleteFamily)");
    raw.failed(3);
    copy("refused.copy", &source.url, &target.bigtable, &["--verify"]).done();
}

#[test]
fn delete_markers_are_copied_between_clusters_of_hbase() {
    let (source, target) = (Cluster::mock(), Cluster::mock());
    Runtime::new().unwrap().block_on(async {
        let client = Client::connect(&source.url).await.unwrap();
        let family = FamilyDescriptor::new("d").versions(3);
        let table = TableDescriptor::new("t").unwrap().family(family);
        client.admin().create_table(&table).await.unwrap();
        let table = client.raw_table("t").unwrap();
        for time in 1..=3 {
            table.put(Put::new("r").cell_at("d", "q", at(time), "v")).await.unwrap();
        }
        table.delete(Delete::new("r").version("d", "q", at(3))).await.unwrap();
        table.delete(Delete::new("r").column_until("d", "q", at(1))).await.unwrap();
        state("raw.copy");
        copy("raw.copy", &source.url, &target.url, &["--raw", "--verify"]).done();
        // A write that is older than the marker is hidden in the copy too.
        let client = Client::connect(&target.url).await.unwrap();
        let copied = client.raw_table("t").unwrap();
        copied.put(Put::new("r").cell_at("d", "q", at(1), "late")).await.unwrap();
        let row = copied.get(tallrow::Get::new("r").versions(9)).await.unwrap().unwrap();
        let times: Vec<_> = row.cells().iter().map(|cell| cell.timestamp().as_millis()).collect();
        assert_eq!(times, [2]);
    });
}

#[test]
fn a_target_that_would_lose_cells_is_refused() {
    let (source, target) = (Cluster::mock(), Cluster::mock());
    Runtime::new().unwrap().block_on(fill(&source.url));
    let copy = || copy("loses.copy", &source.url, &target.bigtable, &[]);
    state("loses.copy");
    target.run(&["table", "create", "t", "--family", "d,VERSIONS=5"]).done();
    let missing = copy().failed(3);
    has(&missing, "has no family wide; it has d\n  next: add the families");
    target.run(&["table", "drop", "t", "--yes"]).done();
    target.run(&["table", "create", "t", "--family", "d,VERSIONS=2", "--family", "wide"]).done();
    let less = copy().failed(1);
    has(&less, "keeps less than what is copied (d.VERSIONS)");
    target.run(&["table", "drop", "t", "--yes"]).done();
    target.run(&["table", "create", "t", "--family", "d,VERSIONS=9", "--family", "wide"]).done();
    copy().done();
    assert_same(&source.url, &target.bigtable);
}

#[test]
fn addresses_and_names_that_cannot_be_are_named() {
    let source = Cluster::mock();
    Runtime::new().unwrap().block_on(fill(&source.url));
    let wrong = copy("wrong.copy", &source.url, "bigtable://only-a-project", &[]).failed(2);
    has(&wrong, "has no instance after the project");
    let nowhere = "bigtable://p/i?endpoint=127.0.0.1:1";
    let nobody = copy("wrong.copy", &source.url, nowhere, &["--timeout", "2"]).failed(1);
    has(&nobody, "127.0.0.1:1");
    let name =
        copy("wrong.copy", &source.url, &source.bigtable, &["--to-table", "shop:t"]).failed(2);
    has(&name, "Bigtable has no namespaces, and shop:t is in one");
    let none = format!("copy none --url {} --to {} --to-table x", source.url, source.bigtable);
    let none = tallrow(&words(&none));
    assert!(none.failed(3).contains("none"));
}
