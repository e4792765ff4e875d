//! Calls to the service for tables, which is Bigtable's admin API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use super::pages::all_pages;
use super::schema;
use super::table_update::TableUpdate;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::Instance;
use crate::backend::bigtable::filter::FamilyLimits;
use crate::backend::bigtable::regions::forget_regions;
use crate::backend::repeat::Idempotency;
use crate::model::descriptor::{SchemaDiff, TableDescriptor};
use crate::wire::bigtable::{
    CheckConsistencyRequest, CheckConsistencyResponse, DeleteTableRequest, DropRowRangeRequest,
    DropTarget, Empty, GenerateConsistencyTokenRequest, GenerateConsistencyTokenResponse,
    GetTableRequest, ListTablesRequest, ListTablesResponse, ModifyColumnFamiliesRequest, Table,
    View, method,
};
use crate::{Error, ErrorKind, Result, TableName};

/// How long the known limits of a table's families are used before the service is asked again.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// The pause between two checks of whether all clusters have the writes.
const CONSISTENCY_PAUSE: Duration = Duration::from_millis(200);

impl Instance {
    pub(super) fn admin_attempts(
        &self,
        operation: &'static str,
        table: Option<&TableName>,
    ) -> Attempts {
        self.attempts_on(operation, table, self.config.operation_timeout)
    }

    /// Returns the full name of a table, `projects/P/instances/I/tables/T`. Fails for a view.
    pub(crate) fn table_path(&self, table: &TableName) -> Result<String> {
        let known = self.table_context(table)?;
        match known.target.table.is_empty() {
            true => Err(Error::invalid(format!("{table} is a view, and this is for tables"))),
            false => Ok(known.target.table.clone()),
        }
    }

    pub(super) async fn get_table(
        &self,
        path: String,
        view: View,
        attempts: &mut Attempts,
    ) -> Result<Table> {
        let request = GetTableRequest { name: path.clone(), view: view as i32 };
        self.admin_call(method::GET_TABLE, ("name", &path), request, Idempotency::Read, attempts)
            .await
    }

