//! Operations on single regions: merged, assigned, unassigned, emptied.

use super::handle::HBaseAdmin;
use super::region::Region;
use crate::backend::hbase::nonce::nonce;
use crate::wire::{exception, proto};
use crate::{Error, Result};

impl HBaseAdmin {
    /// Merges adjacent regions of a table into one, and returns when it is open. The order does not matter.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["h", "p"]);
    /// # admin.create_table(&table).await?;
    /// let regions = hbase.regions("t").await?;
    /// hbase.merge_regions(&regions[..2]).await?;
    /// let regions = hbase.regions("t").await?;
    /// assert_eq!(regions.len(), 2);
    /// assert_eq!(regions[0].end_key(), b"p");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for fewer than two regions;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if they are not adjacent, of different tables, not open or not
    /// known, or if merges are switched off; a merge that is not done by the deadline
    /// ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn merge_regions(&self, regions: &[Region]) -> Result<()> {
        const NAME: &str = "merge regions";
        let [first, _, ..] = regions else {
            let text = format!("a merge is of two or more regions, not {}", regions.len());
            return Err(Error::invalid(text).during(NAME));
        };
        let table = first.table()?;
        let request = proto::MergeTableRegionsRequest {
            region: regions.iter().map(Region::encoded_specifier).collect(),
            forcible: Some(false),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let merged = self
            .start(NAME, "MergeTableRegions", Some(&table))
            .run(&self.cluster, &request, |r: &proto::MergeTableRegionsResponse| r.proc_id)
            .await;
        self.cluster.locator.cache().evict_table(&table);
        merged
    }

    /// Opens a closed region on a server that the master chooses, and returns when it is open.
    ///
    /// See [`unassign_region`](HBaseAdmin::unassign_region) for an example.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the region, or it is open already;
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if it is, perhaps by an attempt without an answer; no answer by
    /// the deadline.
    pub async fn assign_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::AssignRegionRequest { region: region.specifier() };
        let procedure = self.start("assign region", "AssignRegion", Some(&table));
        let done = procedure.request::<_, proto::Empty>(&self.cluster, &request).await;
        done.map(drop).map_err(perhaps_done)
    }

    /// Closes a region, which stays closed until [`assign_region`](HBaseAdmin::assign_region), and returns when it is
    /// closed. Reads and writes of its rows wait for it until their deadline.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let region = hbase.regions("t").await?.remove(0);
    /// let table = client.raw_table("t")?.with_timeout(Duration::from_millis(300));
    /// hbase.unassign_region(&region).await?;
    /// assert_eq!(table.get("r").await.unwrap_err().kind(), ErrorKind::Timeout);
    /// hbase.assign_region(&region).await?;
    /// assert_eq!(table.get("r").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the region, or it
    /// is closed already; [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if it is closed
    /// already, perhaps by an attempt without an answer; no answer by the deadline.
    pub async fn unassign_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::AssignRegionRequest { region: region.specifier() };
        let procedure = self.start("unassign region", "UnassignRegion", Some(&table));
        let done = procedure.request::<_, proto::Empty>(&self.cluster, &request).await;
        done.map(drop).map_err(perhaps_done)
    }

    /// Deletes all rows of a region, which keeps its keys. HBase 2.6 and later.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["m"]);
    /// # admin.create_table(&table).await?;
    /// let table = client.raw_table("t")?;
    /// table.put(Put::new("a").cell("d", "q", "v")).await?;
    /// table.put(Put::new("x").cell("d", "q", "v")).await?;
    /// hbase.truncate_region(&hbase.regions("t").await?[0]).await?;
    /// assert!(!table.exists("a").await?);
    /// assert!(table.exists("x").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::ErrorKind::Unsupported) before HBase 2.6; [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if
    /// the master does not know the region; a truncation that is not done by the deadline.
    pub async fn truncate_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::TruncateRegionRequest {
            region_info: region.info().clone(),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let done = self
            .start("truncate region", "TruncateRegion", Some(&table))
            .run(&self.cluster, &request, |r: &proto::ProcIdResponse| r.proc_id)
            .await;
        match done {
            Ok(()) => Ok(()),
            Err(error) => Err(self.or_unsupported(error, "2.6").await),
        }
    }
}

/// The calls have no nonce, so a state that refuses the second attempt may be the effect of the first.
fn perhaps_done(error: Error) -> Error {
    let refused = error.exception() == Some(exception::DO_NOT_RETRY_REGION);
    match refused && error.attempts() > 1 {
        true => {
            error.into_unknown("its state changed, perhaps by an attempt whose answer was lost")
        }
        false => error,
    }
}
