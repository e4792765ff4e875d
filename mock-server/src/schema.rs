//! What a table's schema says, and what a master writes into it and checks when a table is made or altered.

use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema, TableSchema};
use tallrow_wire::region;

use crate::remote_exception::{RemoteResult, remote_exception};

/// What the master writes into a family for every attribute that is absent, in the order it writes them.
const FAMILY_DEFAULTS: [(&str, &str); 12] = [
    ("INDEX_BLOCK_ENCODING", "NONE"),
    ("VERSIONS", "1"),
    ("KEEP_DELETED_CELLS", "FALSE"),
    ("DATA_BLOCK_ENCODING", "NONE"),
    ("TTL", "2147483647"),
    ("MIN_VERSIONS", "0"),
    ("REPLICATION_SCOPE", "0"),
    ("BLOOMFILTER", "ROW"),
    ("IN_MEMORY", "false"),
    ("COMPRESSION", "NONE"),
    ("BLOCKCACHE", "true"),
    ("BLOCKSIZE", "65536"),
];

/// What the master writes into a table for every attribute that is absent.
const TABLE_DEFAULTS: [(&str, &str); 2] =
    [("IS_META", "false"), ("hbase.store.file-tracker.impl", "DEFAULT")];

/// Seconds that mean "for ever".
const FOREVER: u64 = 2_147_483_647;

/// Whether a family keeps cells that delete markers mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepDeleted {
    /// `FALSE`
    No,
    /// `TRUE`
    Yes,
    /// `TTL`: until the marker is older than the family's TTL.
    UntilExpired,
}

/// What a family's attributes mean for reads, flushes and compactions.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The name.
    pub(crate) name: Bytes,
    /// `VERSIONS`
    pub(crate) max_versions: u32,
    /// `MIN_VERSIONS`
    pub(crate) min_versions: u32,
    /// `TTL` in ms; none when cells live for ever.
    pub(crate) ttl: Option<u64>,
    /// `KEEP_DELETED_CELLS`
    pub(crate) keep_deleted: KeepDeleted,
}

impl Family {
    /// The oldest timestamp that is not expired at `now`.
    pub(crate) fn oldest_unexpired(&self, now: u64) -> u64 {
        self.ttl.map_or(0, |ttl| now.saturating_sub(ttl))
    }
}

/// The parts of a schema that a region looks at.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The families, sorted by name.
    pub(crate) families: Vec<Family>,
    /// `READONLY`
    pub(crate) read_only: bool,
    /// The schema as the server writes it into error texts.
    pub(crate) text: String,
}

impl Schema {
    /// Reads a schema.
    pub(crate) fn of(schema: &TableSchema) -> Arc<Self> {
        let mut families: Vec<Family> = schema.column_families.iter().map(family).collect();
        families.sort_by(|a, b| a.name.cmp(&b.name));
        Arc::new(Self {
            families,
            read_only: attribute(&schema.attributes, "READONLY")
                .is_some_and(|v| v.eq_ignore_ascii_case(b"true")),
            text: text(schema),
        })
    }

    /// The family of this name.
    pub(crate) fn family(&self, name: &[u8]) -> Option<&Family> {
        self.families.iter().find(|f| &f.name[..] == name)
    }
}

fn family(schema: &ColumnFamilySchema) -> Family {
    let text = |key| attribute(&schema.attributes, key).and_then(|v| std::str::from_utf8(v).ok());
    let number = |key, default| text(key).and_then(|v| v.parse().ok()).unwrap_or(default);
    let ttl = number("TTL", FOREVER);
    let keep = text("KEEP_DELETED_CELLS").unwrap_or("FALSE").to_ascii_uppercase();
    Family {
        name: schema.name.clone(),
        max_versions: u32::try_from(number("VERSIONS", 1)).unwrap_or(u32::MAX),
        min_versions: u32::try_from(number("MIN_VERSIONS", 0)).unwrap_or(u32::MAX),
        ttl: (ttl < FOREVER).then_some(ttl.saturating_mul(1000)),
        keep_deleted: match keep.as_str() {
            "TRUE" => KeepDeleted::Yes,
            "TTL" => KeepDeleted::UntilExpired,
            _ => KeepDeleted::No,
        },
    }
}

fn attribute<'a>(attributes: &'a [BytesBytesPair], key: &str) -> Option<&'a [u8]> {
    attributes.iter().find(|a| &a.first[..] == key.as_bytes()).map(|a| &a.second[..])
}

