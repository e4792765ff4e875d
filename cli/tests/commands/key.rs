//! `tallrow key`: row keys decoded, encoded, explained and guessed, and schemas converted.

use serde_json::json;

use crate::cluster::Cluster;
use crate::program::{EVENT, begins, fed, file, has, tallrow};

const ROW: &str = r"\x08\x00\x00\x00\x07\x7F\xFF\xFEt0\x1A\x97\xFF";
const VALUES: &str = "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)";

#[test]
fn keys_are_decoded_and_those_that_are_none_are_named() {
    let schema = file("decode.key", EVENT);
    let run = tallrow(&["key", "decode", "--schema", &schema, ROW]);
    assert_eq!(run.done(), format!("{ROW}\t{VALUES}\n"));

    let run = fed(&["key", "decode", "--schema", &schema], &format!("\\x07\n{ROW}\n\\q\n"));
    assert_eq!(run.output, format!("{ROW}\t{VALUES}\n"));
    assert_eq!(
        run.failed(1),
        "tallrow: line 1, \\x07: decode Event: field user at byte 1: need 4 bytes, found 0\n\
         tallrow: line 3, \\q: read a row key from the shell's notation: found 'q' at character \
         1, expected x or a backslash\n\
         tallrow: 2 of 3 row keys failed\n"
    );
}

#[test]
fn keys_are_read_in_each_form() {
    let schema = file("forms.key", EVENT);
    let hex = "08000000077ffffe74301a97ff";
    let region = format!("events,{ROW},1700000000000.d41d8cd98f00b204e9800998ecf8427e.");
    for (form, key) in [("hex", hex), ("base64", "CAAAAAd///50MBqX/w=="), ("region", &region)] {
        let run = tallrow(&["key", "decode", "--schema", &schema, "--key-format", form, key]);
        assert_eq!(run.done(), format!("{key}\t{VALUES}\n"));
    }
    let encoded = tallrow(&["key", "encode", "--schema", &schema, "--key-format", "hex", VALUES]);
    assert_eq!(encoded.done(), format!("{hex}\n"));
}

#[test]
fn decoded_keys_are_objects_in_json() {
    let schema = file("json.key", EVENT);
    let run = fed(&["key", "decode", "--json", "--schema", &schema], &format!("{ROW}\n\\x07\n"));
    let lines: Vec<serde_json::Value> =
        run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fields = json!({ "user": 7, "at": "2023-11-14T22:13:20.000Z" });
    assert_eq!(lines[0], json!({ "key": ROW, "layout": "Event", "fields": fields }));
    assert_eq!(lines[1]["input"], "\\x07");
    assert_eq!(lines[1]["error"], "decode Event: field user at byte 1: need 4 bytes, found 0");
}

#[test]
fn values_are_encoded_as_they_were_decoded() {
    let schema = file("encode.key", EVENT);
    let run = fed(&["key", "encode", "--schema", &schema], &format!("{VALUES}\nuser=7\n"));
    assert_eq!(run.output, format!("{ROW}\n"));
    assert_eq!(
        run.failed(1),
        "tallrow: line 2, user=7: encode Event: field at: it has no value\n\
         tallrow: 1 of 2 row keys failed\n"
    );
}

#[test]
fn what_decode_prints_as_json_is_encoded_again() {
    let schema = file("encode_json.key", EVENT);
    let json = tallrow(&["key", "decode", "--json", "--schema", &schema, ROW]).done();
    assert_eq!(fed(&["key", "encode", "--schema", &schema], &json).done(), format!("{ROW}\n"));
    let fields = r#"{"user": 7, "at": 1700000000000}"#;
    assert_eq!(tallrow(&["key", "encode", "--schema", &schema, fields]).done(), format!("{ROW}\n"));
    let cut = tallrow(&["key", "encode", "--schema", &schema, "{\"user\": "]).failed(1);
    has(&cut, "argument 1, {\"user\": : read JSON: EOF while parsing a value");

    // The object says which of two layouts with the same fields it has.
    let two = file("encode_two.key", "row key Old\nuser: u16\nrow key New\nuser: u32\n");
    let old = r#"{"layout": "Old", "fields": {"user": 7}}"#;
    assert_eq!(tallrow(&["key", "encode", "--schema", &two, old]).done(), "\\x00\\x07\n");
    let other =
        tallrow(&["key", "encode", "--schema", &two, &old.replace("Old", "Older")]).failed(1);
    has(&other, "encode_two.key has no layout Older");
}

#[test]
fn the_parts_of_a_key_are_explained() {
    let schema = file("explain.key", EVENT);
    assert_eq!(
        tallrow(&["key", "explain", "--schema", &schema, ROW]).done(),
        format!(
            "{ROW}: Event, 13 bytes\n\
             bytes  in hex            field         value                                     encoding\n\
             0      08                salt of \
             user                                            buckets = 16, width = 1, hash = \
             java_arrays_hash\n\
             1-4    00000007          user          7                                         u32\n\
             5-12   7ffffe74301a97ff  at            2023-11-14T22:13:20.000Z \
             (1700000000000)  i64, rev_ts, display_time = ms\n"
        )
    );
}

