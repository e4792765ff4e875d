//! `tallrow import` and `tallrow export`: lines become rows and come back, and bad lines are named
//! or kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::program::{EVENT, Run, begins, ends, fed, file, has, words};

/// A table `events`, and a file of this name for its import; state of earlier runs is removed.
fn events(cluster: &Cluster, name: &str, text: &str) -> String {
    let schema = file(&format!("{name}.key"), EVENT);
    cluster.run(&["table", "create", "events", "--family", "d", "--schema", &schema]).done();
    fresh(name, "events", text)
}

/// A file without the state of an earlier run.
pub(crate) fn fresh(name: &str, table: &str, text: &str) -> String {
    let path = file(name, text);
    let _ = fs::remove_file(format!("{path}.{table}.import"));
    path
}

/// A file that does not exist.
pub(crate) fn absent(name: &str) -> String {
    let path = file(name, "");
    fs::remove_file(&path).unwrap();
    let _ = fs::remove_file(format!("{path}.export"));
    path
}

fn import(cluster: &Cluster, file: &str, rest: &[&str]) -> Run {
    cluster.run(&[&["import", "events", file][..], rest].concat())
}

fn exported(cluster: &Cluster, table: &str) -> Vec<Value> {
    let lines = cluster.run(&["export", table]).done();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lines_become_rows_and_the_table_is_exported_and_imported_again() {
    let cluster = Cluster::mock();
    let csv = events(
        &cluster,
        "lines.csv",
        "who,at,what,n,ok,note\n7,2023-11-14T22:13:20Z,\"buy, or \
         \"\"not\"\"\",-2,true,\n8,1000,\"two\nlines\",70000,false,x\n",
    );
    let mapping = words(
        "--key user=who --column d:what=what --column d:n=n:i32 --column d:ok=ok:bool --column \
         d:\\x00=note",
    );
    let run = import(&cluster, &csv, &mapping);
    assert_eq!(run.errors, "imported 2 lines into events, 2 of them now; 0 lines refused\n");
    assert_eq!(run.done(), "");
    let rows = exported(&cluster, "events");
    assert_eq!(
        rows,
        [
            json!({ "user": 7, "at": "2023-11-14T22:13:20.000Z", "d:what": "buy, or \
                \"not\"", "d:n:shell": "\\xFF\\xFF\\xFF\\xFE",
                    "d:ok:shell": "\\xFF" }),
            json!({ "user": 8, "at": "1970-01-01T00:00:01.000Z", "d:\\x00": "x", "d:what:shell": "two\\x0Alines",
                    "d:n:shell": "\\x00\\x01\\x11p", "d:ok:shell": "\\x00" }),
        ]
    );

    // The same lines again change nothing; the state says so.
    let again = import(&cluster, &csv, &mapping);
    has(&again.errors, "imported 2 lines into events, 0 of them now");

    // As JSON and as CSV, into tables that record the same schema.
    let schema = file("lines_copy.key", EVENT);
    let jsonl = absent("lines.jsonl");
    cluster.run(&["export", "events", &jsonl]).done();
    let exported_csv = absent("lines_out.csv");
    let columns = words("--column d:what --column d:n:i32 --column d:ok:bool --column d:\\x00");
    cluster.run(&[&["export", "events", &exported_csv][..], &columns].concat()).done();
    let text = fs::read_to_string(&exported_csv).unwrap();
    assert_eq!(
        text,
        "user,at,d:what,d:n:i32,d:ok:bool,d:\\x00\n7,2023-11-14T22:13:20.000Z,\"buy, or \
         \"\"not\"\"\",-2,true,\n\
         8,1970-01-01T00:00:01.000Z,\"two\nlines\",70000,false,x\n"
    );
    for (table, from) in [("of_json", &jsonl), ("of_csv", &exported_csv)] {
        cluster.run(&["table", "create", table, "--family", "d", "--schema", &schema]).done();
        let _ = fs::remove_file(format!("{from}.{table}.import"));
        cluster.run(&["import", table, from]).done();
        assert_eq!(exported(&cluster, table), rows, "{table}");
    }

    // Through a pipe.
    cluster.run(&["table", "create", "piped", "--family", "d", "--schema", &schema]).done();
    let lines = cluster.run(&["export", "events"]).done();
    fed(&["import", "piped", "-", "--format", "json", "--url", &cluster.url], &lines).done();
    assert_eq!(exported(&cluster, "piped"), rows);
}

#[test]
fn a_bad_line_of_standard_input_is_not_said_to_be_gone_on_after() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "plain", "--family", "d"]).done();
    let import = ["import", "plain", "-", "--url", &cluster.url];
    let failed = fed(&import, "row,d:q\na,1\nb\n").failed(1);
    assert_eq!(
        failed,
        "tallrow: standard input, line 3: expected 2 values, found 1\n  so far: 1 rows up to line \
         2 are in the table\n  next: correct the line, and import all from a file to be able to \
         go on; or give --skip-bad FILE, which gets such lines\n"
    );
}

