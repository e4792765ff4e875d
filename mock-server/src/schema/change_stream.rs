//! How long the changes of a table are kept, for clients of Bigtable that read them.

use bytes::Bytes;
use tallrow_wire::proto::{BytesBytesPair, TableSchema};

/// The attribute of a table that has a change stream: how long changes are kept, in ms.
const RETENTION: &[u8] = b"BIGTABLE_CHANGE_STREAM_RETENTION_MS";

/// Returns how long the changes of a table are kept, in ms; `None` if it has no change stream.
pub(crate) fn stream_retention_ms(schema: &TableSchema) -> Option<u64> {
    let of_stream = |a: &&BytesBytesPair| &a.first[..] == RETENTION;
    std::str::from_utf8(&schema.attributes.iter().find(of_stream)?.second).ok()?.parse().ok()
}

/// Sets how long the changes of a table are kept, in ms.
pub(crate) fn set_stream_retention_ms(schema: &mut TableSchema, retention_ms: Option<u64>) {
    schema.attributes.retain(|a| &a.first[..] != RETENTION);
    if let Some(ms) = retention_ms {
        let (first, second) = (Bytes::from_static(RETENTION), ms.to_string().into());
        schema.attributes.push(BytesBytesPair { first, second });
    }
}
