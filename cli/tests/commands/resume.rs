//! Imports and exports that are killed, stopped or fail, and are resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::thorough;

use crate::cluster::Cluster;
use crate::import::{absent, fresh};
use crate::program::{Run, begins, command, ends, file, has, interrupt, tallrow, words};

/// Starts the program with this cluster as `--url`.
fn start(url: &str, arguments: &[&str]) -> Child {
    let mut program = command();
    program.args(arguments).args(["--url", url]).stdout(Stdio::null()).stderr(Stdio::piped());
    program.spawn().unwrap()
}

/// Waits until the state in a file says so, or the program has ended; returns whether it still
/// runs.
fn runs_until(child: &mut Child, state: &str, is: impl Fn(&Value) -> bool) -> bool {
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        let text = fs::read(state).unwrap_or_default();
        if serde_json::from_slice(&text).is_ok_and(|state| is(&state)) {
            return true;
        }
        std::thread::yield_now();
    }
}

fn errors(mut child: Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    text
}

/// Kills an import several times, each time after it has come further, then lets it finish. Returns
/// how often.
fn killed_and_resumed(
    cluster: &Cluster,
    arguments: &[&str],
    lines: u64,
    random: &mut fastrand::Rng,
) -> usize {
    let state = format!("{}.{}.import", arguments[2], arguments[1]);
    let (mut from, mut kills) = (0, 0);
    for _ in 0..3 {
        from = random.u64(from..=lines);
        let mut child = start(&cluster.url, arguments);
        if runs_until(&mut child, &state, |state| state["sent"]["rows"].as_u64() >= Some(from)) {
            // Somewhere within a batch.
            for _ in 0..random.u32(..100_000) {
                std::hint::spin_loop();
            }
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
    }
    let run = cluster.run(arguments);
    has(&run.errors, &format!("imported {lines} lines into "));
    run.done();
    kills
}

/// A table that did not exist before.
fn create(cluster: &Cluster, table: &str, schema: &str, family: &str) {
    cluster.without(table);
    let schema = file(&format!("{table}.key"), schema);
    cluster.run(&["table", "create", table, "--family", family, "--schema", &schema]).done();
}

const FLIGHT: &str = "row key Flight\nsalt of number: buckets = 4, width = 1, hash = \
                      fnv1a\ncarrier: text, width = 2, pad = 0x20\n\
                      number: u16\nhour: i64, rev_ts, display_time = ms\nminute: u8\n";
const AIRPORT: &str = "row key Airport\ncode: text, width = 3, pad = 0x20\n";

/// The columns of a file of flights that the tests read.
struct Flights {
    path: String,
    lines: u64,
    /// How many flights and how many miles each airport has.
    sums: BTreeMap<String, (u64, u64)>,
}

impl Flights {
    fn of(path: String) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let place = |name| head.iter().position(|other| *other == name).unwrap();
        let (origin, distance) = (place("origin"), place("distance"));
        let (mut sums, mut count) = (BTreeMap::<String, (u64, u64)>::new(), 0);
        for line in lines {
            let sum = sums.entry(line[origin].to_owned()).or_default();
            sum.0 += 1;
            sum.1 += line[distance].parse::<u64>().unwrap();
            count += 1;
        }
        Self { path, lines: count, sums }
    }

    /// A file of `count` flights, each with another key.
    fn made(name: &str, count: u64) -> Self {
        let mut text = String::from("carrier,flight,time_hour,minute,origin,dest,distance\n");
        for at in 0..count {
            let airport = ["EWR", "JFK", "LGA"][(at % 7 % 3) as usize];
            let (flight, hour) = (at % 50, at / 50);
            text += &format!(
                "UA,{flight},{},{},{airport},IAH,{}\n",
                hour * 3_600_000,
                at % 60,
                at % 2_000
            );
        }
        Self::of(file(name, &text))
    }

    /// Imports them twice, as rows and into counters, killed at moments that the seed gives.
    fn import(&self, cluster: &Cluster, prefix: &str, batch: &str, seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (flights, airports) = (format!("{prefix}flights"), format!("{prefix}airports"));
        for table in [&flights, &airports] {
            let _ = fs::remove_file(format!("{}.{table}.import", self.path));
        }
        create(cluster, &flights, FLIGHT, "f,VERSIONS=5");
        create(cluster, &airports, AIRPORT, "c");
        let rows = format!(
            "import {flights} {} --batch {batch} --key number=flight --key hour=time_hour \
             --column f:o=origin --column f:d=dest --column f:m=distance:u16 --null NA",
            self.path
        );
        let rows = words(&rows);
        let mut kills = killed_and_resumed(cluster, &rows, self.lines, &mut random);
        assert_eq!(
            cluster.run(&["table", "count", &flights]).done(),
            format!("{}\n", self.lines),
            "seed {seed}"
        );

        let sums = format!(
            "import {airports} {} --batch {batch} --key code=origin --count c:n --count \
             c:miles=distance",
            self.path
        );
        let sums = words(&sums);
        kills += killed_and_resumed(cluster, &sums, self.lines, &mut random);
        assert!(kills > 0, "seed {seed} kills none");
        let counted = cluster
            .run(&["export", &airports, "--column", "c:n:i64", "--column", "c:miles:i64"])
            .done();
        let counted: BTreeMap<String, (u64, u64)> = counted
            .lines()
            .map(|line| {
                let row: Value = serde_json::from_str(line).unwrap();
                let number = |name: &str| row[name].as_u64().unwrap();
                (row["code"].as_str().unwrap().into(), (number("c:n:i64"), number("c:miles:i64")))
            })
            .collect();
        assert_eq!(counted, self.sums, "seed {seed}");

        // Written again, a cell has no second version.
        let row = cluster
            .run(&["table", "scan", &flights, "--limit", "100", "--versions", "5", "--json"])
            .done();
        for row in row.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            assert_eq!(row["cells"].as_array().unwrap().len(), 3, "{row}");
        }
    }
}

