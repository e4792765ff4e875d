//! Texts with mistakes, of which nothing is loaded.

use fastrand::Rng;
use tallrow_mock::MockCluster;

use crate::thorough;

/// A table without cells.
const TABLE: &str = "tallrow-mock tables 1\ntable \"t\"\nfamily \"f\"\n";

/// What follows in a text with a table, with the error.
const MALFORMED: &[(&str, &str)] = &[
    ("tabel \"u\"", "line 4, column 1: found tabel, expected table, state, family, attribute, "),
    ("table u", "line 4, column 7: found u, expected the name of a table in quotes"),
    ("table \"t\"\nfamily \"f\"", "line 4, column 1: the table t is in this text before"),
    ("table \"hbase:u\"", "line 4, column 1: the table hbase:u: the tables of HBase itself"),
    ("table \"u v\"", "line 4, column 1: the table u v: Illegal character code:32"),
    ("attribute \"TTL\" \"0\"", "line 2, column 1: the table t: TTL for column family f must be"),
    ("attribute \"A\" \"1\" \"2\"", "line 4, column 19: found \"2\", expected the end of the line"),
    ("attribute \"A\" \"1\"\nattribute \"A\" \"2\"", "line 5, column 11: the table or family has"),
    ("configuration \"\\xFF\" \"1\"", "line 4, column 15: the name of a setting is not text in "),
    ("family \"f\"", "line 4, column 8: the table has this family"),
    ("state off", "line 4, column 7: found off, expected enabled or disabled"),
    ("split \"\"", "line 4, column 7: expected the first row of a region, after those"),
    ("split \"b\"\nsplit \"a\"", "line 5, column 7: expected the first row of a region, after"),
    ("put \"r\" \"f:q\" 1 \"v\"\nsplit \"b\"", "line 5, column 1: found it after a cell, expected"),
    ("put \"\" \"f:q\" 1 \"v\"", "line 4, column 5: the row key has 0 bytes, expected 1 to 32767"),
    ("put \"r\" \"fq\" 1 \"v\"", "line 4, column 9: the column has no colon, expected family:qual"),
    ("put \"r\" \"g:q\" 1 \"v\"", "line 4, column 9: the table has no family \"g\""),
    ("put \"r\" \"f:q\" -1 \"v\"", "line 4, column 15: found -1, expected a timestamp: now, or"),
    ("put \"r\" \"f:q\" 9223372036854775808 \"v\"", "line 4, column 15: found 9223372036854775808"),
    ("put \"r\" \"f:q\" 1", "line 4, column 16: found the end of the line, expected a value in"),
    (
        "put \"r\" \"f:q\" 1 \"\\y\"",
        "line 4, column 18: found \\y\", expected a byte such as \\x00",
    ),
    ("put \"r\" \"f:q\" 1 \"v", "line 4, column 19: found the end of the line, expected a quote"),
    (
        "put \"r\" \"f:q\" 1 \"v\" ttl x",
        "line 4, column 25: found x, expected a time to live in ms",
    ),
    (
        "put \"r\" \"f:q\" 1 \"v\" write 0",
        "line 4, column 27: found 0, expected a number from 1 to",
    ),
    ("put \"r\" \"f:q\" 1 \"v\" ttl 1 ttl 1", "line 4, column 27: found ttl, expected ttl, write,"),
    (
        "put \"r\" \"f:q\" 1 \"v\" write 1\nput \"r\" \"f:q\" 1 \"w\"",
        "line 4, column 1: write 1: the same cell is also further down, with write 1, expected a",
    ),
];

#[tokio::test]
async fn each_mistake_is_named_with_its_line_and_column() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    for (lines, error) in MALFORMED {
        let found = cluster.load_tables(&format!("{TABLE}{lines}")).unwrap_err().to_string();
        let found = found.strip_prefix("load tables: ").unwrap();
        assert!(found.starts_with(error), "{lines}\n{found}");
    }
    for (text, error) in [
        ("", "line 1, column 1: the text ends without tallrow-mock tables 1"),
        ("# nothing\n\n", "line 2, column 1: the text ends without tallrow-mock tables 1"),
        ("table \"t\"", "line 1, column 1: found table, expected tallrow-mock, of the first line"),
        ("tallrow-mock tables 2", "line 1, column 21: found 2, expected version 1 of the format"),
        ("tallrow-mock tables 1\nput", "line 2, column 1: found put, expected table, with the "),
    ] {
        let found = cluster.load_tables(text).unwrap_err().to_string();
        assert!(found.starts_with(&format!("load tables: {error}")), "{text}\n{found}");
    }
    assert_eq!(cluster.tables(), ["hbase:meta", "hbase:namespace"]);
}

#[tokio::test]
async fn texts_with_random_mistakes_are_refused_as_a_whole_or_loaded() {
    let rounds = if thorough() { 100_000 } else { 5_000 };
    let text = format!(
        "{TABLE}attribute \"VERSIONS\" \"3\"\nsplit \"m\\x00\"\nput \"r\" \"f:q\" 7 \"v\" write 3\n\
         delete-column \"r\" \"f:q\" 8\ndelete-family \"r\u{e9}\" \"f\" now\n\
         put \"a\" \"f:\" 1 \"\" ttl 5\n"
    );
    let mut random = Rng::with_seed(11);
    let mut cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..rounds {
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..random.usize(1..4) {
            if characters.len() < 2 {
                break;
            }
            let at = random.usize(..characters.len());
            match random.u8(..4) {
                0 => {
                    characters.remove(at);
                }
                1 => characters.truncate(at + 1),
                2 => characters.insert(at, characters[random.usize(..characters.len())]),
                _ => characters[at] = ['\\', '"', '\u{e9}', '\n', '\0', '9'][random.usize(..6)],
            }
        }
        let changed: String = characters.into_iter().collect();
        let before = cluster.tables();
        match cluster.load_tables(&changed) {
            Ok(_) => {
                loaded += 1;
                cluster = MockCluster::builder().in_memory().start().await.unwrap();
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("load tables: line "), "{error}");
                assert_eq!(cluster.tables(), before, "{changed}");
            }
        }
    }
    assert!(loaded > rounds / 100 && refused > rounds / 10, "{loaded} loaded, {refused} refused");
}
