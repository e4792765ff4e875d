//! The table of `docs/mock-program.md` that says what is like HBase and Bigtable: it is made of the
//! comments of tests that begin with `Like HBase:`, `Unlike HBase:`, `Like Bigtable:` or `Unlike
//! Bigtable:`.

use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/mock-program.md");
const MARKS: [&str; 2] = ["<!-- from the tests of the mock -->\n", "<!-- end -->\n"];

/// The tables, with the start of the comments that are their lines.
const TABLES: [(&str, &str); 4] = [
    ("like HBase", "/// Like HBase: "),
    ("not like HBase", "/// Unlike HBase: "),
    ("like Bigtable", "/// Like Bigtable: "),
    ("not like Bigtable", "/// Unlike Bigtable: "),
];

/// A line of a table: what a comment says, and the test that it stands before.
fn lines_of(source: &str, start: &str) -> Vec<String> {
    let comments = source.split(start).skip(1);
    comments
        .map(|rest| {
            let more = rest.lines().map_while(|line| match line.strip_prefix("/// ") {
                Some(more) => Some(more),
                None if line.starts_with("#[") => None,
                None => Some(line),
            });
            let text: Vec<_> = more.collect();
            let (_, function) = rest.split_once("fn ").unwrap();
            let (name, _) = function.split_once('(').unwrap();
            format!("| {} | `{name}` |\n", text.join(" ").trim_end_matches('.'))
        })
        .collect()
}

/// The sources of the tests, in the order of their names.
fn sources(folder: &Path) -> Vec<String> {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if !path.ends_with("suite/page.rs") {
            found.push(std::fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// With `TALLROW_WRITE`, it writes the page instead.
#[test]
fn the_page_has_what_the_tests_say() {
    let sources = sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")));
    let mut expected = String::new();
    for (title, start) in TABLES {
        let lines: Vec<_> = sources.iter().flat_map(|source| lines_of(source, start)).collect();
        assert!(!lines.is_empty(), "no test says what is {title}");
        expected += &format!("| {title} | test |\n|---|---|\n{}\n", lines.concat());
    }
    let expected = expected.trim_end().to_owned() + "\n";
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (found, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var_os("TALLROW_WRITE").is_some() {
        std::fs::write(PAGE, [before, MARKS[0], &expected, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(found, expected, "run this test with TALLROW_WRITE=1");
    }
}
