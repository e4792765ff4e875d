//! `IdBlocks`, the source of unique ids: takes blocks of ids from a counter and returns the ids one
//! by one.
//!
//! # Invariants
//!
//! - No id is returned twice: each block contains the ids that one increment added, and a block is
//!   skipped if the reply to its increment was lost. Tests:
//!   `tests/suites/faults/ids.rs::a_block_whose_reply_is_lost_gives_no_ids`,
//!   `tests/suites/faults/ids.rs::ids_that_others_took_before_a_reply_was_repeated_are_not_given_out`,
//!   `tests/suites/lookup`.
//! - A caller that waits for the fetch of another one fails only by its own deadline. Tests:
//!   `tests/suites/faults/ids.rs::a_caller_with_time_left_fetches_after_the_deadline_of_another`,
//!   `sdk/src/runtime/tasks.rs::each_caller_waits_until_its_own_deadline`.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::time::Instant;

use super::pool::Pool;
use crate::model::show;
use crate::runtime::lost_replies::LostReplies;
use crate::runtime::tasks::SharedTask;
use crate::{Error, ErrorKind, Increment, RawTable, Result};

/// A source of unique ids, which takes them from a counter in blocks. Cheap to clone; all clones
/// share the same blocks.
///
/// See the [module](crate::ids) for guarantees and cost.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor, ids::IdBlocks};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("ids")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("ids")?;
///
/// let ids = IdBlocks::builder(table.clone(), "orders", "d", "n").block_size(100).build()?;
/// assert_eq!((ids.next_id().await?, ids.next_id().await?), (1, 2));
///
/// // Another process takes the next block.
/// let other = IdBlocks::builder(table, "orders", "d", "n").block_size(100).build()?;
/// assert_eq!((other.next_id().await?, ids.next_id().await?), (101, 3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct IdBlocks(Arc<Inner>);

/// The cell of the counter, the size of a block, and the first and the last id.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) table: RawTable,
    pub(super) row: Bytes,
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) block_size: u64,
    pub(super) first: u64,
    pub(super) last: u64,
}

struct Inner {
    settings: Settings,
    state: Mutex<State>,
    /// The number of ids that callers are waiting for.
    wanted: AtomicU64,
    lost: AtomicU64,
}

#[derive(Default)]
struct State {
    pool: Pool,
    fetch: Option<SharedTask<()>>,
    exhausted: bool,
}

