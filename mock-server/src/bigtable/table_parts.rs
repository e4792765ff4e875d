//! Parts of a table that have an id and an etag, such as authorized views: they are attributes of
//! its schema, and so are kept, dumped and deleted with it.

use bytes::Bytes;
use tallrow_wire::bigtable::crc32c;
use tallrow_wire::proto::TableSchema;

use super::status::{StatusCode, StatusResult};
use crate::schema::set_attribute;

/// The parts of one kind: what the names of their attributes start with. The id follows.
pub(super) struct TableParts(pub(super) &'static str);

impl TableParts {
    /// Returns the parts of a table with their ids, in the order of the ids.
    pub(super) fn list(&self, schema: &TableSchema) -> Vec<(String, Bytes)> {
        let attributes = schema.attributes.iter().filter_map(|attribute| {
            let id = attribute.first.strip_prefix(self.0.as_bytes())?;
            Some((String::from_utf8_lossy(id).into_owned(), attribute.second.clone()))
        });
        let mut parts: Vec<_> = attributes.collect();
        parts.sort_by(|(a, _), (b, _)| a.cmp(b));
        parts
    }

    /// Returns the part of a table with this id.
    pub(super) fn find<'s>(&self, schema: &'s TableSchema, id: &str) -> Option<&'s Bytes> {
        let key = self.key(id);
        let part = schema.attributes.iter().find(|attribute| attribute.first == key);
        part.map(|attribute| &attribute.second)
    }

    /// Adds a part to a table, or replaces the one with this id.
    pub(super) fn put(&self, schema: &mut TableSchema, id: &str, part: impl Into<Bytes>) {
        set_attribute(&mut schema.attributes, &self.key(id), Some(part));
    }

    /// Deletes the part of a table with this id, if there is one.
    pub(super) fn delete(&self, schema: &mut TableSchema, id: &str) {
        set_attribute(&mut schema.attributes, &self.key(id), None::<Bytes>);
    }

    /// Deletes the parts of a table.
    pub(super) fn delete_all(&self, schema: &mut TableSchema) {
        schema.attributes.retain(|attribute| !attribute.first.starts_with(self.0.as_bytes()));
    }

    fn key(&self, id: &str) -> String {
        format!("{}{id}", self.0)
    }
}

/// Returns a text that is another one for another content.
pub(super) fn etag(content: &[u8]) -> String {
    format!("{:08x}", crc32c(content))
}

/// Returns an error if a request has another etag than the part has. `what` and `name` say which
/// part it is.
pub(super) fn check_etag(what: &str, name: &str, current: &str, etag: &str) -> StatusResult<()> {
    match etag.is_empty() || etag == current {
        true => Ok(()),
        false => Err(StatusCode::Aborted.status(format!(
            "The {what} {name} has the etag {current}, and the request {etag}: it was changed in \
             the meantime"
        ))),
    }
}