/// Where each field of a key ends, by `key explain --json`.
fn ends(schema: &str, values: &str) -> Vec<(String, u64)> {
    let key = tallrow(&["key", "encode", "--schema", schema, values]).done();
    let explained =
        tallrow(&["key", "explain", "--json", "--schema", schema, key.trim_end()]).json();
    let parts = explained["parts"].as_array().unwrap();
    parts
        .iter()
        .map(|p| (p["field"].as_str().unwrap().into(), p["end"].as_u64().unwrap()))
        .collect()
}

#[test]
fn parts_of_any_width_are_told_apart() {
    let named = |list: &[(&str, u64)]| -> Vec<(String, u64)> {
        list.iter().map(|(name, end)| ((*name).to_owned(), *end)).collect()
    };
    // The hash is of a field that is not the first.
    let log = "row key Log\nhash_prefix of user: md5(hex = 5), sep = 0x7c\nhost: text, \
               escaped\nuser: text, sep = 0x7c\nat: u64\nrest: text\n";
    let log = file("log.key", log);
    assert_eq!(
        ends(&log, "host=ab, user=bob, at=7, rest=x"),
        named(&[("hash_prefix of user", 6), ("host", 10), ("user", 14), ("at", 22), ("rest", 23)])
    );
    let order =
        "row key Order\nid: u16\nLine: tag = 4\n  number: u8\nNote: tag = 5\n  text: text\n";
    let order = file("order.key", order);
    assert_eq!(
        ends(&order, "id=1, tag=Note, text=hello"),
        named(&[("id", 2), ("tag", 3), ("text", 8)])
    );
    let random = "row key Random\nsalt random: buckets = 4, width = 1\nid: u16\nname: text\n";
    assert_eq!(
        ends(&file("random.key", random), "salt=2, id=1, name=a"),
        named(&[("salt random", 1), ("id", 3), ("name", 4)])
    );
}

#[test]
fn a_built_in_layout_needs_no_file() {
    let key = "00000150e22700000001000001";
    let run = tallrow(&["key", "decode", "--layout", "opentsdb", "--key-format", "hex", key]);
    assert_eq!(
        run.done(),
        format!("{key}\tmetric: 1, base: 2013-01-01T00:00:00Z (1356998400), tags: [1=1]\n")
    );
}

#[test]
fn a_key_with_several_layouts_is_read_by_the_one_that_fits() {
    let two = file("layouts.key", "row key Old\nuser: u16\nrow key New\nuser: u32\n");
    let run = tallrow(&["key", "decode", "--json", "--schema", &two, r"\x00\x00\x00\x07"]);
    assert_eq!(run.json()["layout"], "New");
    let run = tallrow(&["key", "encode", "--schema", &two, "user=7"]);
    assert!(run.failed(1).contains("the layouts Old, New all have these fields"));
}

#[test]
fn errors_name_the_file_the_line_and_what_to_do() {
    let missing = tallrow(&["key", "decode", "--schema", "nowhere.key", "x"]).failed(1);
    assert_eq!(
        missing,
        "tallrow: read the schema nowhere.key\n  caused by: No such file or directory (os error \
         2)\n  next: the text of a schema is MyKey::SCHEMA, or what `tallrow key guess` proposes\n"
    );
    let bad = file("bad.key", "row key A\na: u33\n");
    let errors = tallrow(&["key", "decode", "--schema", &bad, "x"]).failed(1);
    begins(&errors, &format!("tallrow: {bad} is not a schema\n"));
    has(&errors, "  caused by: read a schema: line 2, column 4: \"u33\" is not a type");
    let no_url = tallrow(&["key", "decode", "--table", "events", "x"]).failed(2);
    begins(&no_url, "tallrow: no cluster is given\n  next: give --url URL");
}

#[test]
fn a_guess_gives_reasons_and_a_schema_that_decodes_the_keys() {
    let schema = file("guessed.key", EVENT);
    let values: Vec<String> = (0..12)
        .map(|n| format!("user={}, at={}\n", n * 977, 1_700_000_000_000_u64 + n * 12_345_678))
        .collect();
    let keys = fed(&["key", "encode", "--schema", &schema], &values.concat()).done();
    let guess = fed(&["key", "guess"], &keys).done();
    let head = "1. confidence high: it decodes all 12 keys\n   salt: java_arrays_hash of number \
                modulo 16 was computed for every key and is the same\n   number: 4 bytes, of \
                which the first 2 are 00: small numbers\n   time: 8 bytes that are Long.MAX_VALUE \
                minus times between 2000 and now, in milliseconds\n";
    begins(&guess, head);

    let run = fed(&["key", "guess", "--schema-only"], &keys);
    assert_eq!(run.errors, head);
    let best = file("best.key", &run.done());
    let decoded = fed(&["key", "decode", "--schema", &best], &keys).done();
    assert!(decoded.lines().all(|line| line.contains("time: 2023-11-")), "{decoded}");

    let few = tallrow(&["key", "guess", "abc", "abd"]);
    assert_eq!(few.errors, "2 different keys are few; give 8 or more\n");
    assert!(few.done().starts_with("1. confidence low: it decodes all 2 keys\n"));
    assert!(fed(&["key", "guess"], "").failed(3).contains("there are no row keys to guess from"));
    let bad = tallrow(&["key", "guess", "--key-format", "hex", "0g"]).failed(1);
    has(&bad, "argument 1, 0g: read a row key from hex");
}

