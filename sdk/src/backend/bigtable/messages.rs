//! Sends single messages of the service through the client, for tests that need messages that no
//! operation sends.

use std::sync::Arc;

use bytes::Bytes;
use prost::Message;

use super::explanation::invalid_answer_error;
use super::instance::Instance;
use super::lower::{Call, LoweredOperation};
use super::outcome::OperationAnswer;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{
    CheckAndMutateRowRequest, MergedRow, ReadModifyWriteRowRequest, ReadRowsRequest,
};
use crate::{Error, Result, TableName};

/// A sender of messages that no operation of this crate sends, for example: cells with timestamps
/// that are not a whole number of milliseconds, conditions without a filter, several increments of
/// one cell. Not part of the public API.
#[doc(hidden)]
#[derive(Clone)]
#[allow(missing_debug_implementations, reason = "it is not public")]
pub struct Messages {
    instance: Arc<Instance>,
}

impl Messages {
    pub(crate) fn new(instance: Arc<Instance>) -> Self {
        Self { instance }
    }

    /// Sends a request for one row, and returns the row.
    pub async fn read_row(
        &self,
        row: Bytes,
        mut request: ReadRowsRequest,
    ) -> Result<Option<MergedRow>> {
        request.app_profile_id = self.app_profile();
        // The row is added when the request is sent.
        request.rows = None;
        let call = Call::Read { fields: request.encode_to_vec(), existence_only: false };
        let table = request.table_name;
        self.send("get", &table, row, call, Idempotency::Read, |answer| match answer {
            OperationAnswer::Row(row, _) => Ok(row),
            _ => Err(invalid_answer_error("it is of another call")),
        })
        .await
    }

    /// Sends a conditional change, and returns whether the condition was met.
    pub async fn check_and_mutate_row(
        &self,
        mut request: CheckAndMutateRowRequest,
    ) -> Result<bool> {
        request.app_profile_id = self.app_profile();
        let (table, row) = (request.table_name.clone(), request.row_key.clone());
        let call = Call::Check(Box::new(request), true);
        self.send(
            "check and mutate",
            &table,
            row,
            call,
            Idempotency::Never,
            |answer| match answer {
                OperationAnswer::Checked { is_matched, .. } => Ok(is_matched),
                _ => Err(invalid_answer_error("it is of another call")),
            },
        )
        .await
    }

    /// Sends increments and appends, and returns the cells that were changed.
    pub async fn read_modify_write_row(
        &self,
        mut request: ReadModifyWriteRowRequest,
    ) -> Result<Option<MergedRow>> {
        request.app_profile_id = self.app_profile();
        let (table, row) = (request.table_name.clone(), request.row_key.clone());
        let call = Call::ReadModifyWrite(Box::new(request));
        self.send("mutate row", &table, row, call, Idempotency::Never, |answer| match answer {
            OperationAnswer::Changed(row) => Ok(row),
            _ => Err(invalid_answer_error("it is of another call")),
        })
        .await
    }

    fn app_profile(&self) -> String {
        self.instance.endpoint.app_profile.clone()
    }

    async fn send<T>(
        &self,
        name: &'static str,
        table: &str,
        row: Bytes,
        call: Call,
        idempotency: Idempotency,
        read: fn(OperationAnswer) -> Result<T>,
    ) -> Result<T> {
        let id = table.rsplit('/').next().unwrap_or(table);
        let table = TableName::parse(id).map_err(Error::invalid)?;
        let known = self.instance.table_context(&table)?;
        let lowered = LoweredOperation {
            name,
            row,
            call,
            idempotency,
            needs_timestamp: false,
            deletes: false,
            waits: true,
            attempt_timeout: None,
        };
        let timeout = self.instance.config.operation_timeout;
        self.instance.send_lowered(lowered, table, known, timeout, read).await
    }
}