#[test]
fn keys_of_every_kind_come_back() {
    let cluster = Cluster::mock();
    let schema = "row key All\nsalt random: buckets = 4, width = 1\nname: optional text, \
                  escaped\nhost: text, md5(bytes = 4)\n\
                  price: f64\nid: uuid\nItem: tag = 1\n  number: u8\nNote: tag = 2\n  text: text\n";
    let schema = file("kinds.key", schema);
    let lines = [
        r##"{"d:q":"1","host":"#815ad1c0","id":"00112233-4455-6677-8899-aabbccddeeff","name":null,"number":7,"price":-1.5,"salt":3,"tag":"Item"}"##,
        r##"{"d:q":"1","host":"#815ad1c0","id":"00112233-4455-6677-8899-aabbccddeeff","name":"a, b","price":0.25,"salt":1,"tag":"Note","text":""}"##,
    ];
    let jsonl = fresh("kinds.jsonl", "kinds", &lines.join("\n"));
    for table in ["kinds", "kinds2"] {
        cluster.run(&["table", "create", table, "--family", "d", "--schema", &schema]).done();
    }
    cluster.run(&["import", "kinds", &jsonl]).done();
    let mut rows = exported(&cluster, "kinds");
    rows.sort_by_key(|row| row["tag"].as_str().unwrap().to_owned());
    let expected: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows, expected);
    let csv = absent("kinds.csv");
    cluster.run(&["export", "kinds", &csv, "--column", "d:q", "--null", "-"]).done();
    let _ = fs::remove_file(format!("{csv}.kinds2.import"));
    cluster.run(&["import", "kinds2", &csv, "--null", "-"]).done();
    assert_eq!(exported(&cluster, "kinds2"), exported(&cluster, "kinds"));
}

#[test]
fn a_table_without_a_schema_is_exported_by_its_bytes() {
    let cluster = Cluster::mock();
    for table in ["plain", "plain2"] {
        cluster.run(&["table", "create", table, "--family", "d"]).done();
    }
    cluster.run(&["table", "put", "plain", "a\\x00,", "d:q=1"]).done();
    let jsonl = absent("plain.jsonl");
    cluster.run(&["export", "plain", &jsonl]).done();
    assert_eq!(fs::read_to_string(&jsonl).unwrap(), "{\"d:q\":\"1\",\"row\":\"a\\\\x00,\"}\n");
    let _ = fs::remove_file(format!("{jsonl}.plain2.import"));
    cluster.run(&["import", "plain2", &jsonl]).done();
    assert_eq!(exported(&cluster, "plain2"), exported(&cluster, "plain"));
}