#[test]
fn every_line_is_a_row_and_is_counted_once_although_the_import_is_killed() {
    let cluster = Cluster::mock();
    let flights = Flights::made("killed.csv", 6_000);
    for seed in 0..4 {
        flights.import(&cluster, "", "100", seed);
    }
}

#[test]
fn every_line_is_counted_once_on_real() {
    if let Some(cluster) = Cluster::real() {
        Flights::made("killed_real.csv", 4_000).import(&cluster, "cli_", "100", 7);
    }
}

#[test]
fn all_flights_of_2013_are_imported_although_the_import_is_killed() {
    if !thorough() {
        return;
    }
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/flights");
    let fetch = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/flights/fetch");
    assert!(Command::new(fetch).arg(folder).stdout(Stdio::null()).status().unwrap().success());
    let flights = Flights::of(format!("{folder}/flights.csv"));
    assert_eq!(flights.lines, 336_776);
    flights.import(&Cluster::mock(), "", "2000", 1);
}

/// A mock in this process, for faults, with a table of counters.
struct Faulty {
    _runtime: tokio::runtime::Runtime,
    mock: MockCluster,
    url: String,
}

impl Faulty {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let mock = runtime.block_on(MockCluster::start()).unwrap();
        let url = mock.url();
        tallrow(&["table", "create", "sums", "--family", "c", "--url", &url]).done();
        Self { _runtime: runtime, mock, url }
    }

    fn sums(&self) -> String {
        let cells = ["--format", "csv", "--column", "c:n:i64"];
        tallrow(&[&["export", "sums", "--url", &self.url][..], &cells].concat()).done()
    }
}

fn sums(name: &str) -> String {
    let lines: String = (0..100).map(|line| format!("{}\n", ["a", "b", "c"][line % 3])).collect();
    fresh(name, "sums", &format!("row\n{lines}"))
}

const SUMS: &str = "row,c:n:i64\na,34\nb,33\nc,33\n";

