//! Refuses the schemas that a master refuses. The checks are those of HBase's
//! `TableDescriptorChecker`, in the same order. Options that cannot be parsed are refused too.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{ColumnFamilySchema, TableSchema};

use super::attributes::{MAX_CELL_BYTES_KEY, attribute, table_option};
use super::compactions::{self, BYPASS};
use super::meta_table_name;
use super::names::{check_family_name, table_text};
use crate::base::{RemoteResult, remote_exception};

/// The values of the options that are enumerations. Each option has the Java class that a refusal
/// names.
const COMPRESSION: (&str, &[&str]) = (
    "org.apache.hadoop.hbase.io.compress.Compression.Algorithm",
    &["LZO", "GZ", "NONE", "SNAPPY", "LZ4", "BZIP2", "ZSTD", "LZMA", "BROTLI"],
);
const IN_MEMORY_COMPACTION: (&str, &[&str]) =
    ("org.apache.hadoop.hbase.MemoryCompactionPolicy", &["NONE", "BASIC", "EAGER", "ADAPTIVE"]);
const BLOOM_FILTER: &[&str] = &["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"];

/// The enumerations that a real master does not check: it creates the table, but no region of the
/// table ever opens.
const UNCHECKED: [(&str, &str, &[&str]); 3] = [
    (
        "DATA_BLOCK_ENCODING",
        "org.apache.hadoop.hbase.io.encoding.DataBlockEncoding",
        &["NONE", "PREFIX", "DIFF", "FAST_DIFF", "COPY_KEY", "ROW_INDEX_V1"],
    ),
    (
        "INDEX_BLOCK_ENCODING",
        "org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding",
        &["NONE", "PREFIX_TREE"],
    ),
    ("KEEP_DELETED_CELLS", "org.apache.hadoop.hbase.KeepDeletedCells", &["FALSE", "TRUE", "TTL"]),
];

/// `DURABILITY`, the only enumeration that is case-sensitive.
const DURABILITY: (&str, &[&str]) = (
    "org.apache.hadoop.hbase.client.Durability",
    &["USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"],
);

/// Rejects a schema that the master rejects, or with which no region can be opened. Without
/// `sanity_checks`, or if the schema itself switches them off, a schema may have options with which a
/// table does not work well.
pub(crate) fn check_schema(schema: &TableSchema, sanity_checks: bool) -> RemoteResult<()> {
    schema.column_families.iter().try_for_each(|family| check_family_name(&family.name))?;
    let checks = table_option(schema, "hbase.table.sanity.checks");
    let off = match checks {
        Some(value) => value.eq_ignore_ascii_case("false"),
        None => !sanity_checks,
    };
    let refuse = |refused: Option<String>| match refused.filter(|_| !off) {
        Some(text) => Err(remote_exception(exception::DO_NOT_RETRY, text + BYPASS)),
        None => Ok(()),
    };
    let number = |key, width| table_option(schema, key).map(|v| parse_number(v, width)).transpose();
    let of_table = |key, width| number(key, width).map_err(unreadable);
    let max_cell = number(MAX_CELL_BYTES_KEY, JavaNumber::Long);
    refuse(max_cell.is_err().then(|| format!("'{MAX_CELL_BYTES_KEY}' must be a long.")))?;
    for (key, property, least, causes) in [
        (
            "MAX_FILESIZE",
            "hbase.hregion.max.filesize",
            2 << 20,
            "over splitting into unmanageable number of regions",
        ),
        (
            "MEMSTORE_FLUSHSIZE",
            "hbase.hregion.memstore.flush.size",
            1 << 20,
            "very frequent flushing",
        ),
    ] {
        let size = of_table(key, JavaNumber::Long)?.unwrap_or(least);
        refuse((size < least).then(|| {
            format!(
                "{key} for table descriptor or \"{property}\" ({size}) is too small, which might \
                 cause {causes}."
            )
        }))?;
    }
    refuse(unloadable_split_policy(schema))?;
    for family in &schema.column_families {
        for key in COMPRESSION_OPTIONS {
            let refused = unknown(family, key, COMPRESSION);
            refuse(refused)?;
        }
    }
    for family in &schema.column_families {
        // No key provider is configured, as on a new cluster.
        refuse(value(family, "ENCRYPTION").is_some().then(|| {
            "Key provider org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider failed test: \
             java.lang.RuntimeException: KeyProvider scheme should specify KeyStore type"
                .to_owned()
        }))?;
    }
    compactions::check_policies(schema)?;
    refuse(
        schema
            .column_families
            .is_empty()
            .then(|| "Table should have at least one column family.".to_owned()),
    )?;
    let replicas = of_table("REGION_REPLICATION", JavaNumber::Int)?;
    refuse(
        replicas
            .is_some_and(|n| n < 1)
            .then(|| "Table region replication should be at least one.".to_owned()),
    )?;
    let read_only =
        table_option(schema, "READONLY").is_some_and(|v| v.eq_ignore_ascii_case("true"));
    if read_only && schema.table_name.as_ref() == Some(&meta_table_name()) {
        let text = format!("Meta table can't be set as read only.{BYPASS}");
        return Err(remote_exception(exception::DO_NOT_RETRY, text));
    }
    for family in &schema.column_families {
        let scope = value(family, "REPLICATION_SCOPE")
            .map(|v| parse_number(v, JavaNumber::Int))
            .transpose();
        let refused = match scope {
            Err(text) => Some(text),
            Ok(scope) => scope.filter(|n| !(0..=1).contains(n)).map(|n| {
                let name = String::from_utf8_lossy(&family.name);
                format!("Replication scope for column family {name} is {n} which is invalid.")
            }),
        };
        refuse(refused)?;
    }
    for family in &schema.column_families {
        let filter = value(family, "BLOOMFILTER").unwrap_or("ROW").to_uppercase();
        let has_length = family.configuration.iter().any(|c| c.name == PREFIX_LENGTH);
        let lacks_length = filter == "ROWPREFIX_FIXED_LENGTH" && !has_length;
        refuse(
            (!BLOOM_FILTER.contains(&filter.as_str()) || lacks_length)
                .then(|| "Failed to get bloom filter param".to_owned()),
        )?;
    }
    for family in &schema.column_families {
        check_family(family, &refuse)?;
    }
    compactions::check_tiering(schema)?;
    check_rest(schema)
}

