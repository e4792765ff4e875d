//! Operations on the store files of a table: flushes and compactions.

use std::collections::BTreeMap;

use super::handle::HBaseAdmin;
use super::master::send_once;
use super::meta::region_rows_if_enabled;
use super::methods::{
    CompactRegion, ExecProcedure, FlushTable, GetRegionInfo, IsProcedureDone, Method,
};
use super::regions::Region;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::reaction::{self, Refusal};
use crate::backend::hbase::retry::{
    CacheInvalidation, RetryDecision, Wait, answer_or_pause, classify,
};
use crate::backend::hbase::rpc::region_specifier;
use crate::backend::hbase::table_name::to_message;
use crate::wire::proto::{self, RegionSpecifier};
use crate::{Error, ErrorKind, Result, TableName, TableRef};

/// The kinds of compactions that are running on the regions of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactionState {
    /// `NONE`: no region is compacted.
    None,
    /// `MINOR`: some store files are merged into one.
    Minor,
    /// `MAJOR`: all store files of a family are merged into one, without deleted and expired cells.
    Major,
    /// `MAJOR_AND_MINOR`: both kinds of compactions run.
    Both,
}

impl CompactionState {
    fn new(minor: bool, major: bool) -> Self {
        match (minor, major) {
            (false, false) => Self::None,
            (true, false) => Self::Minor,
            (false, true) => Self::Major,
            (true, true) => Self::Both,
        }
    }
}

impl HBaseAdmin {
    /// Writes the data that a table has in memory to store files, and returns when all of it is
    /// written.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, admin::CompactionState};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// hbase.flush("t").await?;
    /// hbase.major_compact("t").await?;
    /// while hbase.compaction_state("t").await? != CompactionState::None {
    ///     tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if the
    /// table is disabled. Also fails if the flush is not complete by the deadline.
    pub async fn flush(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        const NAME: &str = "flush";
        let table = self.naming.resolve(table)?;
        // As in the Java client, a missing or disabled table is reported here, with the same text
        // for all versions of HBase.
        region_rows_if_enabled(&self.cluster, NAME, &table).await?;
        let request =
            proto::FlushTableRequest { table_name: to_message(&table), ..Default::default() };
        match self.call::<FlushTable>(NAME, Some(&table), request).await {
            Err(error) if reaction::refusal(&error) == Some(Refusal::UnknownMethod) => {
                self.flush_by_signature(NAME, &table).await
            }
            other => other.map(drop),
        }
    }

    /// Flushes a table with the requests of masters before 2.6, which identify the procedure only
    /// by a signature and the table.
    async fn flush_by_signature(
        &self,
        operation_name: &'static str,
        table: &TableName,
    ) -> Result<()> {
        const SIGNATURE: &str = "flush-table-proc";
        let procedure = proto::ProcedureDescription {
            signature: SIGNATURE.to_owned(),
            instance: Some(table.to_string()),
            ..Default::default()
        };
        let request = proto::ExecProcedureRequest { procedure: procedure.clone() };
        let poll = proto::IsProcedureDoneRequest { procedure: Some(procedure) };
        self.operation(operation_name, Some(table))
            .call_then_wait_or_poll::<ExecProcedure, IsProcedureDone>(request, poll, SIGNATURE)
            .await
    }

    /// Asks the servers to start a minor compaction: to merge some store files of each family,
    /// which the servers choose, into fewer files. Returns when the compaction was requested
    /// of every region, not when it is done;
    /// [`compaction_state`](HBaseAdmin::compaction_state) reports whether it is still running.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, admin::CompactionState};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let hbase = client.admin().hbase()?;
    /// hbase.compact("t").await?;
    /// assert_eq!(hbase.compaction_state("t").await?, CompactionState::None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`major_compact`](HBaseAdmin::major_compact).
    pub async fn compact(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.compact_regions("compact", &self.naming.resolve(table)?, false).await
    }

