//! The back-fill of a key migration: its settings, and the run that copies the rows of the old
//! table.

use std::fmt;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::copying::Copying;
use super::handle::KeyMigration;
use super::progress::BackfillProgress;
use crate::runtime::lost_replies::unknown_to_unreachable;
use crate::{Error, Result};

/// A run that copies the rows of the old table to the new table, with all versions and their
/// timestamps.
///
/// Start it once all writers use [`KeyMigration::write`]. It may be stopped at any time, for
/// example by dropping its future; the next run continues after the last page that was copied. Run
/// it in one process: a second process that runs it concurrently does no harm, but repeats the
/// work.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # for table in ["old", "new", "state"] {
/// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
/// # }
/// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
/// # let state = KeyMigrationState::table(client.raw_table("state")?, "orders", "d");
/// # let rekey = KeyMigration::builder(&client, client.raw_table("old")?, client.raw_table("new")?, keys, state);
/// # let rekey = rekey.open().await?;
/// let (old, new) = (client.raw_table("old")?, client.raw_table("new")?);
/// old.put_all((0..100).map(|i| Put::new(format!("{i:02}")).cell("d", "q", "v")))
///     .await
///     .into_result()?;
///
/// let backfill = rekey.backfill().page_rows(30).concurrency(2).rows_per_second(50_000);
/// let done = backfill.on_progress(|progress| eprintln!("{progress}")).run().await?;
/// assert_eq!((done.rows, done.ranges_done), (100, 1));
/// assert!(new.exists("99").await?);
/// // There is nothing left to do.
/// assert_eq!(rekey.backfill().run().await?.rows_this_run, 0);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is copied until `run` is called"]
pub struct Backfill {
    migration: KeyMigration,
    page_rows: u64,
    concurrency: usize,
    rows_per_second: Option<u64>,
    on_progress: Option<Report>,
}

type Report = Box<dyn Fn(&BackfillProgress) + Send + Sync>;

impl KeyMigration {
    /// Returns a back-fill, which copies the rows of the old table when it is run.
    ///
    /// See [`Backfill`] for an example.
    pub fn backfill(&self) -> Backfill {
        let (page_rows, concurrency) = (500, 4);
        let migration = self.clone();
        Backfill { migration, page_rows, concurrency, rows_per_second: None, on_progress: None }
    }
}

impl Backfill {
    /// Sets the size of a page: how many rows are copied before the progress is written to the
    /// state; 500 by default. A page also ends when it reaches 4 MiB.
    ///
    /// See [`Backfill`] for an example of this and the other functions.
    pub fn page_rows(self, rows: u64) -> Self {
        Self { page_rows: rows, ..self }
    }

    /// Sets how many ranges are copied concurrently; 4 by default.
    pub fn concurrency(self, ranges: usize) -> Self {
        Self { concurrency: ranges, ..self }
    }

    /// Sets the maximum number of rows to copy per second; by default there is no limit.
    pub fn rows_per_second(self, rows: u64) -> Self {
        Self { rows_per_second: Some(rows), ..self }
    }

    /// Calls `report` after every page.
    pub fn on_progress(self, report: impl Fn(&BackfillProgress) + Send + Sync + 'static) -> Self {
        Self { on_progress: Some(Box::new(report)), ..self }
    }

    /// Copies the remaining rows, and returns when all rows are copied.
    ///
    /// # Errors
    /// The errors of scans and puts, after which the back-fill may be run again.
    /// [`Conflict`](crate::ErrorKind::Conflict) for a row whose new key belongs to another old row;
    /// the page with this row is not copied. [`InvalidArgument`](crate::ErrorKind::InvalidArgument)
    /// if the rows of a page, the concurrency or the rate is 0, or if writes already go to the new
    /// table only.
    pub async fn run(self) -> Result<BackfillProgress> {
        if self.page_rows == 0 || self.concurrency == 0 || self.rows_per_second == Some(0) {
            let error = Error::invalid("rows of a page, concurrency and rate must not be 0");
            return Err(error.with_operation("backfill"));
        }
        let run = async {
            let inner = &self.migration.0;
            let copying = Copying::new(inner, self.page_rows, self.rows_per_second).await?;
            let report = |progress: &BackfillProgress| {
                self.on_progress.iter().for_each(|report| report(progress));
            };
            stream::iter(0..copying.ranges)
                .map(|range| copying.copy_range(range, &report))
                .buffer_unordered(self.concurrency)
                .try_collect::<()>()
                .await?;
            Ok(copying.progress().await)
        };
        run.await.map_err(|error: Error| {
            unknown_to_unreachable(error)
                .with_operation("backfill")
                .on_table(self.migration.0.old.name())
        })
    }
}

impl fmt::Debug for Backfill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backfill").field("migration", &self.migration).finish_non_exhaustive()
    }
}
