//! The authorized views of a table, which are kept with its schema.

use prost::Message;
use tallrow_wire::bigtable::{AuthorizedView, AuthorizedViewKind, SubsetView};
use tallrow_wire::proto::TableSchema;

use crate::bigtable::table_parts::{TableParts, etag};

/// The authorized views of a table: encoded messages `AuthorizedView`.
pub(in crate::bigtable) const VIEWS: TableParts = TableParts("BIGTABLE_AUTHORIZED_VIEW/");

/// An authorized view of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::bigtable) struct StoredView {
    pub(in crate::bigtable) subset: SubsetView,
    pub(in crate::bigtable) is_protected: bool,
}

impl StoredView {
    /// Returns a text that is another one after a change of the view.
    pub(in crate::bigtable) fn etag(&self) -> String {
        etag(&self.to_message().encode_to_vec())
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
    let views = VIEWS.list(schema).into_iter();
    views.filter_map(|(id, view)| Some((id, StoredView::of_bytes(&view)?))).collect()
}

/// Returns the authorized view of a table with this id.
pub(in crate::bigtable) fn find(schema: &TableSchema, id: &str) -> Option<StoredView> {
    StoredView::of_bytes(VIEWS.find(schema, id)?)
}

/// Adds an authorized view to a table, or replaces the one with this id.
pub(in crate::bigtable) fn put(schema: &mut TableSchema, id: &str, view: &StoredView) {
    VIEWS.put(schema, id, view.to_message().encode_to_vec());
}
