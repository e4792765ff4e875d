//! Operations of the service that take longer than a call: how they are polled, awaited, cancelled
//! and found again.
//!
//! # Invariants
//!
//! - Waiting for an operation outlives failures of the polls, and ends by its deadline. Tests:
//!   `sdk/src/backend/bigtable/tests/backups.rs::a_wait_outlives_polls_that_fail`,
//!   `sdk/src/backend/bigtable/tests/backups.rs::a_wait_ends_by_its_deadline_and_says_how_to_go_on`.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use prost::Message;
use tokio::time::{Instant, sleep};

use super::authorized_view::AuthorizedViewDescriptor;
use super::backup::{Backup, time_of_message};
use super::schema_bundle::SchemaBundle;
use crate::backend::bigtable::Instance;
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::backend::bigtable::failure::Failure;
use crate::backend::repeat::Idempotency;
use crate::runtime::deadline::after;
use crate::wire::bigtable::{
    self as wire, Any, AuthorizedView, CancelOperationRequest, ChangeMetadata, CopyBackupMetadata,
    CreateAuthorizedViewMetadata, CreateBackupMetadata, Empty, GetOperationRequest,
    OptimizeRestoredTableMetadata, RestoreTableMetadata, Table, Timestamp,
    UpdateAuthorizedViewMetadata, method, type_url,
};
use crate::{Error, ErrorKind, Result, TableName};

/// The first pause between two polls; each is half as long again as the one before it.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause between two polls.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The time before the deadline in which no further poll is made.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);

/// An operation of the service that takes longer than a call: a backup, a copy of one, a restored
/// table. It goes on whether anyone waits for it or not, and is found again by its name, also by
/// another program: [`BigtableAdmin::operation`](super::BigtableAdmin::operation).
///
/// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
#[derive(Clone)]
pub struct LongRunningOperation<T> {
    instance: Arc<Instance>,
    name: String,
    /// What the service said when the operation began.
    begun: Option<wire::Operation>,
    result: PhantomData<fn() -> T>,
}

/// What the result of an operation can be: a [`Backup`], a table by its [`TableName`], an
/// [`AuthorizedViewDescriptor`], a [`SchemaBundle`], or nothing, as of the operation that
/// [`OperationProgress::optimization`] names.
pub trait OperationResult: sealed::OfResponse {}

mod sealed {
    use crate::Result;
    use crate::wire::bigtable::Any;

    /// Results that can be read from the response of an operation.
    pub trait OfResponse: Sized {
        /// The type of the response, without its package.
        const NAME: &'static str;

        /// Reads a response, where `own` is the instance of the client; `None` if it is of another
        /// type.
        fn of_response(response: &Any, own: &str) -> Option<Result<Self>>;
    }
}

impl OperationResult for AuthorizedViewDescriptor {}
impl OperationResult for Backup {}
impl OperationResult for SchemaBundle {}
impl OperationResult for TableName {}
impl OperationResult for () {}

impl sealed::OfResponse for Backup {
    const NAME: &'static str = "Backup";

    fn of_response(response: &Any, own: &str) -> Option<Result<Self>> {
        let message = decoded::<wire::Backup>(response, type_url::BACKUP)?;
        Some(message.and_then(|message| Self::of_message(&message, own)))
    }
}

impl sealed::OfResponse for AuthorizedViewDescriptor {
    const NAME: &'static str = "AuthorizedView";

    fn of_response(response: &Any, _: &str) -> Option<Result<Self>> {
        let message = decoded::<AuthorizedView>(response, type_url::AUTHORIZED_VIEW)?;
        Some(message.and_then(|message| Self::of_message(&message)))
    }
}

impl sealed::OfResponse for SchemaBundle {
    const NAME: &'static str = "SchemaBundle";

    fn of_response(response: &Any, _: &str) -> Option<Result<Self>> {
        let message = decoded::<wire::SchemaBundle>(response, type_url::SCHEMA_BUNDLE)?;
        Some(message.and_then(Self::of_message))
    }
}

impl sealed::OfResponse for TableName {
    const NAME: &'static str = "Table";

