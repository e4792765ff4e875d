//! `tallrow splits`: split keys made from a schema, a range of numbers or a sample, and checked.

use serde_json::json;

use crate::program::{EVENT, begins, ends, fed, file, has, tallrow};

#[test]
fn splits_fit_the_layout() {
    let schema = file("splits.key", EVENT);
    let run = tallrow(&["splits", "schema", "--schema", &schema, "--regions", "4"]);
    assert_eq!(run.done(), "\\x04\n\\x08\n\\x0C\n");
    let run = tallrow(&["splits", "schema", "--schema", &schema, "-n", "4", "--format", "shell"]);
    assert_eq!(run.done(), "SPLITS => ['\\x04', '\\x08', '\\x0C']\n");
    let run = tallrow(&["splits", "schema", "--schema", &schema, "-n", "4", "--format", "rust"]);
    let call = r#"admin.create_table_with_splits(&table, [b"\x04", b"\x08", b"\x0c"] as [&[u8]; 3]).await?;"#;
    assert_eq!(run.done(), format!("{call}\n"));
    let run = tallrow(&["splits", "schema", "--schema", &schema, "-n", "2", "--json"]);
    assert_eq!(run.json(), json!({ "regions": 2, "splits": ["\\x08"] }));

    let uneven = tallrow(&["splits", "schema", "--schema", &schema, "-n", "5"]).failed(1);
    has(&uneven, "5 regions do not share 16 buckets evenly");
    let plain = file("plain.key", "row key Plain\nname: text\n");
    let unhashed = tallrow(&["splits", "schema", "--schema", &plain, "-n", "4"]).failed(1);
    has(&unhashed, "next: `tallrow splits sample`");
}

#[test]
fn numbers_are_split_as_hbase_does() {
    let lines = |arguments: &[&str]| {
        let mut all = vec!["splits"];
        all.extend(arguments);
        tallrow(&all).done()
    };
    assert_eq!(lines(&["hex", "-n", "4"]), "40000000\n80000000\nc0000000\n");
    assert_eq!(lines(&["decimal", "-n", "3"]), "33333333\n66666666\n");
    assert_eq!(lines(&["uniform", "-n", "2"]), "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00\n");
    let between = lines(&["hex", "-n", "16", "--first", "0", "--last", "ffffffffffffffff"]);
    begins(&between, "0fffffffffffffff\n1ffffffffffffffe\n");
}

#[test]
fn samples_are_cut_into_equal_parts() {
    let samples = "amy\nbob\nann\ncid\nbea\nal\n";
    let names = file("names.txt", samples);
    let run = tallrow(&["splits", "sample", "--file", &names, "-n", "3"]);
    assert_eq!(run.errors, format!("cut 6 row keys of {names}\n"));
    assert_eq!(run.done(), "ann\nbob\n");
    assert_eq!(fed(&["splits", "sample", "--file", "-", "-n", "3"], samples).done(), "ann\nbob\n");

    let few = fed(&["splits", "sample", "--file", "-", "-n", "9"], "a\na\nb\n").failed(1);
    has(&few, "3 row keys of - give 2 regions, not 9\n  next: give more samples");
    let bad = file("bad.txt", "00\n0g\n");
    let bad =
        tallrow(&["splits", "sample", "--file", &bad, "--key-format", "hex", "-n", "2"]).failed(1);
    has(&bad, "bad.txt, line 2: read a row key from hex: found 'g'");
}

#[test]
fn a_check_needs_a_layout_and_split_keys() {
    let key = file("check_needs.key", EVENT);
    let splits = file("check_needs.splits", "\\x04\n");
    for (given, part) in [
        (["--splits", &splits], "no layout of row keys is given\n  next: give --schema FILE, "),
        (["--schema", &key], "no split keys are given\n  next: give --splits FILE, or --table"),
    ] {
        let errors = tallrow(&[&["splits", "check"], &given[..]].concat()).failed(2);
        has(&errors, part);
    }
}

