//! Operations on the store files of a table: flushes and compactions.

use std::collections::BTreeMap;

use prost::Message;
use tokio::time::timeout_at;

use super::handle::HBaseAdmin;
use super::master::is_unknown_method;
use super::meta::enabled_region_rows;
use super::regions::Region;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::nonce::nonce;
use crate::backend::hbase::retry::{Attempts, RetryDecision, Wait, classify};
use crate::backend::hbase::rpc::{Call, Service, region_specifier};
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
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is disabled; a flush
    /// that is not done by the deadline.
    pub async fn flush(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        const NAME: &str = "flush";
        let table = self.naming.resolve(table)?;
        // A missing or disabled table is reported here, as the Java client does: with one text for all versions.
        enabled_region_rows(&self.cluster, NAME, &table).await?;
        let request = proto::FlushTableRequest {
            table_name: to_message(&table),
            column_family: Vec::new(),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let procedure = self.start(NAME, "FlushTable", Some(&table));
        let flushed =
            procedure.run(&self.cluster, &request, |r: &proto::FlushTableResponse| r.proc_id).await;
        match flushed {
            Err(error) if is_unknown_method(&error) => {
                let procedure = self.start(NAME, "ExecProcedure", Some(&table));
                procedure.run_signed(&self.cluster, "flush-table-proc", &table).await
            }
            other => other,
        }
    }

    /// Asks the servers to merge some store files of each family into fewer, as they choose (a minor compaction). Returns
    /// when they have begun; [`compaction_state`](HBaseAdmin::compaction_state) reports when they are done.
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

    /// Asks the servers to merge all store files of each family into one, without deleted and expired cells. Returns
    /// when they have begun; [`compaction_state`](HBaseAdmin::compaction_state) reports when they are done.
    ///
    /// What is in memory is not compacted; [`flush`](HBaseAdmin::flush) it first. See there for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is disabled; no answer
    /// by the deadline.
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
        self.ask_regions::<_, proto::CompactRegionResponse>(called, table, "CompactRegion", request)
            .await
            .map(drop)
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
        let answers: Vec<proto::GetRegionInfoResponse> = self
            .ask_regions("compaction state", &self.naming.resolve(table)?, "GetRegionInfo", request)
            .await?;
        let (mut minor, mut major) = (false, false);
        for answer in answers {
            use proto::CompactionState::{Major, MajorAndMinor, Minor};
            let state = answer.compaction_state();
            minor |= matches!(state, Minor | MajorAndMinor);
            major |= matches!(state, Major | MajorAndMinor);
        }
        Ok(CompactionState::new(minor, major))
    }

    /// Asks the server of each region of a table, and returns the answers in the order of the regions. If a region
    /// moved or split meanwhile, its successors are asked.
    async fn ask_regions<P: Message, R: Message + Default + Clone>(
        &self,
        operation: &'static str,
        table: &TableName,
        method: &'static str,
        param: impl Fn(RegionSpecifier) -> P,
    ) -> Result<Vec<R>> {
        let config = &self.cluster.config;
        let mut attempts = self.cluster.attempts_on(operation, Some(table), config.admin_timeout);
        let answers = self.ask_each(operation, table, method, param, &mut attempts).await;
        attempts.end(answers.map_err(|e| e.on_table(table)))
    }

    async fn ask_each<P: Message, R: Message + Default + Clone>(
        &self,
        operation: &'static str,
        table: &TableName,
        method: &'static str,
        param: impl Fn(RegionSpecifier) -> P,
        attempts: &mut Attempts,
    ) -> Result<Vec<R>> {
        let config = &self.cluster.config;
        let mut answers: BTreeMap<String, R> = BTreeMap::new();
        loop {
            attempts.begin();
            let regions = enabled_region_rows(&self.cluster, operation, table).await?;
            let regions: Vec<_> = regions.into_iter().map(Region::new).collect();
            let mut failed = None;
            for region in &regions {
                if answers.contains_key(&region.encoded_name()) {
                    continue;
                }
                let Some(location) = Location::from_row(region.row()) else {
                    let text = format!("region {region:?} is not open on any server");
                    failed = Some((Error::new(ErrorKind::Timeout, text), Wait::Backoff));
                    continue;
                };
                let call = Call {
                    method,
                    param: &param(region_specifier(&location.region())),
                    high_priority: false,
                    timeout: attempts.left(config.attempt_timeout),
                };
                attempts.sent_to(location.server());
                let answer = self.cluster.servers.call(location.server(), Service::Admin, call);
                match timeout_at(attempts.deadline(), attempts.traced(answer)).await {
                    Ok(Ok((answer, _))) => {
                        answers.insert(region.encoded_name(), answer);
                    }
                    Ok(Err(error)) => match classify(error, location.server()) {
                        RetryDecision::Fail(error) => return Err(error),
                        RetryDecision::Again(error, wait, _) => failed = Some((error, wait)),
                    },
                    Err(_) => return Err(attempts.late(location.server(), method)),
                }
            }
            match failed {
                None => {
                    let answer = |r: &Region| answers.get(&r.encoded_name()).cloned();
                    return Ok(regions.iter().filter_map(answer).collect());
                }
                Some((error, wait)) => attempts.again(error, wait).await?,
            }
        }
    }
}
