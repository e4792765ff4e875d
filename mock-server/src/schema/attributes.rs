//! The attributes of tables and families, and the defaults that the master adds for absent
//! attributes.

use bytes::Bytes;
use tallrow_wire::proto::{BytesBytesPair, TableSchema};

/// The defaults of a family, in the order in which the master writes them.
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

/// The setting for the store file tracker of a table or of a family.
pub(super) const FILE_TRACKER_KEY: &str = "hbase.store.file-tracker.impl";

/// The tracker of a server without such a setting.
pub(super) const DEFAULT_FILE_TRACKER: &str = "DEFAULT";

/// The defaults of a table.
const TABLE_DEFAULTS: [(&str, &str); 2] =
    [("IS_META", "false"), (FILE_TRACKER_KEY, DEFAULT_FILE_TRACKER)];

/// Returns the value of an attribute.
pub(crate) fn attribute<'a>(attributes: &'a [BytesBytesPair], key: &str) -> Option<&'a [u8]> {
    attributes.iter().find(|a| &a.first[..] == key.as_bytes()).map(|a| &a.second[..])
}

/// Sets the value of an attribute, which comes last then, or removes the attribute.
pub(crate) fn set_attribute(
    attributes: &mut Vec<BytesBytesPair>,
    key: &str,
    value: Option<impl Into<Bytes>>,
) {
    attributes.retain(|a| &a.first[..] != key.as_bytes());
    if let Some(value) = value {
        attributes.push(BytesBytesPair { first: key.to_owned().into(), second: value.into() });
    }
}

/// The name of the server setting for the maximum size of a cell, which a table may override.
pub(super) const MAX_CELL_BYTES_KEY: &str = "hbase.server.keyvalue.maxsize";

/// Returns the value of a table's option. Older clients send options as configuration. An empty
/// value is treated as absent.
pub(super) fn table_option<'a>(schema: &'a TableSchema, key: &str) -> Option<&'a str> {
    let attribute = attribute(&schema.attributes, key).and_then(|v| std::str::from_utf8(v).ok());
    let configured = schema.configuration.iter().find(|pair| pair.name == key);
    let value = attribute.or_else(|| configured.map(|pair| pair.value.as_str()));
    value.filter(|value| !value.is_empty())
}

/// Adds the defaults of absent attributes to the schema of a new table, as the master does, and sorts
/// the families.
pub(crate) fn add_defaults(schema: &mut TableSchema) {
    fill(&mut schema.attributes, &TABLE_DEFAULTS);
    add_defaults_of_families(schema);
}

/// Adds the defaults of absent attributes to a schema that replaces another one, and sorts the
/// families. The master does not add the tracker of files again.
pub(crate) fn add_defaults_when_altered(schema: &mut TableSchema) {
    let [is_meta, _] = TABLE_DEFAULTS;
    fill(&mut schema.attributes, &[is_meta]);
    add_defaults_of_families(schema);
}

fn add_defaults_of_families(schema: &mut TableSchema) {
    for family in &mut schema.column_families {
        fill(&mut family.attributes, &FAMILY_DEFAULTS);
    }
    schema.column_families.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Returns the schema without the attributes that [`add_defaults`] adds.
pub(crate) fn without_defaults(schema: &TableSchema) -> TableSchema {
    let mut schema = schema.clone();
    drop_defaults(&mut schema.attributes, &TABLE_DEFAULTS);
    for family in &mut schema.column_families {
        drop_defaults(&mut family.attributes, &FAMILY_DEFAULTS);
    }
    schema
}

fn drop_defaults(attributes: &mut Vec<BytesBytesPair>, defaults: &[(&str, &str)]) {
    attributes.retain(|a| {
        !defaults
            .iter()
            .any(|(key, value)| (&a.first[..], &a.second[..]) == (key.as_bytes(), value.as_bytes()))
    });
}

fn fill(attributes: &mut Vec<BytesBytesPair>, defaults: &[(&'static str, &'static str)]) {
    for (key, value) in defaults {
        if attribute(attributes, key).is_none() {
            attributes.push(BytesBytesPair { first: (*key).into(), second: (*value).into() });
        }
    }
}

/// Makes the table `t` with a family `f` that has these attributes, for unit tests.
#[cfg(test)]
pub(crate) fn sample_table(attributes: &[(&'static str, &'static str)]) -> TableSchema {
    let pair = |(k, v): &(&'static str, &'static str)| BytesBytesPair {
        first: (*k).into(),
        second: (*v).into(),
    };
    TableSchema {
        table_name: Some(tallrow_wire::region::parse_table_name(b"t")),
        column_families: vec![tallrow_wire::proto::ColumnFamilySchema {
            name: "f".into(),
            attributes: attributes.iter().map(pair).collect(),
            configuration: Vec::new(),
        }],
        ..Default::default()
    }
}