    fn of_response(response: &Any, _: &str) -> Option<Result<Self>> {
        let message = decoded::<Table>(response, type_url::TABLE)?;
        Some(message.and_then(|table| table.name.rsplit('/').next().unwrap_or_default().parse()))
    }
}

impl sealed::OfResponse for () {
    const NAME: &'static str = "Empty";

    fn of_response(response: &Any, _: &str) -> Option<Result<Self>> {
        Some(decoded::<Empty>(response, type_url::EMPTY)?.map(drop))
    }
}

/// Decodes a message of this type; `None` if it is of another type.
fn decoded<M: Message + Default>(any: &Any, url: &str) -> Option<Result<M>> {
    (any.type_url == url).then(|| M::decode(any.value.clone()).map_err(invalid_answer_error))
}

/// How far an operation has got.
///
/// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationProgress {
    /// The part of the work that is done, in percent. The service says it of copies and of restored
    /// tables, and not of new backups.
    pub percent: Option<u8>,
    /// When the operation began.
    pub started_at: Option<SystemTime>,
    /// When the operation was done, or failed.
    pub ended_at: Option<SystemTime>,
    /// The name of an operation that follows a restored table, and after which the table is as fast
    /// as others; its result is `()`.
    pub optimization: Option<String>,
}

/// How far an operation has got, and its result if it is done.
///
/// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationStatus<T> {
    /// How far the operation has got.
    pub progress: OperationProgress,
    /// The result; `None` if the operation is not done.
    pub result: Option<T>,
}

impl<T: OperationResult> LongRunningOperation<T> {
    /// Returns the operation with this name.
    pub(super) fn named(instance: Arc<Instance>, name: String) -> Self {
        Self { instance, name, begun: None, result: PhantomData }
    }

    /// Returns the operation that has begun with this answer.
    pub(super) fn begun(instance: Arc<Instance>, begun: wire::Operation) -> Self {
        Self { instance, name: begun.name.clone(), begun: Some(begun), result: PhantomData }
    }

    /// The name, by which the operation is found again:
    /// [`BigtableAdmin::operation`](super::BigtableAdmin::operation).
    ///
    /// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks once how far the operation has got (`GetOperation`).
    ///
    /// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
    ///
    /// # Errors
    /// If the operation has failed, its error, as [`wait`](Self::wait) returns it.
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the service has no operation of this name,
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if its result is not a `T`. Also the errors
    /// that every operation can return.
    pub async fn poll(&self) -> Result<OperationStatus<T>> {
        let answer = self.ask(self.instance.config.operation_timeout).await?;
        self.status(&answer)
    }

    /// Waits until the operation is done, and returns its result. It is polled after a quarter of a
    /// second, then more and more rarely, at least every 10 seconds. Polls that fail are repeated
    /// until `at_most` has passed.
    ///
    /// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
    ///
    /// # Errors
    /// [`Timeout`](ErrorKind::Timeout) if the operation is not done after `at_most`; it goes on,
    /// and can be waited for again. If the operation has failed, the error of the service: of the
    /// kinds that calls have, and [`DoNotRetry`](ErrorKind::DoNotRetry) if it was cancelled. Also
    /// the errors of [`poll`](Self::poll).
    pub async fn wait(&self, at_most: Duration) -> Result<T> {
        self.wait_with_progress(at_most, |_| ()).await
    }

