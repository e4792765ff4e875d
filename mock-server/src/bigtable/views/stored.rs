//! The authorized views of a table, which are kept with its schema.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{AuthorizedView, AuthorizedViewKind, SubsetView, crc32c};
use tallrow_wire::proto::{BytesBytesPair, TableSchema};

use crate::schema::{attribute, set_attribute};

/// The start of the attribute of a table with one of its authorized views; the id of the view
/// follows.
const VIEW: &str = "BIGTABLE_AUTHORIZED_VIEW/";

/// An authorized view of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::bigtable) struct StoredView {
    pub(in crate::bigtable) subset: SubsetView,
    pub(in crate::bigtable) is_protected: bool,
}

impl StoredView {
    /// Returns a text that is another one after a change of the view.
    pub(in crate::bigtable) fn etag(&self) -> String {
        format!("{:08x}", crc32c(&self.to_message().encode_to_vec()))
    }

    fn to_message(&self) -> AuthorizedView {
        AuthorizedView {
            authorized_view: Some(AuthorizedViewKind::SubsetView(self.subset.clone())),
            deletion_protection: self.is_protected,
            ..AuthorizedView::default()
        }
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let message = AuthorizedView::decode(bytes).ok()?;
        let AuthorizedViewKind::SubsetView(subset) = message.authorized_view?;
        Some(Self { subset, is_protected: message.deletion_protection })
    }
}

/// Returns the authorized views of a table with their ids, in the order of the ids.
pub(in crate::bigtable) fn list(schema: &TableSchema) -> Vec<(String, StoredView)> {
    let of_view = |attribute: &BytesBytesPair| {
        let id = attribute.first.strip_prefix(VIEW.as_bytes())?;
        let id = String::from_utf8_lossy(id).into_owned();
        Some((id, StoredView::of_bytes(&attribute.second)?))
    };
    let mut views: Vec<_> = schema.attributes.iter().filter_map(of_view).collect();
    views.sort_by(|(a, _), (b, _)| a.cmp(b));
    views
}

/// Returns the authorized view of a table with this id.
pub(in crate::bigtable) fn find(schema: &TableSchema, id: &str) -> Option<StoredView> {
    StoredView::of_bytes(attribute(&schema.attributes, &key(id))?)
}

/// Adds an authorized view to a table, or replaces the one with this id.
pub(in crate::bigtable) fn put(schema: &mut TableSchema, id: &str, view: &StoredView) {
    let message = view.to_message().encode_to_vec();
    set_attribute(&mut schema.attributes, &key(id), Some(message));
}

/// Deletes the authorized view of a table with this id, if there is one.
pub(in crate::bigtable) fn delete(schema: &mut TableSchema, id: &str) {
    set_attribute(&mut schema.attributes, &key(id), None::<Bytes>);
}

/// Deletes the authorized views of a table.
pub(in crate::bigtable) fn delete_all(schema: &mut TableSchema) {
    schema.attributes.retain(|attribute| !attribute.first.starts_with(VIEW.as_bytes()));
}

fn key(id: &str) -> String {
    format!("{VIEW}{id}")
}
