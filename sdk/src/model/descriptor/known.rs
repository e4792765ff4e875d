//! The options that HBase has for families and tables: their defaults, which texts mean the same
//! value, and which changes lose data.
//!
//! # Invariants
//!
//! - A difference lists every option that differs from the definition, and no other. Tests:
//!   `values_are_the_same_however_they_are_written`,
//!   `tests/suites/client/schema.rs::differences_are_listed_and_altered`,
//!   `tests/suites/client/schema.rs::a_stated_default_is_no_difference`.

/// The option of a family that is an aggregate. HBase has no such option, and does not store it.
pub(crate) const AGGREGATE: &str = "AGGREGATE";

/// The value of [`AGGREGATE`] for a family that is no aggregate.
pub(crate) const NO_AGGREGATE: &str = "NONE";

/// The option of a table with a change stream: for how many seconds changes are kept. HBase has no
/// such option.
pub(crate) const CHANGE_STREAM_RETENTION: &str = "CHANGE_STREAM_RETENTION";

/// The value of [`CHANGE_STREAM_RETENTION`] for a table without a change stream.
pub(crate) const NO_CHANGE_STREAM: &str = "NONE";

/// An option under HBase's name for it (`ColumnFamilyDescriptorBuilder`, `TableDescriptorBuilder`).
pub(super) struct KnownOption {
    pub(super) key: &'static str,
    /// The default; `None` if it depends on the server's configuration.
    default: Option<&'static str>,
    syntax: Syntax,
    loses: Loses,
}

/// How a value is written, as HBase's classes parse it.
#[derive(Clone, Copy)]
enum Syntax {
    /// A whole number within these bounds.
    Number(i64, i64),
    /// A whole number of seconds, or `FOREVER`. HBase's shell accepts this word, and the client
    /// replaces it by a number.
    Seconds,
    /// A whole number of seconds from a day to a week, or `NONE`.
    Retention,
    /// One of these words, in any case.
    Word(&'static [&'static str]),
    /// One of these words, in capitals.
    Capitals(&'static [&'static str]),
    /// `true` or `false`, in any case. HBase reads everything else as `false`.
    Switch,
    /// Anything.
    Text,
}

/// A number of 4 bytes that is not negative.
const COUNT: Syntax = Syntax::Number(0, i32::MAX as i64);
/// A number of 4 bytes that is greater than 0.
const POSITIVE: Syntax = Syntax::Number(1, i32::MAX as i64);
const INT: Syntax = Syntax::Number(i32::MIN as i64, i32::MAX as i64);
/// A number of 8 bytes.
const LONG: Syntax = Syntax::Number(i64::MIN, i64::MAX);

const ALGORITHM: Syntax =
    Syntax::Word(&["NONE", "GZ", "SNAPPY", "LZ4", "ZSTD", "LZO", "BZIP2", "LZMA", "BROTLI"]);