/// The policies of splits that HBase has, in its package `regionserver`.
const SPLIT_POLICIES: [&str; 7] = [
    "BusyRegionSplitPolicy",
    "ConstantSizeRegionSplitPolicy",
    "DelimitedKeyPrefixRegionSplitPolicy",
    "DisabledRegionSplitPolicy",
    "IncreasingToUpperBoundRegionSplitPolicy",
    "KeyPrefixRegionSplitPolicy",
    "SteppingSplitPolicy",
];

/// Says why the policy of splits of a table cannot be loaded. Those of Phoenix can, as on servers
/// with its jar.
fn unloadable_split_policy(schema: &TableSchema) -> Option<String> {
    let key = "hbase.regionserver.region.split.policy";
    let class = table_option(schema, "SPLIT_POLICY").or_else(|| table_option(schema, key))?;
    let own = class.strip_prefix("org.apache.hadoop.hbase.regionserver.");
    let known = own.is_some_and(|name| SPLIT_POLICIES.contains(&name));
    let table = schema.table_name.as_ref().map(table_text).unwrap_or_default();
    (!known && !class.starts_with("org.apache.phoenix.")).then(|| {
        format!("Unable to load configured region split policy '{class}' for table '{table}'")
    })
}

/// The options of a family that name a compression algorithm.
const COMPRESSION_OPTIONS: [&str; 4] = [
    "COMPRESSION",
    "COMPRESSION_COMPACT",
    "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR",
];

/// The setting that a Bloom filter of row key prefixes needs.
const PREFIX_LENGTH: &str = "RowPrefixBloomFilter.prefix_length";

/// A function that refuses a schema with the given text. It accepts the schema if there is no text,
/// or if the table has switched such refusals off.
type Refuse<'a> = dyn Fn(Option<String>) -> RemoteResult<()> + 'a;

fn check_family(family: &ColumnFamilySchema, refuse: &Refuse<'_>) -> RemoteResult<()> {
    let name = String::from_utf8_lossy(&family.name);
    let number = |key, default, width| match value(family, key) {
        None => Ok(default),
        Some(value) => parse_number(value, width).map_err(unreadable),
    };
    let ttl = number("TTL", 1, JavaNumber::Int)?;
    refuse((ttl <= 0).then(|| format!("TTL for column family {name} must be positive.")))?;
    let block = number("BLOCKSIZE", 1024, JavaNumber::Int)?;
    refuse(
        (!(1024..=16 << 20).contains(&block))
            .then(|| format!("Block size for column family {name}  must be between 1K and 16MB.")),
    )?;
    let min = number("MIN_VERSIONS", 0, JavaNumber::Int)?;
    refuse((min < 0).then(|| format!("Min versions for column family {name}  must be positive.")))?;
    let max = number("VERSIONS", 1, JavaNumber::Int)?;
    refuse((min > max).then(|| {
        format!("Min versions for column family {name} must be less than the Max versions.")
    }))?;
    let copies = number("DFS_REPLICATION", 0, JavaNumber::Short)?;
    refuse((copies < 0).then(|| {
        format!("HFile Replication for column family {name}  must be greater than zero.")
    }))?;
    let refused = unknown(family, "IN_MEMORY_COMPACTION", IN_MEMORY_COMPACTION);
    refuse(refused)
}

