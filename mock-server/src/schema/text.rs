//! Formats schemas for error texts.

use tallrow_wire::proto::TableSchema;
use tallrow_wire::region;

/// The TTL, in seconds, of a family whose cells never expire.
pub(super) const FOREVER_SECONDS: u64 = 2_147_483_647;

/// Formats a schema as Java's `TableDescriptor.toString` does.
pub(super) fn format_schema(schema: &TableSchema) -> String {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let name = schema.table_name.as_ref().map(region::format_table_name).unwrap_or_default();
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