/// Which change of a value loses data, and which data.
#[derive(Clone, Copy)]
enum Loses {
    Nothing,
    /// A change to a smaller number.
    Less(&'static str),
    /// A change to a value for which the function returns a smaller number.
    Lower(fn(&str) -> u8, &'static str),
}

/// Seconds that mean "for ever" (`HConstants.FOREVER`).
const FOREVER: &str = "2147483647";

const fn known(key: &'static str, default: &'static str, syntax: Syntax) -> KnownOption {
    KnownOption { key, default: Some(default), syntax, loses: Loses::Nothing }
}

const fn unset(key: &'static str, syntax: Syntax) -> KnownOption {
    KnownOption { key, default: None, syntax, loses: Loses::Nothing }
}

/// The options of families that the shell knows by name.
static FAMILY: [KnownOption; 25] = [
    KnownOption { loses: Loses::Less("older versions"), ..known("VERSIONS", "1", POSITIVE) },
    KnownOption { loses: Loses::Less("expired versions"), ..known("MIN_VERSIONS", "0", COUNT) },
    KnownOption { loses: Loses::Less("older cells"), ..known("TTL", FOREVER, Syntax::Seconds) },
    KnownOption {
        loses: Loses::Lower(kept, "deleted cells"),
        ..known("KEEP_DELETED_CELLS", "FALSE", Syntax::Word(&["FALSE", "TRUE", "TTL"]))
    },
    known("BLOOMFILTER", "ROW", Syntax::Word(&["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"])),
    known("COMPRESSION", "NONE", ALGORITHM),
    known("BLOCKSIZE", "65536", Syntax::Number(1 << 10, 16 << 20)),
    known("IN_MEMORY", "false", Syntax::Switch),
    known(
        "DATA_BLOCK_ENCODING",
        "NONE",
        Syntax::Word(&["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"]),
    ),
    known("REPLICATION_SCOPE", "0", Syntax::Number(0, 1)),
    known("BLOCKCACHE", "true", Syntax::Switch),
    known("INDEX_BLOCK_ENCODING", "NONE", Syntax::Word(&["NONE", "PREFIX_TREE"])),
    known("CACHE_DATA_ON_WRITE", "false", Syntax::Switch),
    known("CACHE_INDEX_ON_WRITE", "false", Syntax::Switch),
    known("CACHE_BLOOMS_ON_WRITE", "false", Syntax::Switch),
    known("EVICT_BLOCKS_ON_CLOSE", "false", Syntax::Switch),
    known("PREFETCH_BLOCKS_ON_OPEN", "false", Syntax::Switch),
    known("NEW_VERSION_BEHAVIOR", "false", Syntax::Switch),
    known("IS_MOB", "false", Syntax::Switch),
    known("MOB_THRESHOLD", "102400", Syntax::Number(0, i64::MAX)),
    known("DFS_REPLICATION", "0", Syntax::Number(0, i16::MAX as i64)),
    unset("IN_MEMORY_COMPACTION", Syntax::Word(&["NONE", "BASIC", "EAGER", "ADAPTIVE"])),
    unset("STORAGE_POLICY", Syntax::Text),
    unset("COMPRESSION_COMPACT", ALGORITHM),
    unset("ENCRYPTION", Syntax::Text),
];

/// The options of tables that the shell knows by name.
static TABLE: [KnownOption; 12] = [
    known("MAX_FILESIZE", "-1", LONG),
    known("MEMSTORE_FLUSHSIZE", "-1", LONG),
    known("READONLY", "false", Syntax::Switch),
    known("COMPACTION_ENABLED", "true", Syntax::Switch),
    known("SPLIT_ENABLED", "true", Syntax::Switch),
    known("MERGE_ENABLED", "true", Syntax::Switch),
    unset("NORMALIZATION_ENABLED", Syntax::Switch),
    known("REGION_REPLICATION", "1", POSITIVE),
    known("PRIORITY", "0", INT),
    KnownOption {
        loses: Loses::Lower(durable, "acknowledged writes, when a server dies"),
        ..known(
            "DURABILITY",
            "USE_DEFAULT",
            Syntax::Capitals(&["USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"]),
        )
    },
    unset("FLUSH_POLICY", Syntax::Text),
    unset("SPLIT_POLICY", Syntax::Text),
];

/// The options that the master itself writes into every table.
static OF_THE_MASTER: [KnownOption; 2] = [
    known("IS_META", "false", Syntax::Switch),
    known("hbase.store.file-tracker.impl", "DEFAULT", Syntax::Text),
];

/// The options of families that only Bigtable has.
static OF_BIGTABLE: [KnownOption; 1] =
    [known(AGGREGATE, NO_AGGREGATE, Syntax::Word(&[NO_AGGREGATE, "SUM", "MIN", "MAX", "HLL"]))];

/// The options of tables that only Bigtable has.
static OF_BIGTABLE_TABLES: [KnownOption; 1] = [KnownOption {
    loses: Loses::Lower(kept_changes, "changes in the stream"),
    ..known(CHANGE_STREAM_RETENTION, NO_CHANGE_STREAM, Syntax::Retention)
}];

/// What an option belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Table,
    Family,
}

/// Returns the options that the shell accepts under their own names, not as metadata.
pub(super) fn names(owner: Owner) -> impl Iterator<Item = &'static str> {
    let known = match owner {
        Owner::Table => &TABLE[..],
        Owner::Family => &FAMILY[..],
    };
    known.iter().map(|known| known.key)
}

fn find(owner: Owner, key: &str) -> Option<&'static KnownOption> {
    let mut known = match owner {
        Owner::Table => TABLE.iter().chain(&OF_THE_MASTER[..]).chain(&OF_BIGTABLE_TABLES[..]),
        Owner::Family => FAMILY.iter().chain(&OF_BIGTABLE[..]).chain(&[]),
    };
    known.find(|k| k.key == key)
}

/// Returns the default of an option; `None` if it depends on the server's configuration.
pub(super) fn default(owner: Owner, key: &str) -> Option<&'static str> {
    find(owner, key).and_then(|k| k.default)
}

/// Whether two values mean the same to a server.
pub(super) fn is_same_value(owner: Owner, key: &str, a: &str, b: &str) -> bool {
    let syntax = find(owner, key).map_or(Syntax::Text, |k| k.syntax);
    normal(syntax, a) == normal(syntax, b)
}

