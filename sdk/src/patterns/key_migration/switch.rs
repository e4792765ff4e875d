//! Switches reads, and later writes, from the old table to the new one.

use std::sync::PoisonError;

use super::handle::KeyMigration;
use super::phase::Phase;
use super::state::Part;
use super::table_pair::KeyMigrationInner;
use crate::{Error, Result};

impl KeyMigration {
    /// Switches reads to the new table: from now on, the phase that [`phase`](KeyMigration::phase)
    /// returns says that reads use the new table. Writes still go to both tables, so the switch can
    /// be undone.
    ///
    /// See [`KeyMigration`] for an example.
    ///
    /// # Errors
    /// The errors of [`phase`](KeyMigration::phase) and of [`RawTable::put`](crate::RawTable::put);
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless all rows were copied and the
    /// last comparison of the whole tables after that found no difference.
    pub async fn switch_reads(&self) -> Result<()> {
        let switch = async {
            if self.0.state.read(Part::Verified).await?.as_deref() != Some("equal") {
                let text = "the tables have not been found equal: run the backfill to its end, then verify";
                return Err(Error::invalid(text));
            }
            self.0.enter(Phase::ReadNew, &[Phase::WriteBoth, Phase::ReadNew]).await
        };
        switch.await.map_err(|error: Error| error.with_operation("switch reads"))
    }

    /// Undoes [`switch_reads`](KeyMigration::switch_reads): readers use the old table again.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new", "state"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
    /// # let state = KeyMigrationState::table(client.raw_table("state")?, "orders", "d");
    /// let rekey = KeyMigration::builder(
    ///     &client,
    ///     client.raw_table("old")?,
    ///     client.raw_table("new")?,
    ///     keys,
    ///     state,
    /// );
    /// let rekey = rekey.open().await?;
    /// assert!(rekey.switch_reads().await.is_err(), "nothing was copied and compared");
    /// rekey.backfill().run().await?;
    /// rekey.verify().run().await?;
    /// rekey.switch_reads().await?;
    /// assert!(rekey.phase().await?.reads_new());
    /// rekey.switch_reads_back().await?;
    /// assert!(!rekey.phase().await?.reads_new());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`phase`](KeyMigration::phase) and of [`RawTable::put`](crate::RawTable::put);
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) once writes are switched.
    pub async fn switch_reads_back(&self) -> Result<()> {
        let entered = self.0.enter(Phase::WriteBoth, &[Phase::WriteBoth, Phase::ReadNew]).await;
        entered.map_err(|error| error.with_operation("switch reads back"))
    }

    /// Ends writes to the old table. New writes wait until no write to the old table can be under
    /// way in any process; this takes as long as the lease and the operation timeout together, 20 s
    /// by default. Then writes go to the new table only. This cannot be undone.
    ///
    /// See [`KeyMigration`] for an example. If the call is stopped, writes wait until this function
    /// is called again.
    ///
    /// # Errors
    /// The errors of [`phase`](KeyMigration::phase) and of [`RawTable::put`](crate::RawTable::put);
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless readers use the new table.
    pub async fn switch_writes(&self) -> Result<()> {
        let switch = async {
            let inner = &self.0;
            if inner.read_phase().await? == Phase::NewOnly {
                return Ok(());
            }
            inner.enter(Phase::Switching, &[Phase::ReadNew, Phase::Switching]).await?;
            inner.wait_for_writers().await;
            inner.enter(Phase::NewOnly, &[Phase::Switching]).await
        };
        switch.await.map_err(|error: Error| error.with_operation("switch writes"))
    }
}

impl KeyMigrationInner {
    async fn enter(&self, phase: Phase, from: &[Phase]) -> Result<()> {
        let now = self.read_phase().await?;
        if !from.contains(&now) {
            let text = format!("the phase is \"{now}\", from which \"{phase}\" cannot be entered");
            return Err(Error::invalid(text));
        }
        // Another process may enter a phase after this one has read it. If the reply to a change is
        // lost, the next attempt finds the new phase.
        if !self.state.replace(Part::Phase, &now.to_string(), phase.to_string()).await? {
            let other = self.read_phase().await?;
            if other != phase {
                let text = format!("another process has entered the phase \"{other}\" meanwhile");
                return Err(Error::invalid(text));
            }
        }
        *self.last_phase.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }
}