impl Faulty {
    /// Imports until the servers have added to the counters for the nth time and never answer; then
    /// kills the process.
    fn count_and_kill(&self, nth: u64, arguments: &[&str]) {
        self.mock.inject(Fault::on("Multi").table("sums").nth(nth).drop_reply());
        let mut child = start(&self.url, &[arguments, &["--timeout", "600"]].concat());
        while !self.mock.unfired_faults().is_empty() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // The fault has fired; the sums of this batch are there when they are read.
        let state = format!("{}.sums.import", arguments[2]);
        assert!(runs_until(&mut child, &state, |state| state["sent"] != state["done"]));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Run {
        tallrow(&[arguments, &["--url", &self.url]].concat())
    }
}

#[test]
fn a_batch_that_was_counted_before_the_process_was_killed_is_not_counted_again() {
    let faulty = Faulty::new();
    let csv = sums("counted.csv");
    let import = ["import", "sums", &csv, "--count", "c:n", "--batch", "10"];
    for nth in [1, 2, 5] {
        faulty.count_and_kill(nth, &import);
    }
    let run = faulty.run(&import);
    has(&run.errors, "rows had been counted when the import was stopped\n");
    run.done();
    assert_eq!(faulty.sums(), SUMS);
}

#[test]
fn a_batch_has_the_same_lines_again_although_batches_are_of_another_length() {
    let faulty = Faulty::new();
    let csv = sums("batches.csv");
    let import = |batch| ["import", "sums", &csv, "--count", "c:n", "--batch", batch];
    for (nth, batch) in [(1, "10"), (4, "30"), (3, "4")] {
        faulty.count_and_kill(nth, &import(batch));
    }
    faulty.run(&import("7")).done();
    assert_eq!(faulty.sums(), SUMS);
}

#[test]
fn a_batch_has_the_same_lines_again_although_the_file_has_grown() {
    let lines = || ["a", "b", "c"].into_iter().cycle().take(100);
    let csv: Vec<String> = ["row"].into_iter().chain(lines()).map(String::from).collect();
    let mut json: Vec<String> = lines().map(|row| format!("{{\"row\":\"{row}\"}}")).collect();
    json.insert(25, String::new());
    for (name, lines) in [("grown.csv", csv), ("grown.jsonl", json)] {
        let faulty = Faulty::new();
        let file = fresh(name, "sums", &(lines[..26].join("\n") + "\n"));
        let import = ["import", "sums", &file, "--count", "c:n", "--batch", "10"];
        faulty.count_and_kill(3, &import);
        fs::write(&file, lines.join("\n")).unwrap();
        faulty.run(&import).done();
        assert_eq!(faulty.sums(), SUMS, "{name}");
    }
}

#[test]
fn a_part_of_a_batch_is_not_counted_if_a_line_of_it_is_refused_now() {
    let faulty = Faulty::new();
    let csv = fresh("refused_now.csv", "sums", "row\na\nb,x\nc\na\n");
    let refused = absent("refused_now_lines.csv");
    let import = ["import", "sums", &csv, "--count", "c:n"];
    let skipping = [&import[..], &["--skip-bad", &refused]].concat();
    faulty.count_and_kill(1, &skipping);
    let failed = faulty.run(&import).failed(1);
    has(&failed, "line 3: expected 1 values, found 2");
    faulty.run(&skipping).done();
    assert_eq!(faulty.sums(), "row,c:n:i64\na,2\nc,1\n");
    assert_eq!(fs::read_to_string(&refused).unwrap(), "row\nb,x\n");
}

#[test]
fn lost_replies_are_counted_once() {
    let faulty = Faulty::new();
    faulty.mock.inject(Fault::on("Multi").table("sums").chance(0.3).times(10).close_after());
    let csv = sums("lost.csv");
    let arguments =
        ["import", "sums", &csv, "--count", "c:n", "--batch", "5", "--url", &faulty.url];
    tallrow(&arguments).done();
    assert_eq!(faulty.sums(), SUMS);
    assert!(faulty.mock.call_count("Multi") > 20);
}

#[test]
fn ctrl_c_ends_after_what_was_sent_and_the_import_goes_on() {
    let cluster = Cluster::mock();
    let flights = Flights::made("interrupted.csv", 5_000);
    create(&cluster, "flights", FLIGHT, "f");
    let state = format!("{}.flights.import", flights.path);
    let _ = fs::remove_file(&state);
    let arguments = format!(
        "import flights {} --batch 10 --key number=flight --key hour=time_hour --column f:o=origin",
        flights.path
    );
    let arguments = words(&arguments);
    let mut child = start(&cluster.url, &arguments);
    assert!(runs_until(&mut child, &state, |state| state["done"]["rows"].as_u64() >= Some(100)));
    // Another process keeps its hands off.
    let other = cluster.run(&arguments).failed(1);
    has(&other, "another process is at work with the state");
    interrupt(&child);
    let text = errors(child);
    let saved: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    assert_eq!(saved["sent"], saved["done"], "nothing is half written");
    let rows = saved["done"]["rows"].as_u64().unwrap();
    let expected = format!(
        "tallrow: stopped by Ctrl-C\n  so far: {rows} rows up to line {} are in the \
         table\n  next: the same command goes on after line {}\n",
        rows + 1,
        rows + 1
    );
    ends(&text, &expected);
    assert_eq!(cluster.run(&["table", "count", "flights"]).done(), format!("{rows}\n"));
    cluster.run(&arguments).done();
    assert_eq!(cluster.run(&["table", "count", "flights"]).done(), "5000\n");
}

#[test]
fn what_may_be_written_is_remembered_although_the_import_goes_on_in_smaller_batches() {
    let faulty = Faulty::new();
    let csv = fresh("smaller.csv", "sums", "row,c:q\na,1\nb,1\nc,1\nd,1\n");
    let import = ["import", "sums", &csv];
    faulty.count_and_kill(1, &import);
    faulty.mock.inject(
        Fault::on("Mutate")
            .table("sums")
            .nth(2)
            .throw("org.apache.hadoop.hbase.DoNotRetryIOException", "no"),
    );
    faulty.run(&[&import[..], &["--batch", "1", "--concurrency", "1"]].concat()).failed(1);
    fs::write(&csv, "row,c:q\na,1\nb,1\nc,1\ne,1\n").unwrap();
    let changed = faulty.run(&import).failed(1);
    has(&changed, "smaller.csv has changed in its first 5 lines");
}

#[test]
fn an_import_whose_servers_fail_says_what_was_done_and_goes_on() {
    let faulty = Faulty::new();
    let csv = sums("failing.csv");
    let arguments =
        format!("import sums {csv} --count c:n --batch 10 --timeout 600 --url {}", faulty.url);
    let arguments = words(&arguments);
    faulty.mock.inject(
        Fault::on("Multi")
            .table("sums")
            .nth(3)
            .throw("org.apache.hadoop.hbase.DoNotRetryIOException", "no"),
    );
    let failed = tallrow(&arguments).failed(1);
    has(&failed, " are in the table, and some of the lines up to ");
    has(&failed, "\n  next: the same command goes on after line ");
    tallrow(&arguments).done();
    assert_eq!(faulty.sums(), SUMS);
}

/// Fills a table from a file of this name, which is that of one test only, and returns its export.
fn filled(cluster: &Cluster, name: &str) -> String {
    create(cluster, "flights", FLIGHT, "f");
    let flights = Flights::made(name, 4_000);
    let _ = fs::remove_file(format!("{}.flights.import", flights.path));
    let mapping = ["--key", "number=flight", "--key", "hour=time_hour", "--column", "f:o=origin"];
    cluster.run(&[&["import", "flights", &flights.path][..], &mapping].concat()).done();
    cluster.run(&["export", "flights"]).done()
}

#[test]
fn an_export_that_is_out_of_room_ends_with_a_whole_line_and_goes_on() {
    let cluster = Cluster::mock();
    let whole = filled(&cluster, "for_no_room.csv");
    let out = absent("no_room.jsonl");
    // Files cannot become larger than 64 kB; the signal for that is ignored, as on a full disk.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 64; exec '{}' export flights '{out}' --save-every 100 --url '{}'",
        env!("CARGO_BIN_EXE_tallrow"),
        cluster.url
    );
    let run = Command::new("bash").args(["-c", &limited]).output().unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{text}");
    begins(&text, &format!("tallrow: write {out}\n  caused by: File too large (os error 27)\n"));
    let part = fs::read_to_string(&out).unwrap();
    assert!(whole.starts_with(&part) && part.ends_with('\n'));
    let expected = format!(
        "  so far: {} rows are written; the file ends with a whole line\n  next: make room; the \
         same command goes on after the last line\n",
        part.lines().count()
    );
    ends(&text, &expected);
    cluster.run(&["export", "flights", &out]).done();
    assert_eq!(fs::read_to_string(&out).unwrap(), whole);
}

