//! The options of families and tables that HBase has: their defaults, when two values are the same, and which changes
//! lose data.

/// An option by HBase's name for it (`ColumnFamilyDescriptorBuilder`, `TableDescriptorBuilder`).
pub(super) struct Known {
    pub(super) key: &'static str,
    /// The default; `None` if it depends on the server's configuration.
    default: Option<&'static str>,
    syntax: Syntax,
    loses: Loses,
}

/// How a value is written.
#[derive(Clone, Copy)]
enum Syntax {
    Number,
    Seconds,
    Word,
    Switch,
    Text,
}

/// Which change of a value loses data, and what.
#[derive(Clone, Copy)]
enum Loses {
    Nothing,
    /// A smaller number.
    Less(&'static str),
    /// A value that ranks lower.
    Lower(fn(&str) -> u8, &'static str),
}

/// Seconds that mean "for ever" (`HConstants.FOREVER`).
const FOREVER: &str = "2147483647";

const fn known(key: &'static str, default: &'static str, syntax: Syntax) -> Known {
    Known { key, default: Some(default), syntax, loses: Loses::Nothing }
}

const fn unset(key: &'static str, syntax: Syntax) -> Known {
    Known { key, default: None, syntax, loses: Loses::Nothing }
}

/// The options of families that the shell knows by name.
static FAMILY: [Known; 25] = [
    Known { loses: Loses::Less("older versions"), ..known("VERSIONS", "1", Syntax::Number) },
    Known { loses: Loses::Less("expired versions"), ..known("MIN_VERSIONS", "0", Syntax::Number) },
    Known { loses: Loses::Less("older cells"), ..known("TTL", FOREVER, Syntax::Seconds) },
    Known {
        loses: Loses::Lower(kept, "deleted cells"),
        ..known("KEEP_DELETED_CELLS", "FALSE", Syntax::Word)
    },
    known("BLOOMFILTER", "ROW", Syntax::Word),
    known("COMPRESSION", "NONE", Syntax::Word),
    known("BLOCKSIZE", "65536", Syntax::Number),
    known("IN_MEMORY", "false", Syntax::Switch),
    known("DATA_BLOCK_ENCODING", "NONE", Syntax::Word),
    known("REPLICATION_SCOPE", "0", Syntax::Number),
    known("BLOCKCACHE", "true", Syntax::Switch),
    known("INDEX_BLOCK_ENCODING", "NONE", Syntax::Word),
    known("CACHE_DATA_ON_WRITE", "false", Syntax::Switch),
    known("CACHE_INDEX_ON_WRITE", "false", Syntax::Switch),
    known("CACHE_BLOOMS_ON_WRITE", "false", Syntax::Switch),
    known("EVICT_BLOCKS_ON_CLOSE", "false", Syntax::Switch),
    known("PREFETCH_BLOCKS_ON_OPEN", "false", Syntax::Switch),
    known("NEW_VERSION_BEHAVIOR", "false", Syntax::Switch),
    known("IS_MOB", "false", Syntax::Switch),
    known("MOB_THRESHOLD", "102400", Syntax::Number),
    known("DFS_REPLICATION", "0", Syntax::Number),
    unset("IN_MEMORY_COMPACTION", Syntax::Word),
    unset("STORAGE_POLICY", Syntax::Word),
    unset("COMPRESSION_COMPACT", Syntax::Word),
    unset("ENCRYPTION", Syntax::Word),
];

/// The options of tables that the shell knows by name.
static TABLE: [Known; 12] = [
    known("MAX_FILESIZE", "-1", Syntax::Number),
    known("MEMSTORE_FLUSHSIZE", "-1", Syntax::Number),
    known("READONLY", "false", Syntax::Switch),
    known("COMPACTION_ENABLED", "true", Syntax::Switch),
    known("SPLIT_ENABLED", "true", Syntax::Switch),
    known("MERGE_ENABLED", "true", Syntax::Switch),
    unset("NORMALIZATION_ENABLED", Syntax::Switch),
    known("REGION_REPLICATION", "1", Syntax::Number),
    known("PRIORITY", "0", Syntax::Number),
    Known {
        loses: Loses::Lower(durable, "acknowledged writes, when a server dies"),
        ..known("DURABILITY", "USE_DEFAULT", Syntax::Word)
    },
    unset("FLUSH_POLICY", Syntax::Text),
    unset("SPLIT_POLICY", Syntax::Text),
];

/// What the master itself writes into every table.
static OF_THE_MASTER: [Known; 2] = [
    known("IS_META", "false", Syntax::Switch),
    known("hbase.store.file-tracker.impl", "DEFAULT", Syntax::Word),
];

/// Whose option it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Table,
    Family,
}

/// The options that the shell takes by their own names, not as metadata.
pub(super) fn names(owner: Owner) -> impl Iterator<Item = &'static str> {
    let known = match owner {
        Owner::Table => &TABLE[..],
        Owner::Family => &FAMILY[..],
    };
    known.iter().map(|known| known.key)
}