/// Rejects values that the master accepts, but with which no region of a real table opens.
fn check_rest(schema: &TableSchema) -> RemoteResult<()> {
    if let Some(value) = table_option(schema, "PRIORITY") {
        parse_number(value, JavaNumber::Int).map_err(unreadable)?;
    }
    if let Some(value) = table_option(schema, "DURABILITY")
        && !DURABILITY.1.contains(&value)
    {
        return Err(unreadable(no_constant(DURABILITY.0, value)));
    }
    for family in &schema.column_families {
        for (key, class, values) in UNCHECKED {
            if let Some(text) = unknown(family, key, (class, values)) {
                return Err(unreadable(text));
            }
        }
        if let Some(value) = value(family, "MOB_THRESHOLD") {
            parse_number(value, JavaNumber::Long).map_err(unreadable)?;
        }
    }
    Ok(())
}

/// Returns the value of an option of a family. An empty value is treated as absent.
fn value<'a>(family: &'a ColumnFamilySchema, key: &str) -> Option<&'a str> {
    let value = attribute(&family.attributes, key).and_then(|v| std::str::from_utf8(v).ok());
    value.filter(|value| !value.is_empty())
}

/// Returns Java's message if an option has a value that is not in the enumeration.
fn unknown(
    family: &ColumnFamilySchema,
    key: &str,
    (class, values): (&str, &[&str]),
) -> Option<String> {
    let value = value(family, key)?.to_uppercase();
    (!values.contains(&value.as_str())).then(|| no_constant(class, &value))
}

fn no_constant(class: &str, value: &str) -> String {
    format!("No enum constant {class}.{value}")
}

/// Makes the exception for an option that cannot be parsed. The exception allows a retry.
fn unreadable(text: String) -> RemoteException {
    remote_exception(exception::IO, text)
}

/// The Java type that a number must fit.
#[derive(Clone, Copy, Debug)]
pub(super) enum JavaNumber {
    /// `Short.parseShort`
    Short,
    /// `Integer.parseInt`
    Int,
    /// `Long.parseLong`
    Long,
}

/// Parses a number; the error is the text of Java's exception.
pub(super) fn parse_number(text: &str, width: JavaNumber) -> Result<i64, String> {
    let not_a_number = || format!("For input string: \"{text}\"");
    // Java accepts a sign, as Rust does, but no blanks.
    let number: i64 = text.parse().map_err(|_| not_a_number())?;
    match width {
        JavaNumber::Long => Ok(number),
        JavaNumber::Int => i32::try_from(number).map(i64::from).map_err(|_| not_a_number()),
        JavaNumber::Short if i32::try_from(number).is_err() => Err(not_a_number()),
        JavaNumber::Short => i16::try_from(number)
            .map(i64::from)
            .map_err(|_| format!("Value out of range. Value:\"{text}\" Radix:10")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::sample_table as table;

    #[test]
    fn sanity_checks_name_the_family() {
        let message = |s: &TableSchema| check_schema(s, true).unwrap_err().message;
        assert!(message(&TableSchema::default()).starts_with("Table should have at least one"));
        assert!(
            message(&table(&[("TTL", "0")]))
                .starts_with("TTL for column family f must be positive.")
        );
        assert!(message(&table(&[("MIN_VERSIONS", "2")])).contains("less than the Max versions"));
        assert!(check_schema(&table(&[("VERSIONS", "2"), ("MIN_VERSIONS", "2")]), true).is_ok());
        assert!(check_schema(&table(&[("VERSIONS", "0")]), true).is_ok());
    }

    #[test]
    fn an_option_that_cannot_be_parsed_is_refused_in_the_words_of_java() {
        for (key, value, class, text) in [
            ("VERSIONS", "x", exception::IO, "For input string: \"x\""),
            ("VERSIONS", " 3", exception::IO, "For input string: \" 3\""),
            (
                "DFS_REPLICATION",
                "99999",
                exception::IO,
                "Value out of range. Value:\"99999\" Radix:10",
            ),
            ("REPLICATION_SCOPE", "x", exception::DO_NOT_RETRY, "For input string: \"x\" Set "),
            ("BLOOMFILTER", "x", exception::DO_NOT_RETRY, "Failed to get bloom filter param Set "),
            (
                "COMPRESSION",
                "x",
                exception::DO_NOT_RETRY,
                "No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.X Set ",
            ),
        ] {
            let refused = check_schema(&table(&[(key, value)]), true).unwrap_err();
            assert_eq!(refused.class, class, "{key} {value}");
            assert!(refused.message.starts_with(text), "{key} {value}: {}", refused.message);
        }
        assert!(check_schema(&table(&[("VERSIONS", "+3"), ("BLOOMFILTER", "row")]), true).is_ok());
    }
}