#[test]
fn an_export_has_the_columns_that_are_asked_for_as_they_are_asked_for() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "plain", "--family", "d", "--family", "e"]).done();
    let cells = ["d:n:i32=7", "d:text=two words", "e:n:i32=8", "e:text=x"];
    cluster.run(&[&["table", "put", "plain", "a"][..], &cells].concat()).done();
    let (d_n, e_n) = ("\\x00\\x00\\x00\\x07", "\\x00\\x00\\x00\\x08");
    for (columns, expected) in [
        (&["d"][..], json!({ "row": "a", "d:n:shell": d_n, "d:text": "two words" })),
        (&["d:n", "e:text"], json!({ "row": "a", "d:n:shell": d_n, "e:text": "x" })),
        (&["d:n:i32", "e:text=TEXT"], json!({ "row": "a", "d:n:i32": 7, "TEXT": "x" })),
        (&["d:n:i32", "e"], json!({ "row": "a", "d:n:i32": 7, "e:n:shell": e_n, "e:text": "x" })),
    ] {
        let flags: Vec<_> = columns.iter().flat_map(|column| ["--column", column]).collect();
        let exported = cluster.run(&[&["export", "plain"], &flags[..]].concat()).json();
        assert_eq!(exported, expected, "{columns:?}");
    }
    let csv = ["export", "plain", "--format", "csv", "--column", "d"];
    assert!(cluster.run(&csv).failed(2).contains("--column d: column \"d\": it has no colon"));
}

#[test]
fn of_two_lines_with_one_key_the_later_one_counts() {
    let cluster = Cluster::mock();
    let mut text = String::from("user,at,d:what\n");
    for line in 0..1_000 {
        text += &format!("{},0,{line}\n", line % 10);
    }
    let csv = events(&cluster, "twice.csv", &text);
    import(&cluster, &csv, &["--batch", "7", "--concurrency", "16"]).done();
    let rows = exported(&cluster, "events");
    let last: BTreeMap<_, _> =
        rows.iter().map(|row| (row["user"].as_u64().unwrap(), row["d:what"].clone())).collect();
    let expected = (0..10).map(|user| (user, json!((990 + user).to_string()))).collect();
    assert_eq!(last, expected);
}

#[test]
fn a_bad_line_is_named_and_the_import_goes_on_when_it_is_corrected() {
    let cluster = Cluster::mock();
    let good = "user,at,d:n:i16\n1,0,1\n2,0,2\n";
    for (line, error) in [
        ("3,0", "expected 3 values, found 2"),
        ("3,0,\"1", "a quote is not closed; the value goes on to line 5"),
        ("3,0,\"1\n", "a quote is not closed; the value goes on to line 6"),
        ("3,0,\"1\n\"", "column d:n:i16: \"1\\n\" is not a number of 16 bits"),
        ("3,\"0,1", "a quote is not closed; the value goes on to line 5"),
        ("3,\"0\n1\"", "expected 3 values, found 2; it goes on to line 5: is a quote not closed?"),
        (
            "3,soon,1",
            "read the values of a row key: field at: found \"soon\", expected a time as \
             2023-11-14T22:13:20Z, or a number",
        ),
        ("3,,1", "encode Event: field at: it has no value"),
        (
            "4294967296,0,1",
            "encode Event: field user: the value must be a number that fits the field's type",
        ),
        ("3,0,40000", "column d:n:i16: \"40000\" is not a number of 16 bits"),
        ("3,0,", "it has no value for any cell"),
    ] {
        let name = format!("bad{}.csv", line.len());
        cluster.without("events");
        let csv = events(&cluster, &name, &format!("{good}{line}\n4,0,4\n"));
        let dry = import(&cluster, &csv, &["--dry-run"]);
        has(&dry.errors, &format!("{csv}, line 4: {error}\n"));
        assert_eq!(dry.code, Some(3));
        assert_eq!(exported(&cluster, "events").len(), 0);
        let failed = import(&cluster, &csv, &[]).failed(1);
        assert_eq!(
            failed,
            format!(
                "tallrow: {csv}, line 4: {error}\n  so far: 2 rows up to line 3 are in the \
                 table\n  next: correct the line and give the same command, which goes on after \
                 line 3; or give --skip-bad FILE, which gets such lines\n"
            )
        );
        assert_eq!(exported(&cluster, "events").len(), 2);
        fs::write(&csv, format!("{good}3,0,3\n4,0,4\n")).unwrap();
        let run = import(&cluster, &csv, &[]);
        begins(&run.errors, &format!("going on with {csv} after line 3\n"));
        has(&run.errors, "imported 4 lines into events, 2 of them now");
        assert_eq!(exported(&cluster, "events").len(), 4);
    }
}

