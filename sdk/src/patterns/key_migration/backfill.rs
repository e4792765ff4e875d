//! The back-fill of a change of row keys: its settings, and the run that copies the rows of the old
//! table.

use std::fmt;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::copying::Copying;
use super::handle::KeyMigration;
use super::progress::BackfillProgress;
use crate::runtime::lost_replies::repeatable;
use crate::{Error, Result};

/// Copies the rows that are in the old table, with all versions and their times.
///
/// It is started when all writers use [`KeyMigration::write`]. It may be stopped at any time, also
/// by dropping its future, and continues where it was, to the page. One process runs it; a second
/// one does no harm, but repeats its work.
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
/// assert_eq!(rekey.backfill().run().await?.rows_now, 0);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is copied until `run` is called"]
pub struct Backfill {
    rekey: KeyMigration,
    page_rows: u64,
    concurrency: usize,
    rows_per_second: Option<u64>,
    on_progress: Option<Report>,
}

type Report = Box<dyn Fn(&BackfillProgress) + Send + Sync>;

impl KeyMigration {
    /// Copies the rows that are in the old table.
    ///
    /// See [`Backfill`] for an example.
    pub fn backfill(&self) -> Backfill {
        let (page_rows, concurrency) = (500, 4);
        let rekey = self.clone();
        Backfill { rekey, page_rows, concurrency, rows_per_second: None, on_progress: None }
    }
}

impl Backfill {
    /// How many rows to copy between two entries in the state: 500. A page also ends at 4 MiB.
    ///
    /// See [`Backfill`] for an example of this and the other functions.
    pub fn page_rows(self, rows: u64) -> Self {
        Self { page_rows: rows, ..self }
    }

    /// How many ranges to copy at a time: 4.
    pub fn concurrency(self, ranges: usize) -> Self {
        Self { concurrency: ranges, ..self }
    }

    /// How many rows to copy in a second at most; as fast as possible by default.
    pub fn rows_per_second(self, rows: u64) -> Self {
        Self { rows_per_second: Some(rows), ..self }
    }

    /// Calls this after every page.
    pub fn on_progress(self, report: impl Fn(&BackfillProgress) + Send + Sync + 'static) -> Self {
        Self { on_progress: Some(Box::new(report)), ..self }
    }

    /// Copies what is left, and returns when all is copied.
    ///
    /// # Errors
    /// Those of scans and puts, after which it may be run again;
    /// [`Conflict`](crate::ErrorKind::Conflict) at a row whose new key belongs to another old row,
    /// which is then not copied; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for pages
    /// without rows or no concurrency, and once writes go to the new table only.
    pub async fn run(self) -> Result<BackfillProgress> {
        if self.page_rows == 0 || self.concurrency == 0 || self.rows_per_second == Some(0) {
            let error = Error::invalid("rows of a page, concurrency and rate must not be 0");
            return Err(error.called("backfill"));
        }
        let run = async {
            let inner = &self.rekey.0;
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
            repeatable(error).called("backfill").on_table(self.rekey.0.old.name())
        })
    }
}

impl fmt::Debug for Backfill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backfill").field("rekey", &self.rekey).finish_non_exhaustive()
    }
}