#[test]
fn a_full_device_is_named() {
    let cluster = Cluster::mock();
    filled(&cluster, "for_full_device.csv");
    let full = cluster.run(&["export", "flights", "/dev/full", "--format", "json"]).failed(1);
    begins(&full, "tallrow: write /dev/full\n  caused by: No space left on device");
    let command = format!(
        "'{}' export flights --url '{}' > /dev/full",
        env!("CARGO_BIN_EXE_tallrow"),
        cluster.url
    );
    let run = Command::new("bash").args(["-c", &command]).output().unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    has(&text, "write to standard output\n  caused by: No space left on device");
    assert_eq!(run.status.code(), Some(1));

    // The state of an import cannot be written.
    let csv = fresh("full.csv", "flights", "carrier,number,hour,minute,f:o\nUA,1,0,0,x\n");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 0; exec '{}' import flights '{csv}' --url '{}'",
        env!("CARGO_BIN_EXE_tallrow"),
        cluster.url
    );
    let run = Command::new("bash").args(["-c", &limited]).output().unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    begins(
        &text,
        &format!("tallrow: write the state {csv}.flights.import\n  caused by: File too large"),
    );
    has(&text, "\n  so far: 0 rows up to line 1 are in the table\n");
    cluster.run(&["import", "flights", &csv]).done();
}

