//! How long the changes of a table are kept, for clients of Bigtable that read them.

use tallrow_wire::proto::TableSchema;

use super::attributes::{attribute, set_attribute};

/// The attribute of a table that has a change stream: how long changes are kept, in ms.
const RETENTION: &str = "BIGTABLE_CHANGE_STREAM_RETENTION_MS";

/// Returns how long the changes of a table are kept, in ms; `None` if it has no change stream.
pub(crate) fn stream_retention_ms(schema: &TableSchema) -> Option<u64> {
    std::str::from_utf8(attribute(&schema.attributes, RETENTION)?).ok()?.parse().ok()
}

/// Sets how long the changes of a table are kept, in ms.
pub(crate) fn set_stream_retention_ms(schema: &mut TableSchema, retention_ms: Option<u64>) {
    let value = retention_ms.map(|ms| ms.to_string());
    set_attribute(&mut schema.attributes, RETENTION, value);
}