#[test]
fn what_cannot_be_split_says_what_to_change() {
    let hex = tallrow(&["splits", "hex", "-n", "4", "--first", "zz", "--last", "ff"]).failed(1);
    ends(
        &hex,
        "hex digits\n  next: give --first and --last as numbers of up to 16 hex digits, the lower \
         one first\n",
    );
    let key = file("bad_splits.key", "row key A\na: u8\n");
    let splits = file("bad_splits.txt", "\\x0\n");
    let check = ["splits", "check", "--schema", &key, "--splits", &splits];
    let shell = tallrow(&check).failed(1);
    has(&shell, "bad_splits.txt, line 1: ");
    has(&shell, "\n  next: write other bytes");
    let hex = tallrow(&[&check[..], &["--key-format", "hex"]].concat()).failed(1);
    has(&hex, "bad_splits.txt, line 1: ");
    has(&hex, "\n  next: --key-format says");
}

#[test]
fn regions_without_possible_keys_are_found() {
    let log = file("dead.key", "row key Log\nhost: text, md5(hex = 6)\nat: u64\n");
    let splits = fed(&["splits", "uniform", "-n", "8"], "").done();
    let run = fed(&["splits", "check", "--schema", &log, "--splits", "-"], &splits);
    assert_eq!(run.code, Some(3));
    assert_eq!(
        run.errors,
        "tallrow: no row key can be in 6 of 8 regions\n  next: `tallrow splits schema` makes \
         split keys that fit the layout\n"
    );
    let regions: Vec<&str> = run.output.lines().skip(1).collect();
    let dead: Vec<_> =
        regions.iter().filter(|line| line.ends_with("none")).map(|line| &line[..1]).collect();
    assert_eq!(
        dead,
        ["1", "3", "5", "6", "7", "8"],
        "digits are from 0x30, letters up to 0x66: {}",
        run.output
    );
    let hex = fed(&["splits", "hex", "-n", "8"], "").done();
    fed(&["splits", "check", "--schema", &log, "--splits", "-"], &hex).done();
}

#[test]
fn splits_of_a_schema_pass_the_check() {
    let schemas = [
        EVENT,
        "row key A\nhash_prefix of name: md5(hex = 4), sep = 0x7c\nname: text\n",
        "row key B\nhash_prefix of name: md5(bytes = 2)\nname: text\n",
        "row key C\nid: u32, digits = 9, reverse\n",
        "row key D\nsalt random: buckets = 32, bucket_offset = 100, width = 2\nid: u64\n",
    ];
    for (index, schema) in schemas.iter().enumerate() {
        let schema = file(&format!("checked{index}.key"), schema);
        for regions in ["2", "4", "16"] {
            let splits = tallrow(&["splits", "schema", "--schema", &schema, "-n", regions]).done();
            let run =
                fed(&["splits", "check", "--json", "--schema", &schema, "--splits", "-"], &splits);
            let dead: Vec<_> =
                serde_json::from_str::<serde_json::Value>(&run.output).unwrap()["regions"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|region| region["possible"] == false)
                    .map(|region| region["end"].clone())
                    .collect();
            // Before buckets that do not start at 0 are only the rows of another layout.
            let expected: &[serde_json::Value] = if index == 4 { &[json!("\\x00d")] } else { &[] };
            assert_eq!(dead, expected, "{schema} in {regions} regions");
        }
    }
}

#[test]
fn a_file_out_of_order_is_named_with_its_line() {
    let schema = file("order_of_splits.key", EVENT);
    let splits = file("unsorted.txt", "\\x04\n\\x0C\n\\x08\n");
    let run = tallrow(&["splits", "check", "--schema", &schema, "--splits", &splits]);
    assert_eq!(
        run.failed(1),
        format!(
            "tallrow: {splits}, line 3: split key \\x08 does not sort after the one before \
             it\n  next: sort the file by bytes (LC_ALL=C sort -u for hex), and remove duplicates\n"
        )
    );
}
