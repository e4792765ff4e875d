//! Lines that only the client's put refuses: with line and column, before they are sent, and passed
//! over if asked.

use std::fs;

use crate::cluster::Cluster;
use crate::import::{absent, fresh};
use crate::program::{Run, begins, has, tallrow};

struct Store {
    url: String,
    name: &'static str,
}

fn stores(cluster: &Cluster) -> [Store; 2] {
    [
        Store { url: format!("{}?max_cell_bytes=65536", cluster.url), name: "HBase" },
        Store { url: format!("{}&max_cell_bytes=65536", cluster.bigtable), name: "Bigtable" },
    ]
}

fn run(store: &Store, arguments: &[&str]) -> Run {
    tallrow(&[arguments, &["--url", &store.url]].concat())
}

/// What is wrong with a line, the line, and what is said about it on each store.
fn lines() -> Vec<(&'static str, String, [Option<String>; 2])> {
    let both = |text: &str| [Some(text.to_owned()), Some(text.to_owned())];
    let key = |bytes: usize| format!("{},1\n", "k".repeat(bytes));
    vec![
        ("an empty key", ",1\n".into(), both("column row: a row key must not be empty")),
        ("no key", "-,1\n".into(), both("the row key has no value")),
        (
            "a key of 40,000 bytes",
            key(40_000),
            [
                Some("column row: a row key of 40000 bytes, more than 32767".into()),
                Some("column row: a row key of 40000 bytes, more than ".into()),
            ],
        ),
        (
            "a key of 5,000 bytes",
            key(5_000),
            [None, Some("column row: a row key of 5000 bytes, more than Bigtable's 4096".into())],
        ),
        (
            "a value over the limit",
            format!("big,{}\n", "v".repeat(70_000)),
            both("column d:q: a cell of 700"),
        ),
    ]
}

#[test]
fn a_line_that_the_client_refuses_is_named_skipped_and_corrected() {
    let cluster = Cluster::mock();
    for (at, store) in stores(&cluster).iter().enumerate() {
        for (number, (what, line, said)) in lines().into_iter().enumerate() {
            let Some(said) = &said[at] else { continue };
            let what = format!("{what} on {}", store.name);
            let table = format!("t{at}_{number}");
            run(store, &["table", "create", &table, "--family", "d"]).done();
            let name = format!("refused_{at}_{number}.csv");
            let text = format!("row,d:q\na,1\n{line}b,2\n");
            let csv = fresh(&name, &table, &text);

            let import = |table: &str, rest: &[&str]| {
                run(store, &[&["import", table, &csv, "--null", "-"], rest].concat())
            };
            let dry = import(&table, &["--dry-run"]);
            assert!(
                dry.errors.starts_with(&format!("{csv}, line 3: {said}")),
                "{what}: {:.400}",
                dry.errors
            );
            assert_eq!(dry.code, Some(3), "{what}");
            begins(&dry.output, "2 lines would be imported, 1 line refused");

            let failed = import(&table, &[]).failed(1);
            assert!(
                failed.starts_with(&format!("tallrow: {csv}, line 3: {said}")),
                "{what}: {failed:.400}"
            );
            assert!(
                failed.contains("\n  so far: 1 rows up to line 2 are in the table\n"),
                "{what}: {failed}"
            );
            assert!(
                failed.contains("give the same command, which goes on after line 2"),
                "{what}: {failed}"
            );
            // The same again, and then what is right instead of it.
            assert_eq!(import(&table, &[]).failed(1).lines().nth(1), failed.lines().next());
            fs::write(&csv, "row,d:q\na,1\nok,1\nb,2\n").unwrap();
            import(&table, &[]).done();
            assert_eq!(run(store, &["table", "count", &table]).done(), "3\n", "{what}");

            let table = format!("s{at}_{number}");
            run(store, &["table", "create", &table, "--family", "d"]).done();
            fresh(&name, &table, &text);
            let bad = absent(&format!("{name}.bad"));
            let skipped = import(&table, &["--skip-bad", &bad]);
            assert!(
                skipped.errors.contains("imported 2 lines into"),
                "{what}: {:.400}",
                skipped.errors
            );
            assert!(skipped.errors.contains(&format!("line 3: {said}")), "{what}");
            skipped.done();
            assert_eq!(fs::read_to_string(&bad).unwrap(), format!("row,d:q\n{line}"), "{what}");
            assert_eq!(run(store, &["table", "count", &table]).done(), "2\n", "{what}");
        }
    }
}

#[test]
fn a_family_that_a_line_names_and_the_table_lacks_is_a_bad_line() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "t", "--family", "data"]).done();
    let lines = "{\"row\":\"a\",\"data:q\":\"1\"}\n{\"row\":\"b\",\"dat:q\":\"1\"}\n{\"row\":\"c\",\"x:q\":\"1\"}\n";
    let jsonl = fresh("families.jsonl", "t", lines);
    let failed = cluster.run(&["import", "t", &jsonl]).failed(1);
    begins(
        &failed,
        &format!(
            "tallrow: {jsonl}, line 2: column dat:q: t has no family dat; is it data? It has \
             data\n  so far: 1 rows"
        ),
    );
    let bad = absent("families.bad");
    let skipped = cluster.run(&["import", "t", &jsonl, "--skip-bad", &bad]);
    has(&skipped.errors, "line 3: column x:q: t has no family x; it has data\n");
    skipped.done();
    assert_eq!(cluster.run(&["table", "count", "t"]).done(), "1\n");
}

#[test]
fn counters_of_a_line_are_checked_too_and_bigtable_has_none() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "sums", "--family", "c"]).done();
    let csv = fresh("counted_bad.csv", "sums", "row,n\na,1\n\"\",2\nb,3\n");
    let import = ["import", "sums", &csv, "--count", "c:n=n", "--null", "-"];
    let failed = cluster.run(&import).failed(1);
    begins(&failed, &format!("tallrow: {csv}, line 3: column row: a row key must not be empty\n"));
    fs::write(&csv, "row,n\na,1\nc,2\nb,3\n").unwrap();
    cluster.run(&import).done();
    assert_eq!(cluster.run(&["table", "count", "sums"]).done(), "3\n");

    let on_bigtable =
        |arguments: &[&str]| tallrow(&[arguments, &["--url", &cluster.bigtable]].concat());
    let csv = fresh("counted_bigtable.csv", "sums", "row,n\na,1\n");
    let failed = on_bigtable(&["import", "sums", &csv, "--count", "c:n=n"]).failed(2);
    begins(&failed, "tallrow: --count: Bigtable does not support increments");
    assert!(!fs::exists(format!("{csv}.sums.import")).unwrap());
}

#[test]
fn a_value_of_11_mib_is_more_than_the_limit_that_nobody_has_set() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "t", "--family", "d"]).done();
    let csv = fresh("mib11.csv", "t", &format!("row,d:q\na,{}\n", "v".repeat(11 << 20)));
    let failed = cluster.run(&["import", "t", &csv]).failed(1);
    let expected = format!("tallrow: {csv}, line 2: column d:q: a cell of 1153");
    begins(&failed, &expected);
    has(&failed, "max_cell_bytes of the URL, 10485760");
}
