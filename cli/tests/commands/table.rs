//! `tallrow table`: a table from its creation to its end, and what is said about wrong arguments.

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::program::{EVENT, begins, ends, file, has, tallrow, words};

const KEY: &str = "user=7, at=2023-11-14T22:13:20Z";
const SHOWN: &str = "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)";

/// A table from its creation to its end.
fn a_table_is_made_filled_read_and_dropped(cluster: &Cluster, table: &str) {
    let schema = file(&format!("{table}.key"), EVENT);
    cluster.without(table);
    let create = format!("table create {table} --family d,VERSIONS=3 --schema {schema} -n 4");
    let run = cluster.run(&words(&create));
    assert_eq!(run.errors, format!("created table {table} in 4 regions\n"));
    run.done();
    assert!(cluster.run(&["table", "list"]).done().lines().any(|line| line == table));
    let described = cluster.run(&["table", "describe", table, "--json"]).json();
    assert_eq!(described["families"], json!(["d"]));
    assert_eq!(described["regions"].as_array().unwrap().len(), 4);
    assert!(described["schema"].as_str().unwrap().starts_with("row key Event\n"));

    // The keys are read and written by the schema that the table records.
    let cell = "d:what=buy";
    assert_eq!(
        cluster.run(&["table", "put", table, KEY, cell, "d:n=\\x00"]).errors,
        format!("put 2 cells of {KEY} in {table}\n")
    );
    let row = cluster.run(&["table", "get", table, KEY]).done();
    let lines: Vec<&str> = row.lines().collect();
    assert_eq!((lines[0], lines.len()), (SHOWN, 3));
    assert!(lines[1].starts_with("  d:n     1") && lines[1].ends_with("  \\x00"), "{row}");
    assert!(lines[2].starts_with("  d:what  1") && lines[2].ends_with("  buy"), "{row}");
    let row = cluster.run(&["table", "get", table, KEY, "--column", "d:what", "--json"]).json();
    assert_eq!(row["key"], r"\x08\x00\x00\x00\x07\x7F\xFF\xFEt0\x1A\x97\xFF");
    assert_eq!(row["fields"], json!({ "user": 7, "at": "2023-11-14T22:13:20.000Z" }));
    assert_eq!(row["cells"][0]["value"], "buy");
    let bytes = r"\x08\x00\x00\x00\x07\x7F\xFF\xFEt0\x1A\x97\xFF";
    let row = cluster.run(&["table", "get", table, bytes, "--key-format", "shell"]).done();
    begins(&row, &format!("{bytes}\n"));

    for at in 1..=24 {
        let key = format!("user={}, at={at}", at % 3);
        let put = cluster.run(&["table", "put", table, &key, "d:what=x", "--json"]).json();
        assert_eq!(put, json!({ "table": table, "key": key, "cells": 1 }));
    }
    let rows = cluster.run(&["table", "scan", table]);
    assert_eq!(rows.errors, "20 rows, and there are more: --limit 0 shows all\n");
    assert_eq!(rows.done().lines().filter(|line| line.starts_with("user: ")).count(), 20);
    let rows = cluster.run(&["table", "scan", table, "--where", "user=2", "--json"]);
    assert_eq!(rows.errors, "8 rows\n");
    let rows: Vec<Value> =
        rows.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.iter().all(|row| row["fields"]["user"] == 2), "{rows:?}");
    assert_eq!(rows[0]["fields"]["at"], "1970-01-01T00:00:00.023Z", "the newest first");
    assert_eq!(cluster.run(&["table", "count", table]).done(), "25\n");
    assert_eq!(cluster.run(&["table", "count", table, "--where", "user=7"]).done(), "1\n");
    assert_eq!(cluster.run(&["table", "count", table, "--prefix", "\\x08"]).done(), "1\n");

    let keys = cluster.run(&["table", "sample", table]);
    assert_eq!(keys.errors, "25 row keys\n");
    assert_eq!(keys.done().lines().count(), 25);
    let splits = cluster.run(&["splits", "sample", "--table", table, "-n", "5"]);
    assert_eq!(splits.done().lines().count(), 4);
    let checked = cluster.run(&["splits", "check", "--table", table]).done();
    let keys = file(&format!("{table}_check.splits"), "\\x04\n\\x08\n\\x0C\n");
    for layout in [["--table", table], ["--schema", &schema]] {
        let of_file = [&["splits", "check", "--splits", &keys], &layout[..]].concat();
        assert_eq!(cluster.run(&of_file).done(), checked);
    }
    let all = ["splits", "check", "--schema", &schema, "--splits", &keys, "--table", table];
    let all = cluster.run(&all).failed(2);
    has(&all, "so --table");
    has(&all, "next: leave out one");
    let decoded = cluster.run(&["key", "decode", "--table", table, bytes]).done();
    assert_eq!(decoded, format!("{bytes}\t{SHOWN}\n"));

    let counted = cluster.run(&["table", "incr", table, KEY, "d:hits", "d:sum=10"]);
    assert_eq!(counted.done(), "d:hits\t1\nd:sum\t10\n");
    assert_eq!(
        cluster.run(&["table", "incr", table, KEY, "d:hits=-5", "--json"]).json()["value"],
        -4
    );
    let hits =
        cluster.run(&["table", "get", table, KEY, "--column", "d:hits", "--value-format", "long"]);
    assert!(hits.done().trim_end().ends_with("  -4"));
    let not_a_counter = cluster.run(&["table", "incr", table, KEY, "d:what"]).failed(1);
    has(&not_a_counter, "increment");

    let asked = cluster.run(&["table", "delete", table, KEY]).failed(2);
    has(&asked, "next: give --yes to do it without a question; nothing was changed");
    cluster.run(&["table", "delete", table, KEY, "d:n", "--yes"]).done();
    assert!(!cluster.run(&["table", "get", table, KEY]).done().contains("d:n "));
    let deleted = cluster.run(&["table", "delete", table, KEY, "--yes", "--json"]).json();
    assert_eq!(deleted, json!({ "table": table, "key": KEY, "columns": [] }));
    assert_eq!(
        cluster.run(&["table", "get", table, KEY]).failed(3),
        format!("tallrow: get {table}: there is no row {KEY}\n")
    );
    assert!(cluster.run(&["table", "drop", table]).failed(2).contains("give --yes"));
    let dropped = cluster.run(&["table", "drop", table, "--yes", "--json"]);
    assert_eq!(dropped.errors, format!("dropped table {table}\n"));
    assert_eq!(dropped.json(), json!({ "table": table }));
    cluster.run(&["table", "describe", table]).failed(3);
}