impl IdBlocks {
    pub(super) fn new(settings: Settings) -> Self {
        let (wanted, lost) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(Inner { settings, state: Mutex::default(), wanted, lost }))
    }

    /// Returns an id that no other caller gets.
    ///
    /// See [`IdBlocks`] for an example.
    ///
    /// # Errors
    /// [`IdsExhausted`](ErrorKind::IdsExhausted) once the last id has been returned; otherwise the
    /// errors of [`RawTable::increment`], except that an outcome is never unknown: it is always
    /// safe to call this function again.
    pub async fn next_id(&self) -> Result<u64> {
        self.next_until(self.0.settings.table.deadline()).await
    }

    pub(crate) async fn next_until(&self, deadline: Instant) -> Result<u64> {
        self.fill_until(deadline, 1, |pool| pool.take()).await
    }

    /// Returns an id from the blocks in memory; `None` if no id is left in them.
    pub(crate) fn take_held(&self) -> Option<u64> {
        self.0.state().pool.take()
    }

    /// Makes sure that at least `count` ids are in memory, so that they can be returned without
    /// waiting. If any are missing, they are fetched in one call.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, ids::IdBlocks};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("ids")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("ids")?;
    /// let ids = IdBlocks::builder(table, "orders", "d", "n").block_size(1).build()?;
    /// ids.reserve(500).await?;
    /// let before = client.mock_cluster().unwrap().call_count("Mutate");
    /// for id in 1..=500 {
    ///     assert_eq!(ids.next_id().await?, id);
    /// }
    /// assert_eq!(client.mock_cluster().unwrap().call_count("Mutate"), before);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`next_id`](IdBlocks::next_id).
    pub async fn reserve(&self, count: u64) -> Result<()> {
        self.reserve_until(count, self.0.settings.table.deadline()).await
    }

    pub(crate) async fn reserve_until(&self, count: u64, deadline: Instant) -> Result<()> {
        let enough = |pool: &mut Pool| (pool.len() >= count).then_some(());
        self.fill_until(deadline, count, enough).await
    }

    /// How many blocks were given up because the reply to their increment was lost.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, ids::IdBlocks};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("ids")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("ids")?;
    /// use tallrow_mock::Fault;
    ///
    /// let ids = IdBlocks::builder(table, "orders", "d", "n").block_size(100).build()?;
    /// client.mock_cluster().unwrap().inject(Fault::on("Mutate").nth(1).close_after());
    /// assert_eq!(ids.next_id().await?, 101, "the ids 1 to 100 are lost");
    /// assert_eq!(ids.lost_block_count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn lost_block_count(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// Fetches blocks until `take` returns a value, and returns this value. `count` is the number
    /// of ids that the caller waits for.
    async fn fill_until<T>(
        &self,
        deadline: Instant,
        count: u64,
        take: impl Fn(&mut Pool) -> Option<T>,
    ) -> Result<T> {
        if let Some(taken) = take(&mut self.0.state().pool) {
            return Ok(taken);
        }
        let _wanted = Wanted::new(&self.0.wanted, count);
        loop {
            let running = {
                let mut state = self.0.state();
                if let Some(taken) = take(&mut state.pool) {
                    return Ok(taken);
                }
                if state.exhausted {
                    return Err(self.0.exhausted());
                }
                let running = state.fetch.take().filter(|fetch| !fetch.was_received());
                let start = || SharedTask::spawn(deadline, self.0.clone().fetch(deadline));
                state.fetch.insert(running.unwrap_or_else(start)).clone()
            };
            // After a fetch with the deadline of another caller, the next turn of the loop fetches
            // with the deadline of this caller.
            running.wait_or_restart(deadline).await.map_err(|error| self.0.describe(error))?;
        }
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches a block and puts it into the pool.
    async fn fetch(self: Arc<Self>, deadline: Instant) -> Result<()> {
        let fetched = self.fetch_block(deadline).await;
        let mut state = self.state();
        state.fetch = None;
        let block = fetched?;
        state.exhausted = *block.end() >= self.settings.last;
        state.pool.add(block);
        Ok(())
    }

    async fn fetch_block(&self, deadline: Instant) -> Result<RangeInclusive<u64>> {
        let Settings { table, block_size, first, last, .. } = &self.settings;
        // By how much the counter has to be raised to reach the first id, as far as is known.
        let mut missing = 0;
        let mut lost_replies = LostReplies::default();
        loop {
            let missing_ids =
                self.wanted.load(Ordering::Relaxed).saturating_sub(self.state().pool.len());
            let size = missing_ids.max(*block_size).min(last - first + 1) + missing;
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            let lost = match table.with_deadline(deadline).increment(self.increment(size)).await {
                Ok(Some(row)) => {
                    let block = self.block(&row, size)?;
                    if !block.is_empty() {
                        return Ok(block);
                    }
                    missing = *first - 1 - block.end();
                    continue;
                }
                Ok(None) => None,
                Err(error) if error.kind() == ErrorKind::OutcomeUnknown => Some(error),
                Err(error) => return Err(error),
            };
            self.lost.fetch_add(1, Ordering::Relaxed);
            lost_replies.count_lost_reply(lost, deadline, |lost| {
                format!("the replies to {lost} increments were lost, and their ids")
            })?;
        }
    }

    fn increment(&self, by: i64) -> Increment {
        let Settings { row, family, qualifier, .. } = &self.settings;
        Increment::new(row).add(family, qualifier, by)
    }

    /// Returns the ids that an increment by `size` took. If the counter is still below the first
    /// id, returns an empty block that ends at the counter.
    fn block(&self, row: &crate::Row, size: i64) -> Result<RangeInclusive<u64>> {
        let Settings { family, qualifier, first, last, .. } = &self.settings;
        let counter = row.counter(family, qualifier)?.unwrap_or_default();
        let end = u64::try_from(counter).ok();
        let start = end.and_then(|end| (end + 1).checked_sub(size.unsigned_abs()));
        let (Some(start), Some(end)) = (start, end) else {
            let text = format!(
                "the counter {} is {counter} after {size} was added: it was negative, or it has wrapped around",
                show::column(family, qualifier)
            );
            return Err(Error::new(ErrorKind::Inconsistent, text));
        };
        if start > *last {
            self.state().exhausted = true;
            return Err(self.exhausted());
        }
        Ok(if end < *first { end + 1..=end } else { start.max(*first)..=end.min(*last) })
    }

    fn exhausted(&self) -> Error {
        let Settings { family, qualifier, first, last, .. } = &self.settings;
        let text = format!(
            "all ids from {first} to {last} of the counter {} have been given out",
            show::column(family, qualifier)
        );
        self.describe(Error::new(ErrorKind::IdsExhausted, text))
    }

    fn describe(&self, error: Error) -> Error {
        error
            .with_operation("next id")
            .on_table(self.settings.table.name())
            .on_row(&self.settings.row)
    }
}

impl fmt::Debug for IdBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdBlocks").field(&self.0.settings).finish()
    }
}

/// A waiting caller. As long as it waits, `all` includes the number of ids that it waits for.
struct Wanted<'a> {
    all: &'a AtomicU64,
    count: u64,
}

impl<'a> Wanted<'a> {
    fn new(all: &'a AtomicU64, count: u64) -> Self {
        all.fetch_add(count, Ordering::Relaxed);
        Self { all, count }
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.count, Ordering::Relaxed);
    }
}
