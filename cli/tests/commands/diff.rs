//! `tallrow table diff`: how a table differs from its definition, and the commands that change it.

use serde_json::json;

use crate::cluster::Cluster;
use crate::program::{EVENT, file, has};

fn a_table_is_compared_with_its_definition(cluster: &Cluster, table: &str) {
    let schema = file(&format!("{table}.key"), EVENT);
    cluster.without(table);
    cluster
        .run(&["table", "create", table, "--family", "d,VERSIONS=3", "--schema", &schema])
        .done();
    let same =
        cluster.run(&["table", "diff", table, "--family", "d,VERSIONS=3", "--schema", &schema]);
    assert_eq!(same.errors, format!("{table} is as it is defined\n"));
    assert_eq!(same.done(), "");

    let other = ["table", "diff", table, "--family", "d,VERSIONS=2", "--family", "e"];
    let run = cluster.run(&other);
    let commands = format!(
        "alter '{table}', {{NAME => 'e'}}\nalter '{table}', {{NAME => 'd', VERSIONS => 2}}\n"
    );
    assert_eq!(run.output, commands);
    assert_eq!(
        run.failed(3),
        format!(
            "tallrow: {table} is not as it is defined: there is no family e; family d: VERSIONS \
             is 3, the definition says 2 (that loses older versions)\n  next: run the printed \
             commands in `hbase shell -n` only if what they lose is not needed: d.VERSIONS\n"
        )
    );
    let json: serde_json::Value =
        serde_json::from_str(&cluster.run(&[&other[..], &["--json"]].concat()).output).unwrap();
    assert_eq!(json["same"], false);
    assert_eq!(json["loses"], json!(["d.VERSIONS"]));

    let layout = file(&format!("{table}_other.key"), "row key Event\nuser: u64\n");
    let run = cluster.run(&["table", "diff", table, "--schema", &layout]).failed(3);
    has(&run, "the row keys in it are of another layout");
    has(&run, "next: copy the rows to a new table");
}

#[test]
fn on_mock() {
    a_table_is_compared_with_its_definition(&Cluster::mock(), "differs");
}

#[test]
fn on_real() {
    if let Some(cluster) = Cluster::real() {
        a_table_is_compared_with_its_definition(&cluster, "cli_differs");
    }
}

#[test]
fn a_table_that_records_no_layout_is_not_said_to_have_it() {
    let cluster = Cluster::mock();
    let schema = file("unrecorded.key", EVENT);
    cluster.run(&["table", "create", "plain", "--family", "d"]).done();
    let run = cluster.run(&["table", "diff", "plain", "--schema", &schema]).failed(3);
    has(&run, "it records no layout of its row keys, so that was not compared");
    cluster.run(&["table", "diff", "nowhere", "--family", "d"]).failed(3);
}