#[test]
fn on_mock() {
    a_table_is_made_filled_read_and_dropped(&Cluster::mock(), "events");
}

#[test]
fn on_real() {
    if let Some(cluster) = Cluster::real() {
        a_table_is_made_filled_read_and_dropped(&cluster, "cli_events");
    }
}

#[test]
fn a_table_without_a_schema_has_keys_of_bytes() {
    let cluster = Cluster::mock();
    let splits = file("plain.splits", "g\np\n");
    cluster.run(&["table", "create", "plain", "--family", "d", "--splits", &splits]).done();
    cluster.run(&["table", "put", "plain", "a\\x00", "d:q=1"]).done();
    let rows = cluster.run(&["table", "scan", "plain", "--start", "a", "--stop", "b"]).done();
    begins(&rows, "a\\x00\n  d:q  ");
    let unknown = cluster.run(&["table", "scan", "plain", "--where", "user=7"]).failed(2);
    has(&unknown, "the layout of the keys is not known\n  next: give --schema FILE");
    let key = file("where.key", EVENT);
    let no_value = ["table", "scan", "plain", "--schema", &key, "--where", "user"];
    let no_value = cluster.run(&no_value).failed(2);
    ends(&no_value, "\n  next: write the values of some fields, as user=.., at=..\n");
    let none = cluster.run(&["key", "decode", "--table", "plain", "a"]).failed(3);
    begins(&none, "tallrow: table plain records no layout of its row keys\n  next: ");
}

#[test]
fn keys_of_another_layout_are_shown_as_bytes_with_the_reason() {
    let cluster = Cluster::mock();
    let schema = file("other.key", EVENT);
    cluster.run(&["table", "create", "other", "--family", "d", "--schema", &schema]).done();
    cluster.run(&["table", "put", "other", "zz", "d:q=1", "--key-format", "shell"]).done();
    let rows = cluster.run(&["table", "scan", "other"]).done();
    begins(&rows, "zz (decode Event: field user at byte 1: need 4 bytes, found 1)\n");
    let row = cluster.run(&["table", "scan", "other", "--json"]).json();
    assert_eq!(row["fields"], Value::Null);
}

#[test]
fn what_is_wrong_with_a_cell_a_column_or_a_family_is_said() {
    let run = |arguments: &[&str]| tallrow(arguments).failed(2);
    let cell = run(&["table", "put", "t", "k", "d:q", "--url", "mock:"]);
    assert_eq!(
        cell,
        "tallrow: cell \"d:q\" has no value\n  next: write it as FAMILY:QUALIFIER=VALUE\n"
    );
    let value =
        run(&["table", "put", "t", "k", "d:q=x", "--value-format", "long", "--url", "mock:"]);
    begins(&value, "tallrow: cell \"d:q=x\": \"x\" is not a number of 64 bits\n");
    let column = run(&["table", "incr", "t", "k", "hits", "--url", "mock:"]);
    begins(&column, "tallrow: column \"hits\": it has no colon\n");
    let family = run(&["table", "create", "t", "--family", "d,VERSIONS", "--url", "mock:"]);
    has(&family, "\"VERSIONS\" is not OPTION=VALUE");
    let family = run(&["table", "create", "t", "--family", "d,versons=3", "--url", "mock:"]);
    let unknown =
        "tallrow: --family d,versons=3: HBase has no option VERSONS\n  next: it has VERSIONS, ";
    begins(&family, unknown);
    let missing = tallrow(&["table", "scan", "nowhere", "--url", "mock:"]).failed(3);
    assert!(
        missing
            .starts_with("tallrow: there is no table nowhere\n  next: `tallrow table list` shows"),
        "{missing}"
    );
    let url = run(&["table", "list", "--url", "hbase://x"]);
    has(&url, "unknown scheme \"hbase\"");
}

#[test]
fn a_dry_run_prints_the_command_of_the_shell() {
    let schema = file("dry.key", EVENT);
    let arguments =
        ["table", "create", "t", "--family", "d", "--schema", &schema, "-n", "2", "--dry-run"];
    let printed = tallrow(&arguments).done();
    begins(&printed, "create 't', {NAME => 'd'}, METADATA => {");
    ends(&printed, "SPLITS => ['\\x08']\n");
}
