//! No option and no verb is missing.

use std::fs;
use std::path::Path;

use super::choices::{OF_CALLS, OF_RAW, OF_TYPED};
use super::verbs::{RAW, TYPED};

/// Options that have a test of their own here.
const ALONE: [&str; 2] = ["with_wait_when_full", "with_hook"];

/// The functions of a source file that begin like this.
pub(super) fn functions(file: &str, begins: &str) -> Vec<String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src");
    let text = fs::read_to_string(sources.join(file)).unwrap();
    let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let starts = text.lines().filter_map(|line| line.trim().strip_prefix(begins));
    let found: Vec<_> =
        starts.map(|rest| rest.chars().take_while(is_name).collect::<String>()).collect();
    assert!(!found.is_empty(), "the reader of sources is broken: {file} has no {begins}");
    found
}

pub(super) fn assert_covered(found: Vec<String>, covered: &[&str], what: &str) {
    let missing: Vec<_> =
        found.into_iter().filter(|name| !covered.contains(&name.as_str())).collect();
    assert_eq!(missing, [""; 0], "{what}");
}

#[test]
fn no_option_is_missing() {
    let mut calls: Vec<_> = OF_CALLS.iter().map(|choice| choice.name).collect();
    calls.push("new");
    let found = functions("request/call_options.rs", "pub fn ");
    assert_covered(found, &calls, "they need a line in OF_CALLS of choices.rs");

    let is_option = |name: &String| name.starts_with("with_") || name == "as_of";
    let all: Vec<_> =
        OF_TYPED.iter().map(|c| c.name).chain(OF_RAW.iter().map(|c| c.name)).collect();
    let all = [all, [&ALONE[..], &["with_options"]].concat()].concat();
    for file in ["table/typed_table.rs", "raw_table/mod.rs"] {
        let found = functions(file, "pub fn ").into_iter().filter(is_option).collect();
        assert_covered(found, &all, "they need a line in OF_TYPED or OF_RAW of choices.rs");
    }
}

#[test]
fn no_verb_is_missing() {
    let first = |name: &'static str| name.split(' ').next().unwrap();
    let typed: Vec<_> = TYPED.iter().map(|verb| first(verb.name)).collect();
    // How a writer ends is for its caller to say.
    let typed = [&typed[..], &["close", "flush"]].concat();
    for file in [
        "table/batch.rs",
        "table/cell_scan.rs",
        "table/first_rows.rs",
        "table/join.rs",
        "table/mutate_rows.rs",
        "table/puts.rs",
        "table/reads.rs",
        "table/rows.rs",
        "table/scan.rs",
        "table/typed_writer.rs",
        "table/writes.rs",
    ] {
        let found = functions(file, "pub async fn ");
        assert_covered(found, &typed, "they need a line in TYPED of verbs.rs");
    }
    let raw: Vec<_> = RAW.iter().map(|verb| first(verb.name)).collect();
    // HBase has no merges, and Bigtable sends them as additions.
    let raw = [&raw[..], &["merge_to_cells"]].concat();
    for file in
        ["raw_table/mod.rs", "raw_table/batches.rs", "raw_table/scans.rs", "raw_table/read_back.rs"]
    {
        let found = functions(file, "pub async fn ");
        assert_covered(found, &raw, "they need a line in RAW of verbs.rs");
    }
    // Files with verbs that are not read above.
    let elsewhere = ["hook", "derived", "typed_table"];
    for entry in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src/table")).unwrap()
    {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let (stem, text) = (path.file_stem().unwrap().to_str().unwrap(), fs::read_to_string(&path));
        let has = text.unwrap().contains("    pub async fn ");
        let known = [
            "batch",
            "cell_scan",
            "first_rows",
            "join",
            "mutate_rows",
            "puts",
            "reads",
            "rows",
            "scan",
            "typed_writer",
            "writes",
        ];
        assert!(!has || known.contains(&stem) || elsewhere.contains(&stem), "{stem}.rs has verbs");
    }
}
