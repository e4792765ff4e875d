//! A schema for unit tests.

use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema, TableSchema};
use tallrow_wire::region;

/// Table `t` with a family `f` of these attributes.
pub(crate) fn table(attributes: &[(&'static str, &'static str)]) -> TableSchema {
    let pair = |(k, v): &(&'static str, &'static str)| BytesBytesPair {
        first: (*k).into(),
        second: (*v).into(),
    };
    TableSchema {
        table_name: Some(region::parse_table_name(b"t")),
        column_families: vec![ColumnFamilySchema {
            name: "f".into(),
            attributes: attributes.iter().map(pair).collect(),
            configuration: Vec::new(),
        }],
        ..Default::default()
    }
}