    /// Waits at most until a deadline.
    pub(super) async fn wait_until(&self, deadline: Instant) -> Result<T> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.wait(left.max(Duration::from_millis(1))).await
    }

    /// Like [`wait`](Self::wait), and calls `report` with the progress after each poll.
    ///
    /// See [`BigtableAdmin::restore_table`](super::BigtableAdmin::restore_table) for an example.
    ///
    /// # Errors
    /// The errors of [`wait`](Self::wait).
    pub async fn wait_with_progress(
        &self,
        at_most: Duration,
        mut report: impl FnMut(&OperationProgress) + Send,
    ) -> Result<T> {
        let deadline = after(at_most);
        let mut pause = FIRST_PAUSE;
        let mut known = OperationProgress::default();
        let mut latest = self.begun.clone().map(Ok);
        loop {
            let answer = match latest.take() {
                Some(answer) => answer,
                None => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.ask(left.min(self.instance.config.operation_timeout)).await
                }
            };
            let failure = match answer {
                Ok(answer) => {
                    known = progress(&answer);
                    report(&known);
                    if let Some(result) = self.status(&answer)?.result {
                        return Ok(result);
                    }
                    None
                }
                Err(error) if error.kind().is_safe_to_retry() => Some(error),
                Err(error) => return Err(error),
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left <= SHORTEST_PAUSE {
                return Err(failure.unwrap_or_else(|| self.unfinished(&known, at_most)));
            }
            // As the deadline comes near, the pauses become shorter, so that it is used.
            sleep(pause.min(left / 2)).await;
            pause = (pause + pause / 2).min(LONGEST_PAUSE);
        }
    }

    /// Asks the service to end the operation (`CancelOperation`). The service does not promise to:
    /// an operation that is nearly done may be completed. Otherwise it fails with
    /// [`DoNotRetry`](ErrorKind::DoNotRetry), and what it has made is deleted.
    ///
    /// ```
    /// # use std::time::{Duration, SystemTime};
    /// # use tallrow::admin::{BackupDescriptor, BackupName};
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # client.admin().create_table(&books).await?;
    /// # mock.set_operation_polls(2);
    /// # let bigtable = client.admin().bigtable()?;
    /// # let weekly = BackupName::new("shop-eu", "weekly");
    /// # let in_a_week = SystemTime::now() + Duration::from_secs(7 * 86_400);
    /// # let description = BackupDescriptor::new(weekly.clone(), in_a_week);
    /// let operation = bigtable.create_backup("books", &description).await?;
    /// operation.cancel().await?;
    /// let error = operation.wait(Duration::from_secs(10)).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::DoNotRetry);
    /// assert_eq!(bigtable.backup(&weekly).await.unwrap_err().kind(), ErrorKind::BackupNotFound);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the service has no operation of this name. Also the
    /// errors that every operation can return.
    pub async fn cancel(&self) -> Result<()> {
        let instance = &self.instance;
        let timeout = instance.config.operation_timeout;
        let mut attempts = instance.attempts_on("cancel operation", None, timeout);
        let request = CancelOperationRequest { name: self.name.clone() };
        let parameter = ("name", &*self.name);
        // A second request changes nothing more.
        let done: Result<Empty> = instance
            .admin_call(
                method::CANCEL_OPERATION,
                parameter,
                request,
                Idempotency::Write,
                &mut attempts,
            )
            .await;
        attempts.end(done.map(drop).map_err(|error| self.explained(error)))
    }

    /// Asks how far the operation has got.
    async fn ask(&self, within: Duration) -> Result<wire::Operation> {
        let mut attempts = self.instance.attempts_on("poll operation", None, within);
        let request = GetOperationRequest { name: self.name.clone() };
        let parameter = ("name", &*self.name);
        let answer = self
            .instance
            .admin_call(method::GET_OPERATION, parameter, request, Idempotency::Read, &mut attempts)
            .await;
        attempts.end(answer.map_err(|error| self.explained(error)))
    }

    /// Says of an operation that the service does not have what that means.
    fn explained(&self, error: Error) -> Error {
        match error.exception() {
            Some("NOT_FOUND") => {
                let text = format!(
                    "the service has no operation {:?}; it keeps operations for some time only: look for what the \
                     operation was to make",
                    self.name
                );
                error.into_kind(ErrorKind::DoNotRetry, text)
            }
            _ => error,
        }
    }

    /// Reads an answer. An operation that has failed is an error.
    fn status(&self, answer: &wire::Operation) -> Result<OperationStatus<T>> {
        let progress = progress(answer);
        let result = match &answer.result {
            _ if !answer.done => None,
            Some(wire::OperationResult::Response(response)) => {
                let own = self.instance.endpoint.instance_name();
                let result = T::of_response(response, &own).ok_or_else(|| {
                    let found = response.type_url.rsplit(['.', '/']).next().unwrap_or_default();
                    let text = format!(
                        "the operation {:?} has the result {found:?}, and not {:?}: give its type to \
                         BigtableAdmin::operation",
                        self.name,
                        T::NAME
                    );
                    Error::invalid(text).with_operation_if_unset("poll operation")
                })?;
                Some(result?)
            }
            Some(wire::OperationResult::Error(status)) => return Err(self.failed(status)),
            None => {
                let text = format!("the operation {:?} is done and has no result", self.name);
                return Err(invalid_answer_error(text).with_operation_if_unset("poll operation"));
            }
        };
        Ok(OperationStatus { progress, result })
    }

    /// Returns the error of an operation that has failed.
    fn failed(&self, status: &wire::Status) -> Error {
        let failure = Failure::of_entry(status);
        let cause = failure.error(&self.instance.endpoint.admin);
        let text = match failure.code {
            tonic::Code::Cancelled => format!(
                "the operation {:?} was cancelled ({failure}), and what it had made is deleted",
                self.name
            ),
            _ => format!("the operation {:?} has failed: {failure}", self.name),
        };
        let kind = match failure.code {
            tonic::Code::Cancelled => ErrorKind::DoNotRetry,
            _ => cause.kind(),
        };
        let error = cause.into_kind(kind, text).with_exception(failure.code_name());
        error.with_operation_if_unset("wait for operation")
    }

    /// Returns the error of a wait that was not long enough.
    fn unfinished(&self, known: &OperationProgress, at_most: Duration) -> Error {
        let percent = known.percent.map(|percent| format!(", {percent} % of it are"));
        let text = format!(
            "the operation {:?} is not done after {:.1} s{}; it goes on: wait longer, or find it again by \
             BigtableAdmin::operation",
            self.name,
            at_most.as_secs_f64(),
            percent.unwrap_or_default()
        );
        Error::new(ErrorKind::Timeout, text)
            .with_operation_if_unset("wait for operation")
            .on_server(&self.instance.endpoint.admin)
    }
}

