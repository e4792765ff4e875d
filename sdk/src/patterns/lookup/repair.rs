//! Repairs the faults that the check of a lookup table found.

use tokio::time::Instant;

use super::finding::Finding;
use super::handle::Lookup;
use super::mappings::{COUNTER_ROW, ID_FAMILY};
use crate::request::op::BatchResults;
use crate::{Error, Increment, Result};

/// What [`Lookup::repair`] did about a finding.
///
/// See [`Lookup::repair`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "a finding is repaired or not")]
pub enum RepairOutcome {
    /// The fault is no longer in the table.
    Repaired,
    /// The finding needs the decision of someone who knows which rows contain the id; nothing was
    /// changed.
    NeedsDecision,
}

impl Lookup {
    /// Repairs what [`fsck`](Lookup::fsck) found, one finding after the other, and returns what was
    /// done about each.
    ///
    /// The id of a name is never changed, and writers may continue. Do not pass findings of
    /// [`LeakedId`](Finding::LeakedId) ids if rows that contain these ids may exist: this crate never
    /// returns a leaked id to a caller, but after the repair the name of such an id can no longer
    /// be found.
    ///
    /// ```
    /// # use tallrow::{Client, Put, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// use tallrow::lookup::RepairOutcome;
    ///
    /// let hosts = Lookup::builder(table.clone(), "host").width(3).build()?;
    /// hosts.get_or_create("web01").await?;
    /// // Another program gave the id to a second name.
    /// table.put(Put::new("web02").cell("id", "host", [0, 0, 1])).await?;
    /// // A third one stopped before it wrote the id of its name.
    /// table.put(Put::new([0, 0, 2]).cell("name", "host", "web03")).await?;
    ///
    /// let findings = hosts.fsck().await?.findings;
    /// let texts: Vec<_> = findings.iter().map(|finding| finding.to_string()).collect();
    /// assert_eq!(
    ///     texts,
    ///     [
    ///         "the counter is 1, below the id 2; repair raises it",
    ///         "the id 2 has the name \"web03\", which has no id; repair gives it this one",
    ///         "the id 1 is of 2 names: \"web01\", \"web02\"; which one is right has to be decided, repair leaves them",
    ///     ]
    /// );
    /// let repairs = hosts.repair(&findings).await.into_result()?;
    /// assert_eq!(repairs, [RepairOutcome::Repaired, RepairOutcome::Repaired, RepairOutcome::NeedsDecision]);
    /// assert_eq!(hosts.find("web03").await?, Some(2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The errors are those of gets and checked puts; raising the counter may have an unknown
    /// outcome. This function may be called again after any of these errors.
    pub async fn repair(&self, findings: &[Finding]) -> BatchResults<RepairOutcome> {
        let mut repairs = Vec::with_capacity(findings.len());
        for finding in findings {
            repairs.push(self.repair_one(finding).await);
        }
        BatchResults::of_operation("repair", repairs)
    }

    async fn repair_one(&self, finding: &Finding) -> Result<RepairOutcome> {
        let mappings = &self.state.mappings;
        if self.state.read_only {
            let text = "the lookup is read-only";
            return Err(Error::invalid(text).on_table(mappings.table.name()));
        }
        let deadline = mappings.table.deadline();
        match finding {
            Finding::NameWithoutId { id, name } | Finding::LeakedId { id, name, .. } => {
                self.give_id_to_name(*id, name, deadline).await
            }
            Finding::IdWithoutName { name, id } => {
                let found = mappings.add_name_of_id(*id, name, deadline).await?;
                Ok(if found == *name {
                    RepairOutcome::Repaired
                } else {
                    RepairOutcome::NeedsDecision
                })
            }
            Finding::LowCounter { largest, .. } => self.raise_counter(*largest).await,
            Finding::SharedId { .. } | Finding::WrongWidth { .. } => {
                Ok(RepairOutcome::NeedsDecision)
            }
        }
    }

    /// Gives the id to its name, or deletes the name of the id if the name has another id by now.
    async fn give_id_to_name(
        &self,
        id: u64,
        name: &[u8],
        deadline: Instant,
    ) -> Result<RepairOutcome> {
        let mappings = &self.state.mappings;
        let Ok(name) = mappings.check_name(name) else { return Ok(RepairOutcome::NeedsDecision) };
        if mappings.add_id_of_name(&name, id, deadline).await? != id {
            self.state.cache.remove_name(id);
            mappings.delete_name_of_id(id, &name, deadline).await?;
        }
        Ok(RepairOutcome::Repaired)
    }

    async fn raise_counter(&self, largest: u64) -> Result<RepairOutcome> {
        let mappings = &self.state.mappings;
        let missing = i64::try_from(largest).ok().map(|largest| (largest, mappings.read_counter()));
        let Some((largest, counter)) = missing else { return Ok(RepairOutcome::NeedsDecision) };
        let missing = largest.saturating_sub(counter.await?);
        if missing > 0 {
            // Others may raise the counter concurrently; then some ids are skipped.
            let raise = Increment::new(COUNTER_ROW).add(ID_FAMILY, &mappings.kind, missing);
            mappings.table.increment(raise).await?;
        }
        Ok(RepairOutcome::Repaired)
    }
}
