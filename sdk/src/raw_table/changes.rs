//! The method of `RawTable` that reads its change stream.

use super::{ChangeStreamBuilder, RawTable};
use crate::Result;
use crate::model::changes::RowChanges;

impl RawTable {
    /// Reads the change stream of the table: which rows were changed, by whom, when and how. Only
    /// Bigtable has change streams, for tables with a
    /// [retention](crate::TableDescriptor::change_stream_retention).
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn changes(&self) -> ChangeStreamBuilder {
        self.changes_as(Ok)
    }

    /// Reads the change stream, and converts each change by `read`.
    pub(crate) fn changes_as<C>(
        &self,
        read: fn(RowChanges) -> Result<C>,
    ) -> ChangeStreamBuilder<C> {
        self.backend.changes(&self.name, self.left().or(self.timeout), read)
    }
}
