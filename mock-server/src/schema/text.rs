//! Formats schemas for error texts.

use tallrow_wire::proto::{BytesBytesPair, TableSchema};
use tallrow_wire::region;

/// The TTL, in seconds, of a family whose cells never expire.
pub(super) const FOREVER_SECONDS: u64 = 2_147_483_647;

/// The attributes of a table that are shown on their own. The others are shown as its metadata.
const TABLE_ATTRIBUTES: [&str; 7] = [
    "DURABILITY",
    "ERASURE_CODING_POLICY",
    "MAX_FILESIZE",
    "MEMSTORE_FLUSHSIZE",
    "PRIORITY",
    "READONLY",
    "REGION_REPLICATION",
];

/// The attributes of a family that are shown on their own. The others are shown as its metadata,
/// even some that each family has.
const FAMILY_ATTRIBUTES: [&str; 17] = [
    "BLOCKCACHE",
    "BLOCKSIZE",
    "BLOOMFILTER",
    "COMPRESSION",
    "DATA_BLOCK_ENCODING",
    "ENCRYPTION",
    "ENCRYPTION_KEY",
    "INDEX_BLOCK_ENCODING",
    "IN_MEMORY",
    "IS_MOB",
    "KEEP_DELETED_CELLS",
    "MIN_VERSIONS",
    "MOB_COMPACT_PARTITION_POLICY",
    "MOB_THRESHOLD",
    "REPLICATION_SCOPE",
    "TTL",
    "VERSIONS",
];

/// Formats a schema as Java's `TableDescriptor.toString` does.
pub(super) fn format_schema(schema: &TableSchema) -> String {
    let name = schema.table_name.as_ref().map(region::format_table_name).unwrap_or_default();
    let mut out = format!("'{}'", String::from_utf8_lossy(&name));
    let attributes = schema.attributes.iter().filter(|a| &a.first[..] != b"IS_META");
    let attributes = format_attributes(attributes, &TABLE_ATTRIBUTES);
    if !attributes.is_empty() {
        out += &format!(", {{TABLE_ATTRIBUTES => {{{attributes}}}}}");
    }
    for family in &schema.column_families {
        let name = String::from_utf8_lossy(&family.name);
        let attributes = format_attributes(family.attributes.iter(), &FAMILY_ATTRIBUTES);
        let separator = if attributes.is_empty() { "" } else { ", " };
        out += &format!(", {{NAME => '{name}'{separator}{attributes}}}");
    }
    out
}

/// Formats attributes: first those that are `known`, then the others as metadata.
fn format_attributes<'a>(
    attributes: impl Iterator<Item = &'a BytesBytesPair>,
    known: &[&str],
) -> String {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (mut own, mut metadata) = (Vec::new(), Vec::new());
    for (key, value) in attributes.map(|a| (shown(&a.first), shown(&a.second))) {
        let value = pretty(&key, value);
        match known.contains(&key.as_str()) {
            true => own.push(format!("{key} => '{value}'")),
            false => metadata.push(format!("'{key}' => '{value}'")),
        }
    }
    if !metadata.is_empty() {
        own.push(format!("METADATA => {{{}}}", metadata.join(", ")));
    }
    own.join(", ")
}

/// Formats times and sizes as Java's `PrettyPrinter` does.
fn pretty(key: &str, value: String) -> String {
    match (key, value.parse::<u64>()) {
        ("TTL", Ok(seconds)) => pretty_seconds(seconds),
        ("BLOCKSIZE", Ok(bytes)) => {
            let units = [(30, "GB"), (20, "MB"), (10, "KB")];
            let parts: Vec<String> = (units.iter().zip([u64::MAX, 1024, 1024]))
                .map(|((shift, unit), modulus)| ((bytes >> shift) % modulus, unit))
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
    if seconds >= FOREVER_SECONDS {
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
    use tallrow_wire::proto::BytesBytesPair;

    use crate::schema::RegionSchema;
    use crate::schema::sample_table as table;

    /// As a real server showed the table in the text of an exception.
    #[test]
    fn an_attribute_that_java_does_not_know_is_metadata() {
        let mut schema = table(&[("NEW_VERSION_BEHAVIOR", "false"), ("VERSIONS", "1")]);
        schema.attributes = vec![
            BytesBytesPair { first: "K".into(), second: "v".into() },
            BytesBytesPair { first: "READONLY".into(), second: "true".into() },
        ];
        assert_eq!(
            &RegionSchema::of(&schema).text,
            "'t', {TABLE_ATTRIBUTES => {READONLY => 'true', METADATA => {'K' => 'v'}}}, {NAME => \
             'f', VERSIONS => '1', METADATA => {'NEW_VERSION_BEHAVIOR' => 'false'}}"
        );
    }

    #[test]
    fn a_schema_is_shown_as_a_java_client_prints_it() {
        let mut schema = table(&[("TTL", "90061"), ("BLOCKSIZE", "65536")]);
        schema.attributes = vec![BytesBytesPair { first: "K".into(), second: "v".into() }];
        let text = &RegionSchema::of(&schema).text;
        assert_eq!(
            text,
            "'t', {TABLE_ATTRIBUTES => {METADATA => {'K' => 'v'}}}, {NAME => 'f', TTL => '90061 \
             SECONDS (1 DAY 1 HOUR 1 MINUTE 1 SECOND)', BLOCKSIZE => '65536 B (64KB)'}"
        );
    }
}
