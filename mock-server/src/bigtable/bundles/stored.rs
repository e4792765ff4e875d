//! The schema bundles of a table, which are kept with its schema.

use bytes::Bytes;
use tallrow_wire::bigtable::crc32c;
use tallrow_wire::proto::{BytesBytesPair, TableSchema};

use crate::schema::set_attribute;

/// The start of the attribute of a table with one of its schema bundles; the id of the bundle
/// follows. The value is the encoded `FileDescriptorSet`.
const BUNDLE: &str = "BIGTABLE_SCHEMA_BUNDLE/";

/// Returns a text that is another one for other definitions.
pub(in crate::bigtable) fn etag(descriptors: &[u8]) -> String {
    format!("{:08x}", crc32c(descriptors))
}

/// Returns the schema bundles of a table with their ids, in the order of the ids.
pub(in crate::bigtable) fn list(schema: &TableSchema) -> Vec<(String, Bytes)> {
    let of_bundle = |attribute: &BytesBytesPair| {
        let id = attribute.first.strip_prefix(BUNDLE.as_bytes())?;
        Some((String::from_utf8_lossy(id).into_owned(), attribute.second.clone()))
    };
    let mut bundles: Vec<_> = schema.attributes.iter().filter_map(of_bundle).collect();
    bundles.sort_by(|(a, _), (b, _)| a.cmp(b));
    bundles
}

/// Returns the definitions of the schema bundle of a table with this id.
pub(in crate::bigtable) fn find(schema: &TableSchema, id: &str) -> Option<Bytes> {
    let key = key(id);
    let bundle = schema.attributes.iter().find(|attribute| attribute.first == key);
    bundle.map(|attribute| attribute.second.clone())
}

/// Adds a schema bundle to a table, or replaces the one with this id.
pub(in crate::bigtable) fn put(schema: &mut TableSchema, id: &str, descriptors: Bytes) {
    set_attribute(&mut schema.attributes, &key(id), Some(descriptors));
}

/// Deletes the schema bundle of a table with this id, if there is one.
pub(in crate::bigtable) fn delete(schema: &mut TableSchema, id: &str) {
    set_attribute(&mut schema.attributes, &key(id), None::<Bytes>);
}

/// Deletes the schema bundles of a table.
pub(in crate::bigtable) fn delete_all(schema: &mut TableSchema) {
    schema.attributes.retain(|attribute| !attribute.first.starts_with(BUNDLE.as_bytes()));
}

fn key(id: &str) -> String {
    format!("{BUNDLE}{id}")
}
