//! Operations on the store files of a table: flushes and compactions.

use std::collections::BTreeMap;

use super::handle::HBaseAdmin;
use super::master::send_once;
use super::meta::enabled_region_rows;
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

/// Whether regions of a table are being compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactionState {
    /// `NONE`: none is.
    None,
    /// `MINOR`: some store files are merged into one.
    Minor,
    /// `MAJOR`: all store files of a family are merged into one, without deleted and expired cells.
    Major,
    /// `MAJOR_AND_MINOR`: both.
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
    /// Writes what a table has in memory to store files, and returns when that is done.
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
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is
    /// disabled; a flush that is not done by the deadline.
    pub async fn flush(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        const NAME: &str = "flush";
        let table = self.naming.resolve(table)?;
        // A missing or disabled table is reported here, as the Java client does: with one text for
        // all versions.
        enabled_region_rows(&self.cluster, NAME, &table).await?;
        let request =
            proto::FlushTableRequest { table_name: to_message(&table), ..Default::default() };
        match self.call::<FlushTable>(NAME, Some(&table), request).await {
            Err(error) if reaction::refusal(&error) == Some(Refusal::UnknownMethod) => {
                self.flush_by_signature(NAME, &table).await
            }
            other => other.map(drop),
        }
    }

    /// Flushes a table as masters before 2.6 do, which identify the procedure only by a signature
    /// and the table.
    async fn flush_by_signature(&self, called: &'static str, table: &TableName) -> Result<()> {
        const SIGNATURE: &str = "flush-table-proc";
        let procedure = proto::ProcedureDescription {
            signature: SIGNATURE.to_owned(),
            instance: Some(table.to_string()),
            ..Default::default()
        };
        let request = proto::ExecProcedureRequest { procedure: procedure.clone() };
        let poll = proto::IsProcedureDoneRequest { procedure: Some(procedure) };
        self.operation(called, Some(table))
            .call_or_poll::<ExecProcedure, IsProcedureDone>(request, poll, SIGNATURE)
            .await
    }

    /// Asks the servers to merge some store files of each family into fewer, as they choose (a
    /// minor compaction). Returns when they have begun;
    /// [`compaction_state`](HBaseAdmin::compaction_state) reports when they are done.
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

    /// Asks the servers to merge all store files of each family into one, without deleted and
    /// expired cells. Returns when they have begun;
    /// [`compaction_state`](HBaseAdmin::compaction_state) reports when they are done.
    ///
    /// What is in memory is not compacted; [`flush`](HBaseAdmin::flush) it first. See there for an
    /// example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is
    /// disabled; no answer by the deadline.
    pub async fn major_compact(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.compact_regions("major compact", &self.naming.resolve(table)?, true).await
    }

    async fn compact_regions(
        &self,
        called: &'static str,
        table: &TableName,
        major: bool,
    ) -> Result<()> {
        let request =
            |region| proto::CompactRegionRequest { region, major: Some(major), family: None };
        self.ask_regions::<CompactRegion>(called, table, request).await.map(drop)
    }

    /// Whether any region of the table is being compacted.
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

    /// Asks the server of each region of a table, and returns the answers in the order of the
    /// regions. If a region moved or split meanwhile, its successors are asked.
    async fn ask_regions<M: Method<Response: Clone>>(
        &self,
        operation: &'static str,
        table: &TableName,
        request: impl Fn(RegionSpecifier) -> M::Request + Send,
    ) -> Result<Vec<M::Response>> {
        let cluster = &*self.cluster;
        let timeout = cluster.config.admin_timeout;
        let mut attempts = cluster.attempts_on(operation, Some(table), timeout);
        // By the encoded name of the region.
        let mut answers: BTreeMap<String, M::Response> = BTreeMap::new();
        let all = async {
            loop {
                attempts.begin();
                let attempt = async {
                    let rows = enabled_region_rows(cluster, operation, table).await?;
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
                        let (server, name) = (location.server(), location.region());
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