/// Whether values of the option are written without quotes in a command of the shell.
pub(super) fn is_number(owner: Owner, key: &str) -> bool {
    matches!(find(owner, key).map(|k| k.syntax), Some(Syntax::Number(..) | Syntax::Seconds))
}

/// Returns which data is lost when the option changes from `from` to `to`; `None` if no data is
/// lost.
pub(super) fn loss(owner: Owner, key: &str, from: &str, to: &str) -> Option<&'static str> {
    let known = find(owner, key)?;
    let (from, to) = (normal(known.syntax, from), normal(known.syntax, to));
    match known.loses {
        Loses::Nothing => None,
        Loses::Less(what) => (number(&to)? < number(&from)?).then_some(what),
        Loses::Lower(rank, what) => (rank(&to) < rank(&from)).then_some(what),
    }
}

/// Returns what is wrong with the value of an option, if HBase cannot parse the value or cannot
/// open a region with it. An option that is not known here may have any value.
pub(super) fn problem(owner: Owner, key: &str, value: &str) -> Option<String> {
    let known = find(owner, key).filter(|_| !value.is_empty())?;
    let expected = match known.syntax {
        Syntax::Number(min, max) if !number(value).is_some_and(|n| (min..=max).contains(&n)) => {
            match (min, max) {
                (i64::MIN, i64::MAX) => "a whole number".to_owned(),
                _ => format!("a whole number from {min} to {max}"),
            }
        }
        Syntax::Seconds if !is_forever(value) && !number(value).is_some_and(is_seconds) => {
            format!("a whole number of seconds from 1 to {FOREVER}, or FOREVER")
        }
        Syntax::Retention if !is_no_stream(value) && !number(value).is_some_and(is_retention) => {
            "a whole number of seconds from 86400 (a day) to 604800 (a week), or NONE".to_owned()
        }
        Syntax::Word(words) if !words.iter().any(|word| value.eq_ignore_ascii_case(word)) => {
            format!("one of {}", words.join(", "))
        }
        Syntax::Capitals(words) if !words.contains(&value) => {
            format!("one of {}, in capitals", words.join(", "))
        }
        Syntax::Switch if !["true", "false"].iter().any(|s| value.eq_ignore_ascii_case(s)) => {
            "true or false".to_owned()
        }
        _ => return None,
    };
    Some(format!("option {key} is {value:?}; write {expected}"))
}

/// Returns the value in the form that a server can parse: `FOREVER` is replaced by its number.
pub(super) fn wire_value<'a>(owner: Owner, key: &str, value: &'a str) -> &'a str {
    match find(owner, key).map(|known| known.syntax) {
        Some(Syntax::Seconds) if is_forever(value) => FOREVER,
        _ => value,
    }
}

fn is_forever(value: &str) -> bool {
    value.eq_ignore_ascii_case("FOREVER")
}

fn is_seconds(number: i64) -> bool {
    (1..=i64::from(i32::MAX)).contains(&number)
}

fn is_no_stream(value: &str) -> bool {
    value.eq_ignore_ascii_case(NO_CHANGE_STREAM)
}

fn is_retention(seconds: i64) -> bool {
    (86_400..=604_800).contains(&seconds)
}