impl<T> fmt::Debug for LongRunningOperation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LongRunningOperation").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Reads the progress of an operation; what cannot be read is not known.
fn progress(answer: &wire::Operation) -> OperationProgress {
    let Some(any) = &answer.metadata else { return OperationProgress::default() };
    let of_times = |(started, ended): (Option<Timestamp>, Option<Timestamp>)| OperationProgress {
        started_at: started.and_then(time_of_message),
        ended_at: ended.and_then(time_of_message),
        ..OperationProgress::default()
    };
    let of_message = |message: Option<wire::OperationProgress>| {
        let message = message.unwrap_or_default();
        let percent = u8::try_from(message.progress_percent.clamp(0, 100)).ok();
        OperationProgress { percent, ..of_times((message.start_time, message.end_time)) }
    };
    fn read<M: Message + Default>(any: &Any) -> M {
        M::decode(any.value.clone()).unwrap_or_default()
    }
    match &*any.type_url {
        type_url::CREATE_BACKUP_METADATA => {
            let metadata: CreateBackupMetadata = read(any);
            of_times((metadata.start_time, metadata.end_time))
        }
        type_url::COPY_BACKUP_METADATA => of_message(read::<CopyBackupMetadata>(any).progress),
        type_url::RESTORE_TABLE_METADATA => {
            let metadata: RestoreTableMetadata = read(any);
            let next = metadata.optimize_table_operation_name;
            let optimization = (!next.is_empty()).then_some(next);
            OperationProgress { optimization, ..of_message(metadata.progress) }
        }
        type_url::OPTIMIZE_RESTORED_TABLE_METADATA => {
            of_message(read::<OptimizeRestoredTableMetadata>(any).progress)
        }
        type_url::UPDATE_TABLE_METADATA
        | type_url::UNDELETE_TABLE_METADATA
        | type_url::CREATE_SCHEMA_BUNDLE_METADATA
        | type_url::UPDATE_SCHEMA_BUNDLE_METADATA => {
            let metadata: ChangeMetadata = read(any);
            of_times((metadata.start_time, metadata.end_time))
        }
        type_url::CREATE_AUTHORIZED_VIEW_METADATA => {
            let metadata: CreateAuthorizedViewMetadata = read(any);
            of_times((metadata.request_time, metadata.finish_time))
        }
        type_url::UPDATE_AUTHORIZED_VIEW_METADATA => {
            let metadata: UpdateAuthorizedViewMetadata = read(any);
            of_times((metadata.request_time, metadata.finish_time))
        }
        _ => OperationProgress::default(),
    }
}
