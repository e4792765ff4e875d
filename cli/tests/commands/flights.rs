//! From a file of flights and three candidate keys to a table with them, by commands of the program
//! alone.

use std::fs;

use crate::cluster::Cluster;
use crate::import::{absent, fresh};
use crate::program::{Run, begins, file, folder, has};

/// Keys by carrier and number, newest first: as they are, after a hash, and salted.
const CANDIDATES: [(&str, &str); 3] = [
    ("plain", ""),
    ("hashed", "hash_prefix of carrier, number: md5(hex = 2)\n"),
    ("salted", "salt of carrier, number: buckets = 16, width = 1, hash = fnv1a\n"),
];
const FIELDS: &str = "carrier: text, width = 2, pad = 0x20\nnumber: u16\nhour: i64, rev_ts, \
                      display_time = ms\nminute: u8\n";

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/flights/sample.csv");

fn from_a_file_to_a_table(cluster: &Cluster, table: &str) {
    for (name, front) in CANDIDATES {
        file(&format!("{table}_{name}.key"), &format!("row key Flight\n{front}{FIELDS}"));
    }
    let key = |name: &str| concat_path(&format!("{table}_{name}.key"));
    let text = fs::read_to_string(SAMPLE).unwrap();
    let csv = fresh(&format!("{table}.csv"), table, &text);
    let flights = text.lines().count() - 1;
    cluster.without(table);
    let mut commands = 0;
    let mut run = |arguments: &[&str]| -> Run {
        commands += 1;
        cluster.run(arguments)
    };
    let mapping = ["--key", "number=flight", "--key", "hour=time_hour", "--null", "NA"];
    let cells =
        ["--column", "f:from=origin", "--column", "f:to=dest", "--column", "f:miles=distance:u16"];

    // Which of the keys: a report with pictures compares their spread, and every line of the file
    // fits the one that is chosen.
    let import = ["import", table, &csv];
    let keys = CANDIDATES.map(|(name, _)| key(name));
    let report = absent(&format!("{table}.html"));
    let fields = ["--field", "number=column:flight", "--field", "hour=column:time_hour"];
    let schemas = keys.iter().flat_map(|key| ["--schema", key]).collect::<Vec<_>>();
    let simulate =
        ["simulate", "--csv", &csv, "-n", "4", "--split-by", "sample", "--html", &report];
    let spread = run(&[&simulate[..], &schemas, &fields].concat()).done();
    assert!(spread.matches("Flight").count() >= 3, "{spread}");
    assert!(fs::read_to_string(&report).unwrap().contains("<svg"));
    let fits = run(&[&import[..], &mapping, &cells, &["--dry-run", "--schema", &keys[2]]].concat());
    assert_eq!(
        fits.done(),
        format!("{flights} lines would be imported, 0 lines refused; nothing was written\n")
    );
    let salted = key("salted");
    let splits = run(&["splits", "schema", "--schema", &salted, "-n", "4"]).done();
    let splits = file(&format!("{table}.splits"), &splits);

    // Created with split keys, loaded, queried.
    run(&["table", "create", table, "--family", "f", "--schema", &salted, "--splits", &splits])
        .done();
    let loaded = run(&[&import[..], &mapping, &cells].concat());
    has(&loaded.errors, &format!("imported {flights} lines into {table}"));
    loaded.done();
    assert_eq!(run(&["table", "count", table]).done(), format!("{flights}\n"));
    let newest =
        run(&["table", "scan", table, "--where", "carrier=HA, number=51", "--limit", "1"]).done();
    begins(&newest, "carrier: HA, number: 51, hour: 2013-01-31T14:00:00.000Z");

    // And what was made of it: the regions, and the rows as a file.
    let described = run(&["table", "describe", table, "--json"]).json();
    assert_eq!(described["regions"].as_array().unwrap().len(), 4);
    assert!(commands < 10, "{commands}");
}

fn concat_path(name: &str) -> String {
    format!("{}/{name}", folder().display())
}

#[test]
fn on_mock() {
    from_a_file_to_a_table(&Cluster::mock(), "key_of_flights");
}

#[test]
fn on_real() {
    if let Some(cluster) = Cluster::real() {
        from_a_file_to_a_table(&cluster, "cli_key_of_flights");
    }
}
