//! Changes of single fields of tables (`UpdateTable`). The service makes them in operations of its
//! own, which are awaited.

use std::sync::Arc;

use super::operation::LongRunningOperation;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::Instance;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{FieldMask, Table, UpdateTableRequest, method};
use crate::{Result, TableName};

/// A change of one field of a table.
pub(super) struct TableUpdate {
    /// The full name of the table, and the new value of the field.
    pub(super) new: Table,
    /// The name of the field.
    pub(super) field: &'static str,
    /// Whether the change is made even if it may break queries.
    pub(super) ignore_warnings: bool,
    /// Whether the request may be sent again.
    pub(super) idempotency: Idempotency,
}

impl TableUpdate {
    /// Changes the table, and waits until the service has done so, at most until the deadline of
    /// the attempts.
    pub(super) async fn make(
        self,
        instance: &Arc<Instance>,
        attempts: &mut Attempts,
    ) -> Result<()> {
        let name = self.new.name.clone();
        let request = UpdateTableRequest {
            table: Some(self.new),
            update_mask: Some(FieldMask { paths: vec![self.field.into()] }),
            ignore_warnings: self.ignore_warnings,
        };
        let parameter = ("table.name", &*name);
        let begun = instance
            .admin_call(method::UPDATE_TABLE, parameter, request, self.idempotency, attempts)
            .await?;
        let operation = LongRunningOperation::<TableName>::begun(instance.clone(), begun);
        operation.wait_until(attempts.deadline()).await.map(drop)
    }
}
