//! Lines with equal row keys: how many wrote over another is said, before and after.

use std::fs;

use serde_json::json;

use crate::cluster::Cluster;
use crate::import::fresh;
use crate::program::{file, has, tallrow};

/// 1,000 lines of which 78 have the key of an earlier one, and one that is refused.
fn lines() -> String {
    let keys = (0..922).chain((0..77).map(|n| n * 3)).chain([5]);
    let lines: String = keys.map(|key| format!("{key},v\n")).collect();
    format!("row,d:q\n{lines}x,y,z\n")
}

#[test]
fn lines_that_write_over_others_are_counted_before_and_after() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "t", "--family", "d"]).done();
    let csv = fresh("equal.csv", "t", &lines());
    let dry = cluster.run(&["import", "t", &csv, "--dry-run"]);
    has(
        &dry.errors,
        "78 lines have the row keys of earlier lines, and would write over its cells\n",
    );
    let dry = cluster.run(&["import", "t", &csv, "--dry-run", "--json"]);
    let expected = json!({ "table": "t", "lines": 1_000, "refused": 1, "equal_keys": 78 });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&dry.output).unwrap(), expected);

    // Stopped by the refused line, and resumed: the lines of both runs count.
    let failed = cluster.run(&["import", "t", &csv, "--batch", "100"]).failed(1);
    has(&failed, "1000 rows up to line 1001");
    let text = fs::read_to_string(&csv).unwrap();
    fs::write(&csv, text.replace("x,y,z\n", "0,again\nnew,v\n")).unwrap();
    let done = cluster.run(&["import", "t", &csv]);
    has(&done.errors, "imported 1002 lines into t, 2 of them now");
    assert!(
        done.errors
            .ends_with("79 lines have the row keys of earlier lines, and wrote over its cells\n"),
        "{}",
        done.errors
    );
    assert_eq!(cluster.run(&["table", "count", "t"]).done(), "923\n");
    let again = cluster.run(&["import", "t", &csv, "--json"]).json();
    assert_eq!(
        (&again["lines"], &again["now"], &again["equal_keys"]),
        (&json!(1_002), &json!(0), &json!(79))
    );
}

#[test]
fn lines_that_are_only_counted_write_over_nothing() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "t", "--family", "c"]).done();
    let csv = fresh("equal_counts.csv", "t", "row\na\na\nb\n");
    let done = cluster.run(&["import", "t", &csv, "--count", "c:n", "--json"]);
    assert!(!done.errors.contains("earlier"), "{}", done.errors);
    assert_eq!(done.json()["equal_keys"], serde_json::Value::Null);
}

#[test]
fn a_simulation_says_how_many_keys_are_equal() {
    let key = file("equal_sim.key", "row key K\nuser: u32\n");
    let csv = file("equal_sim.csv", "user\n1\n2\n1\n3\n1\n");
    let run = ["simulate", "--schema", &key, "--csv", &csv];
    let text = tallrow(&run).done();
    has(&text, "\n2 keys are those of earlier rows, which they would write over\n");
    let document = tallrow(&[&run[..], &["--json"]].concat()).json();
    assert_eq!(document["designs"][0]["equal_keys"], 2);
    let all =
        tallrow(&["simulate", "--schema", &key, "--field", "user=random:1000", "--rows", "300000"])
            .done();
    has(&all, "299000 keys are those of earlier rows");
}