/// How many days changes are kept, and one more for each part of a day.
fn kept_changes(retention: &str) -> u8 {
    let days = number(retention).map(|seconds| seconds.saturating_add(86_399) / 86_400);
    days.and_then(|days| u8::try_from(days).ok()).unwrap_or(0)
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn normal(syntax: Syntax, value: &str) -> String {
    let value = value.trim();
    match syntax {
        Syntax::Number(..) => number(value).map_or(value.to_owned(), |n| n.to_string()),
        Syntax::Seconds if is_forever(value) => FOREVER.to_owned(),
        Syntax::Seconds => normal(POSITIVE, value),
        Syntax::Retention if is_no_stream(value) => NO_CHANGE_STREAM.to_owned(),
        Syntax::Retention => normal(POSITIVE, value),
        Syntax::Word(_) => value.to_ascii_uppercase(),
        Syntax::Switch => value.to_ascii_lowercase(),
        Syntax::Capitals(_) | Syntax::Text => value.to_owned(),
    }
}

fn kept(keep_deleted_cells: &str) -> u8 {
    match keep_deleted_cells {
        "TRUE" => 2,
        "TTL" => 1,
        _ => 0,
    }
}

fn durable(durability: &str) -> u8 {
    match durability {
        "SKIP_WAL" => 0,
        "ASYNC_WAL" => 1,
        "FSYNC_WAL" => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_however_they_are_written() {
        let same = |key, a, b| is_same_value(Owner::Family, key, a, b);
        assert!(same("TTL", "FOREVER", "2147483647"));
        assert!(same("VERSIONS", "03", "3"));
        assert!(same("COMPRESSION", "gz", "GZ"));
        assert!(same("IN_MEMORY", "TRUE", "true"));
        assert!(!same("OWN", "a", "A"));
        assert!(!same("VERSIONS", "3", "x"));
        assert!(super::is_same_value(Owner::Table, "READONLY", "False", "false"));
    }

    /// Every option, so that a new one needs a type.
    #[test]
    fn each_option_takes_what_hbase_can_parse_and_nothing_else() {
        for owner in [Owner::Family, Owner::Table] {
            let of_bigtable = match owner {
                Owner::Family => AGGREGATE,
                Owner::Table => CHANGE_STREAM_RETENTION,
            };
            for key in names(owner).chain([of_bigtable]) {
                let known = find(owner, key).unwrap();
                let (good, bad): (Vec<String>, Vec<String>) = match known.syntax {
                    Syntax::Number(min, max) => {
                        let outside = [min.checked_sub(1), max.checked_add(1)];
                        let outside = outside.into_iter().flatten().map(|n| n.to_string());
                        let bad = ["x", " 3", "3 ", "1.5", "0x10", "9223372036854775808"];
                        let good = vec![min.to_string(), max.to_string()];
                        (good, bad.map(String::from).into_iter().chain(outside).collect())
                    }
                    Syntax::Seconds => (
                        ["1", "2147483647", "FOREVER", "forever"].map(String::from).into(),
                        ["0", "-1", "1 DAY", "2147483648", "x"].map(String::from).into(),
                    ),
                    Syntax::Retention => (
                        ["86400", "604800", "NONE", "none"].map(String::from).into(),
                        ["86399", "604801", "-1", "1 DAY", "x"].map(String::from).into(),
                    ),
                    Syntax::Word(words) => (
                        words.iter().flat_map(|w| [(*w).to_owned(), w.to_lowercase()]).collect(),
                        ["X", "NONE ", "0"].map(String::from).into(),
                    ),
                    Syntax::Capitals(words) => (
                        words.iter().map(|w| (*w).to_owned()).collect(),
                        words.iter().map(|w| w.to_lowercase()).chain(["X".into()]).collect(),
                    ),
                    Syntax::Switch => (
                        ["true", "FALSE", "True"].map(String::from).into(),
                        ["x", "1", "yes", "true "].map(String::from).into(),
                    ),
                    Syntax::Text => (["x", "anything at all"].map(String::from).into(), Vec::new()),
                };
                let default = known.default.map(str::to_owned);
                for value in good.iter().chain(&default).chain([&String::new()]) {
                    assert_eq!(problem(owner, key, value), None, "{key} {value:?}");
                }
                for value in bad {
                    let text = problem(owner, key, &value).unwrap_or_default();
                    let start = format!("option {key} is {value:?}; write ");
                    assert!(text.starts_with(&start), "{key} {value:?}: {text:?}");
                }
            }
        }
        assert_eq!(problem(Owner::Family, "OWN", "x"), None);
        assert_eq!(wire_value(Owner::Family, "TTL", "Forever"), "2147483647");
        assert_eq!(wire_value(Owner::Family, "OWN", "FOREVER"), "FOREVER");
    }

    #[test]
    fn a_change_that_keeps_less_loses_something() {
        let loss = |key, from, to| loss(Owner::Family, key, from, to).is_some();
        assert!(loss("VERSIONS", "3", "1") && !loss("VERSIONS", "1", "3"));
        assert!(loss("TTL", "FOREVER", "86400") && !loss("TTL", "86400", "2147483647"));
        assert!(loss("MIN_VERSIONS", "1", "0"));
        assert!(
            loss("KEEP_DELETED_CELLS", "true", "ttl") && loss("KEEP_DELETED_CELLS", "TTL", "FALSE")
        );
        assert!(!loss("KEEP_DELETED_CELLS", "FALSE", "TRUE"));
        assert!(!loss("BLOCKSIZE", "65536", "8192"));
        let loss =
            |from, to| super::loss(Owner::Table, CHANGE_STREAM_RETENTION, from, to).is_some();
        assert!(loss("604800", "86400") && loss("86400", "NONE") && !loss("NONE", "86400"));
        let loss = |from, to| super::loss(Owner::Table, "DURABILITY", from, to).is_some();
        assert!(loss("USE_DEFAULT", "SKIP_WAL") && !loss("SYNC_WAL", "USE_DEFAULT"));
    }
}