fn find(owner: Owner, key: &str) -> Option<&'static Known> {
    let mut known = match owner {
        Owner::Table => TABLE.iter().chain(&OF_THE_MASTER),
        Owner::Family => FAMILY.iter().chain(&[]),
    };
    known.find(|k| k.key == key)
}

/// The value of an option that is not set.
pub(super) fn default(owner: Owner, key: &str) -> Option<&'static str> {
    find(owner, key).and_then(|k| k.default)
}

/// Whether two values mean the same to a server.
pub(super) fn same(owner: Owner, key: &str, a: &str, b: &str) -> bool {
    let syntax = find(owner, key).map_or(Syntax::Text, |k| k.syntax);
    normal(syntax, a) == normal(syntax, b)
}

/// Whether the value goes without quotes into a command of the shell.
pub(super) fn is_number(owner: Owner, key: &str) -> bool {
    matches!(find(owner, key).map(|k| k.syntax), Some(Syntax::Number | Syntax::Seconds))
}

/// What is lost when an option changes like this, if anything.
pub(super) fn loss(owner: Owner, key: &str, from: &str, to: &str) -> Option<&'static str> {
    let known = find(owner, key)?;
    let (from, to) = (normal(known.syntax, from), normal(known.syntax, to));
    match known.loses {
        Loses::Nothing => None,
        Loses::Less(what) => (number(&to)? < number(&from)?).then_some(what),
        Loses::Lower(rank, what) => (rank(&to) < rank(&from)).then_some(what),
    }
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn normal(syntax: Syntax, value: &str) -> String {
    let value = value.trim();
    match syntax {
        Syntax::Number => number(value).map_or(value.to_owned(), |n| n.to_string()),
        Syntax::Seconds if value.eq_ignore_ascii_case("FOREVER") => FOREVER.to_owned(),
        Syntax::Seconds => normal(Syntax::Number, value),
        Syntax::Word => value.to_ascii_uppercase(),
        Syntax::Switch => value.to_ascii_lowercase(),
        Syntax::Text => value.to_owned(),
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
        let same = |key, a, b| same(Owner::Family, key, a, b);
        assert!(same("TTL", "FOREVER", "2147483647"));
        assert!(same("VERSIONS", "03", "3"));
        assert!(same("COMPRESSION", "gz", "GZ"));
        assert!(same("IN_MEMORY", "TRUE", "true"));
        assert!(!same("OWN", "a", "A"));
        assert!(!same("VERSIONS", "3", "x"));
        assert!(super::same(Owner::Table, "READONLY", "False", "false"));
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
        let loss = |from, to| super::loss(Owner::Table, "DURABILITY", from, to).is_some();
        assert!(loss("USE_DEFAULT", "SKIP_WAL") && !loss("SYNC_WAL", "USE_DEFAULT"));
    }
}