#[test]
fn a_line_of_bad_json_is_named() {
    let cluster = Cluster::mock();
    for (at, (line, error)) in [
        (
            "{\"user\": 1,",
            "expected a JSON object: EOF while parsing a value at character 11; is it written \
             over several lines? `jq -c . FILE` writes each in one",
        ),
        (
            "[1]",
            "expected a JSON object on each line, found a list; `jq -c '.[]' FILE` writes such \
             lines",
        ),
        (
            "{\"user\":1,\"at\":0,\"d:q\":[1]}",
            "column d:q: found a list or an object, expected a text, a number, true or false",
        ),
        (
            "{\"user\":1,\"at\":0,\"what\":\"x\"}",
            "column what is no field of the key (user, at) and no FAMILY:QUALIFIER",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        cluster.without("events");
        let good = "{\"user\":1,\"at\":0,\"d:q\":7}";
        let jsonl = events(&cluster, &format!("bad{at}.jsonl"), &format!("{good}\n\n{line}\n"));
        let failed = import(&cluster, &jsonl, &[]).failed(1);
        begins(&failed, &format!("tallrow: {jsonl}, line 3: {error}\n"));
        assert_eq!(exported(&cluster, "events").len(), 1);
    }
}

#[test]
fn refused_lines_are_kept_for_a_second_import() {
    let cluster = Cluster::mock();
    let csv = events(&cluster, "refused.csv", "user,at,d:q\r\n1,0,a\r\nx,0,b\r\n2,0\r\n3,0,c\r\n");
    let refused = absent("refused_lines.csv");
    let run = import(&cluster, &csv, &["--skip-bad", &refused]);
    has(
        &run.errors,
        &format!("{csv}, line 3: read the values of a row key: field user: found \"x\""),
    );
    has(&run.errors, &format!("{csv}, line 4: expected 3 values, found 2\n"));
    ends(&run.errors, "imported 2 lines into events, 2 of them now; 2 lines refused\n");
    run.done();
    assert_eq!(fs::read_to_string(&refused).unwrap(), "user,at,d:q\nx,0,b\n2,0\n");

    // It can be corrected and imported; another import does not write over it.
    let other = import(&cluster, &csv, &["--skip-bad", &refused, "--restart"]).failed(1);
    has(&other, "refused_lines.csv exists already\n  next: remove it");
    fs::write(&refused, "user,at,d:q\n9,0,b\n2,0,b\n").unwrap();
    let _ = fs::remove_file(format!("{refused}.events.import"));
    import(&cluster, &refused, &[]).done();
    assert_eq!(exported(&cluster, "events").len(), 4);
}

#[test]
fn refused_lines_keep_their_spaces_and_tabs() {
    let cluster = Cluster::mock();
    let csv = events(&cluster, "tabs.csv", "user\tat\td:q\n\n x\t0\t\r\n2\t0\tb\n");
    let refused = absent("tabs_refused.csv");
    import(&cluster, &csv, &["--delimiter", "\\t", "--skip-bad", &refused]).done();
    assert_eq!(fs::read_to_string(&refused).unwrap(), "user\tat\td:q\n x\t0\t\n");
}

#[test]
fn a_file_of_refused_lines_that_was_only_begun_is_taken() {
    let cluster = Cluster::mock();
    let csv = events(&cluster, "begun.csv", "user,at,d:q\nx,0,a\n");
    for left in ["", "user", "user,at,d:q\n"] {
        let refused = file("begun_refused.csv", left);
        import(&cluster, &csv, &["--skip-bad", &refused, "--restart"]).done();
        assert_eq!(fs::read_to_string(&refused).unwrap(), "user,at,d:q\nx,0,a\n", "{left}");
    }
}

#[test]
fn a_field_named_tag_is_not_that_of_record_variants() {
    let cluster = Cluster::mock();
    let schema = file("tag_field.key", "row key Post\ntag: text, escaped\nuser: u32\n");
    cluster.run(&["table", "create", "posts", "--family", "d", "--schema", &schema]).done();
    let csv = fresh("tag_field.csv", "posts", "tag,d:q\na,1\n");
    let failed = cluster.run(&["import", "posts", &csv]).failed(1);
    has(&failed, "line 1: there is no column user for the field user of the key\n");
}

#[test]
fn a_column_may_be_missing_only_if_some_keys_lack_the_field() {
    let cluster = Cluster::mock();
    let schema = file(
        "lacking.key",
        "row key Shop\ncustomer: u32\nOrder: tag = 1\n  number: optional u32\nNote: tag = \
         2\n  text: text\n",
    );
    cluster.run(&["table", "create", "shop", "--family", "d", "--schema", &schema]).done();
    let text = "customer,tag,number,text,d:q\n7,Order,,,a\n7,Order,1,,b\n7,Note,,,c\n7,Note,,x,d\n";
    let csv = fresh("lacking.csv", "shop", text);
    cluster.run(&["import", "shop", &csv]).done();
    let export = ["export", "shop", "--format", "csv", "--column", "d:q"];
    assert_eq!(cluster.run(&export).done(), text);
    for (name, columns) in [("customer", "tag,number,d:q"), ("tag", "customer,number,d:q")] {
        let csv = fresh("lacking_one.csv", "shop", &format!("{columns}\n1,2,x\n"));
        let failed = cluster.run(&["import", "shop", &csv]).failed(1);
        let expected = format!("line 1: there is no column {name} for the field {name} of the key");
        has(&failed, &expected);
    }
}

#[test]
fn columns_that_nothing_takes_are_named() {
    let cluster = Cluster::mock();
    let csv = events(&cluster, "columns.csv", "user,when,what\n1,0,a\n");
    let failed = |rest: &[&str], code| import(&cluster, &csv, rest).failed(code);
    assert_eq!(
        failed(&[], 1),
        format!(
            "tallrow: {csv}, line 1: there is no column at for the field at of the key\n  next: \
             give --key at=COLUMN; the columns are user, when, what\n"
        )
    );
    assert_eq!(
        failed(&["--key", "at=when"], 1),
        format!(
            "tallrow: {csv}, line 1: column what is no field of the key (user, at) and no \
             FAMILY:QUALIFIER\n  next: give --column FAMILY:QUALIFIER=what and the same for each \
             column that is imported; with --column, others are left out\n"
        )
    );
    assert_eq!(
        failed(&["--key", "time=when"], 2),
        "tallrow: --key time=when: the key has no field time\n  next: its fields are user, at\n"
    );
    let missing = failed(&["--key", "at=when", "--column", "d:q=which"], 1);
    assert!(
        missing
            .contains("line 1: there is no column which\n  next: the columns are user, when, what"),
        "{missing}"
    );
    let family = failed(&["--key", "at=when", "--column", "e:q=what"], 3);
    begins(
        &family,
        "tallrow: the column e:q: events has no family e; it has d\n  next: `tallrow table diff`",
    );
    let column = failed(&["--key", "at=when", "--column", "what"], 2);
    begins(&column, "tallrow: --column what: column \"what\": it has no colon");

    let twice = fresh("columns_twice.csv", "events", "user,at,user\n");
    let failed = import(&cluster, &twice, &[]).failed(1);
    has(&failed, "line 1: two columns are named \"user\"");
    let empty = fresh("columns_empty.csv", "events", "");
    let failed = import(&cluster, &empty, &[]).failed(1);
    has(&failed, "line 1: expected the names of the columns, found the end");
    let bad = file("columns_bad.key", "row key A\na: u33\n");
    let failed = import(&cluster, &csv, &["--schema", &bad]).failed(1);
    has(&failed, "line 2, column 4: \"u33\" is not a type");
    let other = file("columns_other.key", "row key Other\nuser: u32\n");
    let other = import(&cluster, &csv, &["--schema", &other, "--column", "d:q=what"]).failed(2);
    has(&other, "tallrow: events records another layout of its row keys than --schema: Event ");
    has(&other, "\n  next: leave out --schema");
    let absent = import(&cluster, "nowhere.csv", &[]).failed(1);
    has(&absent, "open nowhere.csv\n  caused by: No such file");
    assert!(!Path::new("nowhere.csv.events.import").exists(), "nothing was begun");
}

#[test]
fn only_the_same_import_goes_on() {
    let cluster = Cluster::mock();
    let csv = events(&cluster, "changed.csv", "user,at,d:q\n1,0,a\n2,0,b\nx,0,c\n");
    import(&cluster, &csv, &[]).failed(1);
    let other = import(&cluster, &csv, &["--column", "d:q=d:q"]).failed(2);
    begins(
        &other,
        "tallrow: the import that was begun is another one: it does not have --column \
         d:q=d:q:text\n  next: give the same",
    );
    fs::write(&csv, "user,at,d:q\n1,0,A\n2,0,b\n3,0,c\n").unwrap();
    let changed = import(&cluster, &csv, &[]).failed(1);
    has(
        &changed,
        "has changed in its first 3 lines, which were read before\n  next: restore the file",
    );
    let bytes = fresh("changed_form.csv", "events", "row,d:q\n00,a\nx,b,c\n");
    import(&cluster, &bytes, &["--key-format", "hex"]).failed(1);
    let form = import(&cluster, &bytes, &["--key-format", "shell"]).failed(2);
    has(&form, "is another one: it has keys of bytes, written as Hex\n");
    cluster.run(&["table", "delete", "events", "00", "--key-format", "hex", "--yes"]).done();
    import(&cluster, &csv, &["--restart"]).done();
    let values: Vec<_> =
        exported(&cluster, "events").iter().map(|row| row["d:q"].clone()).collect();
    assert_eq!(values, ["A", "b", "c"]);

    // What is added to the file is imported by the same command, and is newer than what was written
    // in between.
    cluster.run(&["table", "put", "events", "user=1, at=0", "d:q=between"]).done();
    fs::write(&csv, "user,at,d:q\n1,0,A\n2,0,b\n3,0,c\n1,0,d").unwrap();
    let added = import(&cluster, &csv, &[]);
    has(&added.errors, "imported 4 lines into events, 1 of them now");
    assert_eq!(exported(&cluster, "events")[0]["d:q"], "d");
    fs::write(&csv, "user,at,d:q\n1,0,A\n2,0,b\n3,0,c\n1,0,delta\n").unwrap();
    let longer = import(&cluster, &csv, &[]).failed(1);
    has(&longer, "line 5: it has become longer since it was read");
}

#[test]
fn counters_are_added_by_row() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "sums", "--family", "c", "--family", "d"]).done();
    let csv = fresh("sums.csv", "sums", "row,n,what\na,5,x\nb,,y\na,-2,z\n");
    let counts = ["--count", "c:lines", "--count", "c:n=n", "--column", "d:what=what"];
    let import =
        |rest: &[&str]| cluster.run(&[&["import", "sums", &csv][..], &counts, rest].concat());
    import(&[]).done();
    let read = || {
        let cells = ["--column", "c:lines:i64", "--column", "c:n:i64", "--column", "d:what"];
        cluster.run(&[&["export", "sums", "--format", "csv"][..], &cells].concat()).done()
    };
    assert_eq!(read(), "row,c:lines:i64,c:n:i64,d:what\na,2,3,z\nb,1,0,y\n");
    import(&[]).done();
    assert_eq!(
        read(),
        "row,c:lines:i64,c:n:i64,d:what\na,2,3,z\nb,1,0,y\n",
        "the import was complete"
    );
    let rows = exported(&cluster, "sums");
    let cells: Vec<_> = rows[0].as_object().unwrap().keys().collect();
    assert_eq!(cells, ["c:lines:shell", "c:n:shell", "d:what", "row"], "no cell of the import");
    import(&["--restart"]).done();
    assert_eq!(read(), "row,c:lines:i64,c:n:i64,d:what\na,4,6,z\nb,2,0,y\n");
    let wrong = fresh("sums_wrong.csv", "sums", "row,n,what\na,many,x\n");
    let failed = cluster.run(&[&["import", "sums", &wrong][..], &counts].concat()).failed(1);
    has(&failed, "line 2: column n: \"many\" is not a number of 64 bits");
}
