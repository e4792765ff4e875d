//! `tallrow lookup`: names resolved to ids and back, listed, checked and repaired.

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::program::{begins, ends, fed, has, tallrow};

fn names_are_resolved_listed_and_checked(cluster: &Cluster, table: &str) {
    cluster.without(table);
    cluster.run(&["table", "create", table, "--family", "id", "--family", "name"]).done();
    let run = |command: &str, rest: &[&str]| {
        let mut all = vec!["lookup", command, table];
        all.extend(rest);
        cluster.run(&all)
    };
    let hosts = ["--kind", "host", "--width", "3"];
    let with = |rest: &[&'static str]| [&hosts[..], rest].concat();

    assert_eq!(
        run("resolve", &with(&["web01", "web 02", "web01"])).done(),
        "web01\t1\nweb 02\t2\nweb01\t1\n"
    );
    let unknown = run("resolve", &with(&["--read-only", "web01", "web09"]));
    assert_eq!(unknown.output, "web01\t1\n");
    assert_eq!(
        unknown.failed(3),
        "tallrow: argument 2, web09: it has no id\ntallrow: 1 names are not in the table\n"
    );
    assert_eq!(run("resolve", &with(&["--ids", "2", "1"])).done(), "2\tweb 02\n1\tweb01\n");
    assert_eq!(run("resolve", &with(&["--ids", "9"])).failed(3).lines().count(), 2);
    let word = run("resolve", &with(&["--ids", "web01"])).failed(2);
    begins(&word, "tallrow: argument 1, \"web01\": an id is a whole number");
    let json = run("resolve", &with(&["--json", "web01"])).json();
    assert_eq!(json, json!({ "name": "web01", "id": 1 }));
    run("resolve", &["--kind", "event", "--width", "3", "web01"]).done();

    let list = run("list", &[]);
    assert_eq!(list.errors, "3 names\n");
    assert_eq!(list.done(), "host\t2\tweb 02\nevent\t1\tweb01\nhost\t1\tweb01\n");
    assert_eq!(run("list", &["--kind", "host", "--prefix", "web0"]).done(), "host\t1\tweb01\n");
    assert_eq!(
        run("list", &["--json", "--kind", "event"]).json(),
        json!({ "kind": "event", "id": 1, "name": "web01" })
    );

    assert_eq!(
        run("fsck", &hosts).errors,
        format!("host in {table}: 2 names, 2 ids with a name, counter 2, 0 findings\n")
    );
    // A writer stopped before its last step.
    cluster.run(&["table", "put", table, "\\x00\\x00\\x03", "name:host=web03"]).done();
    let found = run("fsck", &hosts);
    assert_eq!(found.code, Some(3));
    let counter = "found\tthe counter is 2, below the id 3; repair raises it";
    let unfinished =
        "found\tthe id 3 has the name \"web03\", which has no id; repair gives it this one";
    assert_eq!(found.output, format!("{counter}\n{unfinished}\n"));
    ends(&found.errors, "  next: --repair repairs all but what somebody has to decide\n");
    let asked = run("fsck", &with(&["--repair"])).failed(2);
    has(&asked, "next: give --yes");
    let repaired = run("fsck", &with(&["--repair", "--yes"])).done();
    assert_eq!(repaired, format!("{counter}\n{unfinished}\n").replace("found", "repaired"));
    run("fsck", &hosts).done();
    assert_eq!(run("resolve", &with(&["--read-only", "web03"])).done(), "web03\t3\n");

    // Two names with one id: which one is right is not known.
    cluster.run(&["table", "put", table, "web04", "id:host=\\x00\\x00\\x01"]).done();
    let shared = run("fsck", &with(&["--repair", "--yes", "--json"]));
    assert_eq!(shared.code, Some(3));
    let shared: Value = serde_json::from_str(&shared.output).unwrap();
    assert_eq!(shared["result"], "needs a decision");
}

#[test]
fn on_mock() {
    names_are_resolved_listed_and_checked(&Cluster::mock(), "names");
}

#[test]
fn on_real() {
    if let Some(cluster) = Cluster::real() {
        names_are_resolved_listed_and_checked(&cluster, "cli_names");
    }
}

#[test]
fn many_names_of_standard_input_are_resolved_in_batches() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "names", "--family", "id", "--family", "name"]).done();
    let names: String = (0..2_500).map(|n| format!("host{n}\n")).collect();
    let command = ["lookup", "resolve", "names", "--kind", "host", "--url", &cluster.url];
    let ids = fed(&command, &names).done();
    assert_eq!(ids.lines().count(), 2_500);
    let again = fed(&command, &names).done();
    assert_eq!(again, ids);
}

#[test]
fn a_table_that_is_no_lookup_table_is_named() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "other", "--family", "d"]).done();
    let errors = cluster.run(&["lookup", "resolve", "other", "--kind", "host", "a"]).failed(3);
    has(&errors, "other");
    has(&errors, "id");
    let width = tallrow(&["lookup", "fsck", "t", "--kind", "k", "--width", "9", "--url", "mock:"])
        .failed(2);
    has(&width, "9 is not in 1..=8");
}