    /// Returns the limits on the cells that the families of a table keep; `None` if reads also
    /// return cells that are due for garbage collection. An answer of the service is reused for
    /// `KEPT_FOR`.
    pub(crate) async fn family_limits(
        &self,
        operation: &'static str,
        table: &TableName,
        timeout: Duration,
    ) -> Result<Option<Arc<FamilyLimits>>> {
        if !self.endpoint.exclude_garbage {
            return Ok(None);
        }
        let known = self.table_context(table)?;
        // The query of a materialized view decides what its cells are.
        let Some(path) = &known.table_path else { return Ok(None) };
        let deadline = Instant::now() + timeout;
        let Ok(mut latest) = timeout_at(deadline, known.family_limits.lock()).await else {
            let text =
                "the families of the table, which decide what is left out, were not known in time";
            return Err(Error::new(ErrorKind::Timeout, text)
                .with_operation_if_unset(operation)
                .on_table(table));
        };
        if let Some((since, kept)) = &*latest
            && since.elapsed() < KEPT_FOR
        {
            return Ok(Some(kept.clone()));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let kept = Arc::new(self.ask_kept(operation, table, path, left).await?);
        *latest = Some((Instant::now(), kept.clone()));
        Ok(Some(kept))
    }

    async fn ask_kept(
        &self,
        operation: &'static str,
        table: &TableName,
        path: &str,
        timeout: Duration,
    ) -> Result<FamilyLimits> {
        let mut attempts = self.attempts_on(operation, Some(table), timeout);
        let found = self.get_table(path.to_owned(), View::SchemaView, &mut attempts).await;
        attempts
            .end(found.map(|table| schema::family_limits(&table)).map_err(|e| e.on_table(table)))
    }
}

/// Creates a table from a valid descriptor, and divides the table at the descriptor's split keys.
pub(crate) async fn create_table(instance: &Instance, table: &TableDescriptor) -> Result<()> {
    let name = table.name();
    let mut attempts = instance.admin_attempts("create table", Some(name));
    let made = async {
        instance.table_path(name)?;
        let parent = instance.endpoint.instance_name();
        let request = schema::create_request(parent.clone(), table)?;
        let parameter = ("parent", &*parent);
        forget_regions(instance, name, None);
        instance
            .admin_call::<Table>(
                method::CREATE_TABLE,
                parameter,
                request,
                Idempotency::Never,
                &mut attempts,
            )
            .await
    };
    let made = made.await;
    forget_kept(instance, name, &attempts).await;
    attempts.end(made.map(drop).map_err(|error| error.on_table(name)))
}

/// Forgets what the families of a table keep, which has changed.
async fn forget_kept(instance: &Instance, table: &TableName, attempts: &Attempts) {
    if let Ok(known) = instance.table_context(table) {
        // A caller that is asking the service holds the lock, and may get the old answer.
        if let Ok(mut latest) = timeout_at(attempts.deadline(), known.family_limits.lock()).await {
            *latest = None;
        }
    }
}

pub(crate) async fn delete_table(instance: &Instance, table: &TableName) -> Result<()> {
    let mut attempts = instance.admin_attempts("delete table", Some(table));
    let made = async {
        let path = instance.table_path(table)?;
        let request = DeleteTableRequest { name: path.clone() };
        let parameter = ("name", &*path);
        instance
            .admin_call::<Empty>(
                method::DELETE_TABLE,
                parameter,
                request,
                Idempotency::Never,
                &mut attempts,
            )
            .await
    };
    let made = made.await;
    forget_regions(instance, table, None);
    forget_kept(instance, table, &attempts).await;
    attempts.end(made.map(drop).map_err(|error| error.on_table(table)))
}

/// Deletes all rows of a table.
pub(crate) async fn truncate_table(instance: &Instance, table: &TableName) -> Result<()> {
    drop_target(instance, "truncate table", table, DropTarget::DeleteAllDataFromTable(true)).await
}

/// Deletes the rows whose keys begin with `prefix`.
pub(crate) async fn drop_rows(instance: &Instance, table: &TableName, prefix: &[u8]) -> Result<()> {
    if prefix.is_empty() {
        let text = "the prefix of the rows to drop is empty, which is every row; truncate the table instead";
        return Err(Error::invalid(text).with_operation_if_unset("drop rows").on_table(table));
    }
    let target = DropTarget::RowKeyPrefix(Bytes::copy_from_slice(prefix));
    drop_target(instance, "drop rows", table, target).await
}

async fn drop_target(
    instance: &Instance,
    operation: &'static str,
    table: &TableName,
    target: DropTarget,
) -> Result<()> {
    let mut attempts = instance.admin_attempts(operation, Some(table));
    let made = async {
        let path = instance.table_path(table)?;
        let request = DropRowRangeRequest { name: path.clone(), target: Some(target) };
        let parameter = ("name", &*path);
        // The call is not repeatable: a second attempt would also drop rows that were written after
        // the first.
        instance
            .admin_call::<Empty>(
                method::DROP_ROW_RANGE,
                parameter,
                request,
                Idempotency::Never,
                &mut attempts,
            )
            .await
    };
    let made = made.await;
    attempts.end(made.map(drop).map_err(|error| error.on_table(table)))
}

pub(crate) async fn list_tables(instance: &Instance) -> Result<Vec<TableName>> {
    let mut attempts = instance.admin_attempts("list tables", None);
    let listed = async {
        let parent = instance.endpoint.instance_name();
        let tables = all_pages(
            instance,
            method::LIST_TABLES,
            &parent,
            |page_token| ListTablesRequest {
                parent: parent.clone(),
                view: View::NameOnly as i32,
                page_token,
                page_size: 0,
            },
            |page: ListTablesResponse| (page.tables, page.next_page_token),
            &mut attempts,
        );
        let name_of = |table: &Table| {
            let id = table.name.rsplit('/').next().unwrap_or_default();
            id.parse::<TableName>()
        };
        let mut names = tables.await?.iter().map(name_of).collect::<Result<Vec<_>, _>>()?;
        names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        Ok(names)
    };
    let listed = listed.await;
    attempts.end(listed)
}

pub(crate) async fn table_exists(instance: &Instance, table: &TableName) -> Result<bool> {
    let mut attempts = instance.admin_attempts("table exists", Some(table));
    let found = async {
        instance.get_table(instance.table_path(table)?, View::NameOnly, &mut attempts).await
    };
    let found = match found.await {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::TableNotFound => Ok(false),
        Err(error) => Err(error.on_table(table)),
    };
    attempts.end(found)
}

pub(crate) async fn describe(
    instance: &Instance,
    operation: &'static str,
    table: &TableName,
) -> Result<TableDescriptor> {
    let mut attempts = instance.admin_attempts(operation, Some(table));
    let found = async {
        let path = instance.table_path(table)?;
        let found = instance.get_table(path, View::SchemaView, &mut attempts).await?;
        schema::table_descriptor(table, &found)
    };
    let found = found.await;
    attempts.end(found.map_err(|error| error.on_table(table)))
}

/// Applies the steps of a schema difference: the change of the change stream first, and then either
/// all changes of families or none. Fails if the table was altered after the difference was made.
pub(crate) async fn alter(instance: &Arc<Instance>, diff: &SchemaDiff) -> Result<()> {
    let table = diff.live.name();
    let mut attempts = instance.admin_attempts("alter", Some(table));
    let made = async {
        let path = instance.table_path(table)?;
        let found = instance.get_table(path.clone(), View::SchemaView, &mut attempts).await?;
        let live = schema::table_descriptor(table, &found)?;
        if live != diff.live {
            let text = format!(
                "it was altered since the difference was made: it was ({}) and is ({live}); make a new difference",
                diff.live
            );
            return Err(Error::new(ErrorKind::SchemaDrift, text));
        }
        let modifications = schema::modifications(diff)?;
        if let Some(change_stream_config) = schema::change_of_stream(diff) {
            let new = Table { name: path.clone(), change_stream_config, ..Table::default() };
            let update = TableUpdate {
                new,
                field: "change_stream_config",
                ignore_warnings: false,
                idempotency: Idempotency::Write,
            };
            update.make(instance, &mut attempts).await?;
        }
        if modifications.is_empty() {
            return Ok(());
        }
        let request = ModifyColumnFamiliesRequest {
            name: path.clone(),
            modifications,
            ignore_warnings: false,
        };
        let parameter = ("name", &*path);
        let made: Result<Table> = instance
            .admin_call(
                method::MODIFY_COLUMN_FAMILIES,
                parameter,
                request,
                Idempotency::Never,
                &mut attempts,
            )
            .await;
        made.map(drop)
    };
    let made = made.await;
    forget_kept(instance, table, &attempts).await;
    attempts.end(made.map_err(|error| error.with_operation("alter").on_table(table)))
}

/// Waits until all clusters of the instance have the writes to a table that were made before this
/// call.
pub(crate) async fn wait_for_replication(instance: &Instance, table: &TableName) -> Result<()> {
    let mut attempts = instance.admin_attempts("wait for replication", Some(table));
    let waited = async {
        let path = instance.table_path(table)?;
        let parameter = ("name", &*path);
        let request = GenerateConsistencyTokenRequest { name: path.clone() };
        let token: GenerateConsistencyTokenResponse = instance
            .admin_call(
                method::GENERATE_CONSISTENCY_TOKEN,
                parameter,
                request,
                Idempotency::Read,
                &mut attempts,
            )
            .await?;
        let request = CheckConsistencyRequest {
            name: path.clone(),
            consistency_token: token.consistency_token,
        };
        loop {
            let answer: CheckConsistencyResponse = instance
                .admin_call(
                    method::CHECK_CONSISTENCY,
                    parameter,
                    request.clone(),
                    Idempotency::Read,
                    &mut attempts,
                )
                .await?;
            if answer.consistent {
                return Ok(());
            }
            if attempts.deadline() <= tokio::time::Instant::now() + CONSISTENCY_PAUSE {
                let text = "not all clusters of the instance have what was written; wait longer";
                return Err(Error::new(ErrorKind::Timeout, text));
            }
            tokio::time::sleep(CONSISTENCY_PAUSE).await;
        }
    };
    let waited = waited.await;
    attempts.end(waited.map_err(|error| error.on_table(table)))
}
