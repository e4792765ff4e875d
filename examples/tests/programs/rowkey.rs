use std::path::{Path, PathBuf};

use crate::program::{Program, Run};

/// Writes a schema to a new file.
fn schema(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    file
}

fn run(command: &str, file: &Path, rest: &[&str], input: &str) -> Run {
    let mut arguments = vec![command, file.to_str().unwrap()];
    arguments.extend(rest);
    Program::named("rowkey").fed(&arguments, input)
}

const EVENT: &str = "row key Event\ntable events\nsalt of user: buckets = 16, width = 1, hash = java_arrays_hash\nuser: u32\nat: i64, rev_ts, display_time = ms\n";

#[test]
fn rows_are_decoded_and_encoded() {
    let file = schema("event.key", EVENT);
    let row = r"\x08\x00\x00\x00\x07\x7F\xFF\xFEt0\x1A\x97\xFF";
    let values = "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)";
    let decoded = run("decode", &file, &["shell"], &format!("{row}\n\\x07\n\\q\n"));
    assert_eq!(decoded.code, Some(0), "{}", decoded.errors);
    assert_eq!(
        decoded.output,
        format!(
            "{row}\t{values}\n\
             \\x07\t!decode Event: field user at byte 1: need 4 bytes, found 0\n\
             \\q\t!read a row key from the shell's notation: found 'q' at character 1, expected x or a backslash\n"
        )
    );
    let encoded = run("encode", &file, &["shell"], &format!("{values}\nuser=7\n"));
    assert_eq!(
        encoded.output,
        format!("{values}\t{row}\nuser=7\t!encode Event: field at: it has no value\n")
    );
}

#[test]
fn a_schema_creates_and_searches_its_table() {
    let file = schema("tables.key", EVENT);
    let created = run("create", &file, &["4", "d"], "");
    assert_eq!(created.output, "create 'events', 'd', SPLITS => ['\\x04', '\\x08', '\\x0C']\n");
    let whole = EVENT.replace("of user", "of user, at");
    let phoenix = run("phoenix", &schema("phoenix.key", &whole), &[], "");
    assert_eq!(
        phoenix.output,
        "CREATE TABLE \"events\" (\"user\" UNSIGNED_INT NOT NULL, \"at\" BIGINT NOT NULL CONSTRAINT pk PRIMARY KEY \
         (\"user\", \"at\" DESC)) SALT_BUCKETS = 16\n"
    );
    let found = run("find", &file, &["user=7"], "");
    assert_eq!(found.output, "range\t\\x08\\x00\\x00\\x00\\x07\t\\x08\\x00\\x00\\x00\\x08\n");
    let log = schema("log.key", "row key Log\nhost: u16\nevent: u8\nat: u64\n");
    let found = run("find", &log, &["event=9"], "");
    assert_eq!(found.output, "range\t\t\nfuzzy\t\\x00\\x00\\x09\t110\n");
}

#[test]
fn a_schema_converts_to_json_and_back() {
    let json = run("json", &schema("json.key", EVENT), &[], "");
    let text = run("text", &schema("event.json", &json.output), &[], "");
    assert!(text.output.starts_with(EVENT), "{}", text.output);
}

#[test]
fn errors_are_reported() {
    let missing = run("decode", Path::new("nowhere.key"), &["hex"], "");
    assert_eq!(missing.code, Some(1));
    assert!(missing.errors.starts_with("rowkey: read nowhere.key: "), "{}", missing.errors);
    let bad = run("text", &schema("bad.key", "row key A\na: u33\n"), &[], "");
    assert!(bad.errors.contains("bad.key: read a schema: line 2, column 4: \"u33\" is not a type"));
    let notation = run("decode", &schema("notation.key", EVENT), &["octal"], "");
    assert_eq!(
        (notation.code, notation.errors.as_str()),
        (Some(1), "rowkey: octal is not a notation; use shell, hex or base64\n")
    );
    let nothing = Program::named("rowkey").run(&[]);
    assert_eq!(nothing.code, Some(2));
    assert_eq!(nothing.output, Program::named("rowkey").run(&["--help"]).output);
}