/// Writes every absent attribute out, as the master does, and sorts the families.
pub(crate) fn complete(schema: &mut TableSchema) {
    fill(&mut schema.attributes, &TABLE_DEFAULTS);
    schema.column_families.iter_mut().for_each(complete_family);
    schema.column_families.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Writes every absent attribute of a family out.
pub(crate) fn complete_family(family: &mut ColumnFamilySchema) {
    fill(&mut family.attributes, &FAMILY_DEFAULTS);
}

fn fill(attributes: &mut Vec<BytesBytesPair>, defaults: &[(&'static str, &'static str)]) {
    for (key, value) in defaults {
        if attribute(attributes, key).is_none() {
            attributes.push(BytesBytesPair { first: (*key).into(), second: (*value).into() });
        }
    }
}

/// Refuses a schema that the master's sanity checks refuse.
pub(crate) fn check(schema: &TableSchema) -> RemoteResult<()> {
    const BYPASS: &str = " Set hbase.table.sanity.checks to false at conf or table descriptor if you \
                          want to bypass sanity checks";
    let refuse = |text: String| Err(remote_exception(exception::DO_NOT_RETRY, text + BYPASS));
    if schema.column_families.is_empty() {
        return refuse("Table should have at least one column family.".into());
    }
    for family in &schema.column_families {
        check_family_name(&family.name)?;
        let name = String::from_utf8_lossy(&family.name);
        let number = |key| {
            attribute(&family.attributes, key)
                .and_then(|v| std::str::from_utf8(v).ok()?.parse::<i64>().ok())
        };
        if number("TTL").is_some_and(|v| v <= 0) {
            return refuse(format!("TTL for column family {name} must be positive."));
        }
        if number("BLOCKSIZE").is_some_and(|v| !(1024..=16 << 20).contains(&v)) {
            return refuse(format!(
                "Block size for column family {name}  must be between 1K and 16MB."
            ));
        }
        let (min, max) = (number("MIN_VERSIONS").unwrap_or(0), number("VERSIONS").unwrap_or(1));
        if min < 0 {
            return refuse(format!("Min versions for column family {name}  must be positive."));
        }
        if max <= 0 {
            let text = "Maximum versions must be positive".to_owned();
            return Err(remote_exception(exception::IO, text));
        }
        if min > max {
            return refuse(format!(
                "Min versions for column family {name} must be less than the Max versions."
            ));
        }
    }
    Ok(())
}

/// Refuses a family name that `ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName` refuses.
fn check_family_name(name: &[u8]) -> RemoteResult<()> {
    let refuse = |text: String| Err(remote_exception(exception::IO, text));
    if name.is_empty() {
        return refuse("Column Family name can not be empty".into());
    }
    let shown = String::from_utf8_lossy(name);
    if name.first() == Some(&b'.') {
        return refuse(format!("Column Family names cannot start with a period: {shown}"));
    }
    if name.iter().any(|b| b.is_ascii_control() || matches!(b, b':' | b'\\' | b'/')) {
        return refuse(format!(
            "Illegal character <{}>. Column Family names cannot contain control characters or colons: {shown}",
            name.escape_ascii()
        ));
    }
    if name == b"recovered.edits" {
        return refuse("Column Family name cannot be: recovered.edits".into());
    }
    Ok(())
}

/// Refuses a table name that `TableName.isLegalFullyQualifiedTableName` refuses.
pub(crate) fn check_table_name(namespace: &[u8], qualifier: &[u8]) -> RemoteResult<()> {
    check_namespace(namespace)?;
    let refuse = |text: String| Err(remote_exception(exception::IO, text));
    let shown = String::from_utf8_lossy(qualifier);
    if qualifier.is_empty() {
        return refuse("Table qualifier must not be empty".into());
    }
    if matches!(qualifier.first(), Some(b'.' | b'-')) {
        let first = shown.chars().next().unwrap_or_default();
        return refuse(format!(
            "Illegal first character <{}> at 0. User-space table qualifiers can only start with 'alphanumeric characters' from any language: {shown}",
            u32::from(first)
        ));
    }
    if shown == "zookeeper" {
        return refuse("Tables may not be named 'zookeeper'".into());
    }
    let legal = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    match shown.char_indices().find(|(_, c)| !legal(*c)) {
        Some((at, c)) => refuse(format!(
            "Illegal character code:{}, <{c}> at {at}. User-space table qualifiers may only contain 'alphanumeric characters' and digits: {shown}",
            u32::from(c)
        )),
        None => Ok(()),
    }
}

/// Refuses a namespace name that `TableName.isLegalNamespaceName` refuses.
pub(crate) fn check_namespace(namespace: &[u8]) -> RemoteResult<()> {
    let shown = String::from_utf8_lossy(namespace);
    let legal = |c: char| c.is_alphanumeric() || c == '_';
    match shown.char_indices().find(|(_, c)| !legal(*c)) {
        Some((at, c)) => Err(remote_exception(
            exception::IO,
            format!(
                "Illegal character <{c}> at {at}. Namespaces may only contain 'alphanumeric characters' from any language and digits: {shown}"
            ),
        )),
        None => Ok(()),
    }
}

/// The schema in the form of Java's `TableDescriptor.toString`.
fn text(schema: &TableSchema) -> String {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let name = schema.table_name.as_ref().map(region::table_text).unwrap_or_default();
    let mut out = format!("'{}'", shown(&name));
    let attributes: Vec<String> = (schema.attributes.iter())
        .filter(|a| &a.first[..] != b"IS_META")
        .map(|a| format!("'{}' => '{}'", shown(&a.first), shown(&a.second)))
        .collect();
    if !attributes.is_empty() {
        out += &format!(", {{TABLE_ATTRIBUTES => {{METADATA => {{{}}}}}}}", attributes.join(", "));
    }
    for family in &schema.column_families {
        let attributes: Vec<String> = (family.attributes.iter())
            .map(|a| (shown(&a.first), shown(&a.second)))
            .map(|(key, value)| format!("{key} => '{}'", pretty(&key, value)))
            .collect();
        out += &format!(", {{NAME => '{}', {}}}", shown(&family.name), attributes.join(", "));
    }
    out
}

/// Times and sizes as Java's `PrettyPrinter` shows them.
fn pretty(key: &str, value: String) -> String {
    match (key, value.parse::<u64>()) {
        ("TTL", Ok(seconds)) => pretty_seconds(seconds),
        ("BLOCKSIZE", Ok(bytes)) => {
            let units = [(30, "GB"), (20, "MB"), (10, "KB")];
            let parts: Vec<String> = (units.iter().zip([u64::MAX, 1024, 1024]))
                .map(|((shift, unit), most)| ((bytes >> shift) % most, unit))
                .chain([(bytes % 1024, &"B")])
                .filter(|(n, _)| *n > 0)
                .map(|(n, unit)| format!("{n}{unit}"))
                .collect();
            match bytes {
                0..1024 => format!("{bytes} B"),
                _ => format!("{bytes} B ({})", parts.join(" ")),
            }
        }
        _ => value,
    }
}

fn pretty_seconds(seconds: u64) -> String {
    let count = |n: u64, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "S" });
    if seconds >= FOREVER {
        return "FOREVER".into();
    }
    if seconds < 60 {
        return count(seconds, "SECOND");
    }
    let parts = [
        (seconds / 86_400, "DAY"),
        (seconds / 3600 % 24, "HOUR"),
        (seconds / 60 % 60, "MINUTE"),
        (seconds % 60, "SECOND"),
    ];
    let shown = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| count(*n, unit));
    format!("{seconds} SECONDS ({})", shown.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(attributes: &[(&'static str, &'static str)]) -> TableSchema {
        let pair = |(k, v): &(&'static str, &'static str)| BytesBytesPair {
            first: (*k).into(),
            second: (*v).into(),
        };
        TableSchema {
            table_name: Some(region::table_name(b"t")),
            column_families: vec![ColumnFamilySchema {
                name: "f".into(),
                attributes: attributes.iter().map(pair).collect(),
                configuration: Vec::new(),
            }],
            ..Default::default()
        }
    }

    #[test]
    fn absent_attributes_are_written_out_and_present_ones_kept() {
        let mut schema = table(&[("VERSIONS", "3")]);
        complete(&mut schema);
        let family = &schema.column_families[0];
        assert_eq!(attribute(&family.attributes, "VERSIONS"), Some(&b"3"[..]));
        assert_eq!(attribute(&family.attributes, "TTL"), Some(&b"2147483647"[..]));
        assert_eq!(attribute(&schema.attributes, "IS_META"), Some(&b"false"[..]));
        let read = Schema::of(&schema);
        assert_eq!((read.families[0].max_versions, read.families[0].ttl), (3, None));
    }

    #[test]
    fn sanity_checks_name_the_family() {
        let message = |s: &TableSchema| check(s).unwrap_err().message;
        assert!(message(&TableSchema::default()).starts_with("Table should have at least one"));
        assert!(
            message(&table(&[("TTL", "0")]))
                .starts_with("TTL for column family f must be positive.")
        );
        assert!(message(&table(&[("MIN_VERSIONS", "2")])).contains("less than the Max versions"));
        assert!(check(&table(&[("VERSIONS", "2"), ("MIN_VERSIONS", "2")])).is_ok());
    }

    #[test]
    fn a_schema_reads_as_a_java_client_prints_it() {
        let mut schema = table(&[("TTL", "90061"), ("BLOCKSIZE", "65536")]);
        schema.attributes = vec![BytesBytesPair { first: "K".into(), second: "v".into() }];
        let text = &Schema::of(&schema).text;
        assert_eq!(
            text,
            "'t', {TABLE_ATTRIBUTES => {METADATA => {'K' => 'v'}}}, {NAME => 'f', TTL => '90061 SECONDS (1 DAY 1 HOUR 1 MINUTE 1 SECOND)', BLOCKSIZE => '65536 B (64KB)'}"
        );
    }

    #[test]
    fn names_with_illegal_characters_are_refused() {
        let message = |n: &[u8]| check_table_name(b"default", n).unwrap_err().message;
        assert!(message(b"a b").starts_with("Illegal character code:32, < > at 1. "));
        assert!(message(b"-a").starts_with("Illegal first character"));
        assert!(check_table_name(b"ns_1", b"a-b.c_1").is_ok());
        assert!(check_namespace(b"n-s").is_err());
    }
}