#[test]
fn a_schema_searches_its_table() {
    let schema = file("find.key", EVENT);
    let found = tallrow(&["key", "ranges", "--schema", &schema, "user=7"]);
    assert_eq!(found.done(), "range\t\\x08\\x00\\x00\\x00\\x07\t\\x08\\x00\\x00\\x00\\x08\n");
    let log = file("find_log.key", "row key Log\nhost: u16\nevent: u8\nat: u64\n");
    let found = tallrow(&["key", "ranges", "--schema", &log, "event=9"]);
    assert_eq!(found.done(), "range\t\t\nfuzzy\t\\x00\\x00\\x09\t110\n");
    let found = tallrow(&["key", "ranges", "--json", "--schema", &log, "host=1"]);
    assert_eq!(found.json(), json!({ "start": "\\x00\\x01", "stop": "\\x00\\x02" }));
    let wrong = tallrow(&["key", "ranges", "--schema", &log, "event=x"]).failed(1);
    has(&wrong, "field event: found \"x\"");
}

#[test]
fn a_schema_is_mapped_in_phoenix() {
    let whole = EVENT.replace("of user", "of user, at");
    let run = tallrow(&[
        "key",
        "schema",
        "--format",
        "phoenix",
        "--schema",
        &file("phoenix.key", &whole),
    ]);
    assert_eq!(
        run.done(),
        "CREATE TABLE \"events\" (\"user\" UNSIGNED_INT NOT NULL, \"at\" BIGINT NOT NULL \
         CONSTRAINT pk PRIMARY KEY (\"user\", \"at\" DESC)) SALT_BUCKETS = 16\n"
    );
}

#[test]
fn the_keys_of_a_live_table_of_bigtable_become_a_rust_type() {
    let cluster = Cluster::mock();
    let at = |arguments: &[&str]| tallrow(&[arguments, &["--url", &cluster.bigtable]].concat());
    let text = "row key Visit\nuser: text, compat = bigtable\nat: i64, compat = bigtable\n";
    let visits = file("bigtable_visits.key", text);
    at(&["table", "create", "daily-visits", "--family", "v", "--schema", &visits]).done();
    let from = |rest: &[&str]| {
        let table = ["key", "schema", "--table", "daily-visits", "--from", &cluster.bigtable];
        tallrow(&[&table, rest].concat())
    };
    assert_eq!(
        from(&[]).done(),
        "#[derive(RowKey, Clone, Debug, PartialEq)]\n#[row_key(compat = \"bigtable\")]\n\
         struct DailyVisitsKey {\n    user: String,\n    at: i64,\n}\n"
    );
    let shown = from(&["--format", "text"]).done();
    assert!(shown.starts_with(&text.replace("Visit", "DailyVisitsKey")), "{shown}");
    let described = "user STRING, at INT64 in ordered code; joined in ordered code\n";
    assert_eq!(from(&["--format", "bigtable"]).done(), described);
    let bigtable =
        |schema: &str| tallrow(&["key", "schema", "--format", "bigtable", "--schema", schema]);
    assert_eq!(bigtable(&visits).done(), described);
    // The schema of a file is the layout that the table records.
    at(&["table", "count", "daily-visits", "--schema", &visits]).done();

    let event = file("bigtable_event.key", EVENT);
    let none = bigtable(&event).failed(1);
    assert!(none.contains("the key begins with a salt"), "{none}");
    at(&["table", "create", "plain", "--family", "v", "--schema", &event]).done();
    let none = at(&["key", "schema", "--table", "plain"]).failed(3);
    assert!(none.contains("table plain records no layout of its row keys"), "{none}");
    let rust = tallrow(&["key", "schema", "--format", "rust", "--schema", &event]).failed(1);
    assert!(rust.contains("is none that a row key schema of Bigtable can have"), "{rust}");
}

#[test]
fn a_schema_converts_to_json_and_back() {
    let json =
        tallrow(&["key", "schema", "--format", "json", "--schema", &file("to_json.key", EVENT)])
            .done();
    let text = tallrow(&["key", "schema", "--schema", &file("event.json", &json)]).done();
    begins(&text, EVENT);
}