    /// Asks the servers to start a major compaction: to merge all store files of each family into
    /// one file, without deleted and expired cells. Returns when the compaction was requested
    /// of every region, not when it is done;
    /// [`compaction_state`](HBaseAdmin::compaction_state) reports whether it is still running.
    ///
    /// Data in memory is not compacted, so flush the table first; see [`flush`](HBaseAdmin::flush)
    /// for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if the
    /// table is disabled. Also fails if a server does not answer by the deadline.
    pub async fn major_compact(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.compact_regions("major compact", &self.naming.resolve(table)?, true).await
    }

    async fn compact_regions(
        &self,
        operation_name: &'static str,
        table: &TableName,
        major: bool,
    ) -> Result<()> {
        let request =
            |region| proto::CompactRegionRequest { region, major: Some(major), family: None };
        self.ask_regions::<CompactRegion>(operation_name, table, request).await.map(drop)
    }

    /// Returns which kinds of compactions are running on the regions of a table.
    ///
    /// See [`flush`](HBaseAdmin::flush) for an example.
    ///
    /// # Errors
    /// The errors of [`major_compact`](HBaseAdmin::major_compact).
    pub async fn compaction_state(
        &self,
        table: impl Into<TableRef<'_>>,
    ) -> Result<CompactionState> {
        let request = |region| proto::GetRegionInfoRequest {
            region,
            compaction_state: Some(true),
            best_split_row: None,
        };
        let table = self.naming.resolve(table)?;
        let answers =
            self.ask_regions::<GetRegionInfo>("compaction state", &table, request).await?;
        let (mut minor, mut major) = (false, false);
        for answer in answers {
            use proto::CompactionState::{Major, MajorAndMinor, Minor};
            let state = answer.compaction_state();
            minor |= matches!(state, Minor | MajorAndMinor);
            major |= matches!(state, Major | MajorAndMinor);
        }
        Ok(CompactionState::new(minor, major))
    }

    /// Calls a method of the server of each region of a table, and returns the answers in the order
    /// of the regions. If a region was moved or split in the meantime, the method is called for the
    /// regions that replaced it.
    async fn ask_regions<M: Method<Response: Clone>>(
        &self,
        operation: &'static str,
        table: &TableName,
        request: impl Fn(RegionSpecifier) -> M::Request + Send,
    ) -> Result<Vec<M::Response>> {
        let cluster = &*self.cluster;
        let timeout = cluster.config.admin_timeout;
        let mut attempts = cluster.attempts_on(operation, Some(table), timeout);
        // The key is the encoded name of the region.
        let mut answers: BTreeMap<String, M::Response> = BTreeMap::new();
        let all = async {
            loop {
                attempts.begin_attempt();
                let attempt = async {
                    let rows = region_rows_if_enabled(cluster, operation, table).await?;
                    let regions: Vec<_> = rows.into_iter().map(Region::new).collect();
                    let mut failed = None;
                    for region in &regions {
                        if answers.contains_key(&region.encoded_name()) {
                            continue;
                        }
                        let Some(location) = Location::from_row(region.row()) else {
                            let text = format!("region {region:?} is not open on any server");
                            let error = Error::new(ErrorKind::Timeout, text);
                            let stale = CacheInvalidation::Nothing;
                            failed = Some(RetryDecision::Again(error, Wait::Backoff, stale));
                            continue;
                        };
                        let (server, name) = (location.server_address(), location.name_bytes());
                        let request = request(region_specifier(&name));
                        match send_once::<M>(cluster, server, &request, &mut attempts).await? {
                            Ok(answer) => {
                                answers.insert(region.encoded_name(), answer);
                            }
                            Err(error) => match classify(error, server).in_region(&name) {
                                RetryDecision::Fail(error) => return Err(error.into()),
                                again => failed = Some(again),
                            },
                        }
                    }
                    let answer = |region: &Region| answers.get(&region.encoded_name()).cloned();
                    failed.map_or_else(|| Ok(regions.iter().filter_map(answer).collect()), Err)
                };
                let attempt = attempt.await;
                if let Some(answers) = answer_or_pause(attempt, &mut attempts).await? {
                    return Ok(answers);
                }
            }
        };
        let all: Result<_> = all.await;
        attempts.end(all.map_err(|e| e.on_table(table)))
    }
}