#[test]
fn an_export_that_is_killed_goes_on_and_is_the_same() {
    let cluster = Cluster::mock();
    let whole = filled(&cluster, "for_killed_export.csv");
    for seed in 0..3 {
        let mut random = fastrand::Rng::with_seed(seed);
        let out = absent("killed.jsonl");
        let state = format!("{out}.export");
        for _ in 0..3 {
            let mut child = start(&cluster.url, &["export", "flights", &out, "--save-every", "50"]);
            let rows = random.u64(1..4_000);
            if runs_until(&mut child, &state, |state| state["rows"].as_u64() >= Some(rows)) {
                child.kill().unwrap();
            }
            child.wait().unwrap();
            if !fs::exists(&state).unwrap() {
                break;
            }
        }
        if fs::exists(&state).unwrap() {
            // A line that was being written.
            let text = fs::read_to_string(&out).unwrap();
            fs::write(&out, text + "{\"carrier\":").unwrap();
            cluster.run(&["export", "flights", &out, "--save-every", "50"]).done();
        }
        assert_eq!(fs::read_to_string(&out).unwrap(), whole, "seed {seed}");
        let again = cluster.run(&["export", "flights", &out]).failed(1);
        has(&again, "killed.jsonl exists already\n  next: remove it");
    }
}

#[test]
fn an_export_goes_on_with_its_own_arguments_and_version_only() {
    let cluster = Cluster::mock();
    create(&cluster, "flights", FLIGHT, "f");
    cluster.run(&["table", "put", "flights", "zz", "f:o=x", "--key-format", "shell"]).done();
    let out = absent("own_arguments.jsonl");
    let state = format!("{out}.export");
    // What an export leaves that was stopped before its first row.
    let mut begun = json!({
        "version": 1,
        "parts": ["table flights", "--column f", "keys of bytes, written as Hex", "--format json"],
        "bytes": 0,
        "rows": 0,
        "range": 0,
        "last": null,
    });
    let save = |begun: &Value| {
        fs::write(&out, "").unwrap();
        fs::write(&state, begun.to_string()).unwrap();
    };
    save(&begun);
    let all = ["export", "flights", &out, "--key-format", "hex"];
    let other = cluster.run(&all).failed(2);
    has(&other, "that was begun has other arguments: table flights, --column f, keys of bytes");
    has(&other, "next: give the same arguments to go on; to begin again, remove ");
    let same = [&all[..], &["--column", "f"]].concat();
    cluster.run(&same).done();
    let row: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(row, json!({ "row": "7a7a", "f:o": "x" }));

    // States of before had no version, and the form in which Rust showed the arguments.
    begun["parts"] = json!(["flights", "RowArguments { .. }", "LineFormatter { .. }"]);
    begun.as_object_mut().unwrap().remove("version");
    save(&begun);
    let older = cluster.run(&same).failed(1);
    has(&older, "own_arguments.jsonl.export was written by another version of this program");
    has(&older, "next: finish with that one; to begin again, remove ");
}

#[test]
fn an_export_of_another_layout_names_the_row() {
    let cluster = Cluster::mock();
    create(&cluster, "flights", FLIGHT, "f");
    cluster.run(&["table", "put", "flights", "zz", "f:o=x", "--key-format", "shell"]).done();
    let other = cluster.run(&["export", "flights"]).failed(1);
    begins(&other, "tallrow: row zz: decode Flight: ");
    assert!(
        other
            .contains("\n  so far: 0 rows are written\n  next: --schema FILE gives another layout"),
        "{other}"
    );
    let bytes = cluster.run(&["export", "flights", "--key-format", "shell", "--json"]).json();
    assert_eq!(bytes, json!({ "row": "zz", "f:o": "x" }));
    let typed =
        cluster.run(&["export", "flights", "--key-format", "hex", "--column", "f:o:i64"]).failed(1);
    has(&typed, "row zz: column f:o:i64: x is no value of this type; give :shell");
    cluster.run(&["table", "put", "flights", "zz", "f:o=", "--key-format", "shell"]).done();
    let empty = ["export", "flights", "--key-format", "hex", "--column", "f:o", "--format", "csv"];
    let null = cluster.run(&empty).failed(1);
    has(&null, "the value \"\" is also the text for no value; give another one with --null");
    let none = cluster.run(&[&empty[..], &["--null", "-"]].concat()).done();
    assert_eq!(none, "row,f:o\n7a7a,\n");
    let csv = cluster.run(&["export", "flights", "--format", "csv"]).failed(2);
    has(&csv, "CSV has the same columns in all lines");
}
