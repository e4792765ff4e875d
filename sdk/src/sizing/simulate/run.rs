//! The simulation: makes row keys on all processors and counts them by region and window of time.
//!
//! # Invariants
//!
//! - A simulation counts each key in the region that the table puts it in, and is the same in every
//!   run. Tests:
//!   `tests/suites/client/simulation.rs::the_regions_of_a_table_get_what_was_simulated`.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::{RegionDistribution, RegionMap, ValueGenerator};
use crate::key::RowKey;
use crate::key::schema::{Schema, Value};
use crate::{Error, Result};

/// How many keys a thread makes in one block.
const BLOCK: u64 = 1 << 14;

/// A simulation: the split keys of a table, and the number of keys that are made for it.
///
/// The simulation runs on all processors. It counts keys and does not keep them, so its memory does
/// not grow with the number of keys. The counts are the same in every run, whatever the number of
/// processors.
///
/// See [the module](super) for an example.
#[derive(Clone)]
pub struct Simulation<'p> {
    regions: RegionMap,
    keys: u64,
    windows: usize,
    seed: u64,
    progress: Option<&'p (dyn Fn(u64) + Sync)>,
}

impl<'p> Simulation<'p> {
    /// Creates a simulation of a table with these split keys; by default with 1,000,000 keys in 100
    /// windows of time.
    ///
    /// # Errors
    /// If a split key is empty, or not greater than the split key before it.
    pub fn new<S: AsRef<[u8]>>(splits: impl IntoIterator<Item = S>) -> Result<Self> {
        let regions = RegionMap::new(splits)?;
        Ok(Self { regions, keys: 1_000_000, windows: 100, seed: 1, progress: None })
    }

    /// Sets the number of keys.
    #[must_use]
    pub fn keys(mut self, keys: u64) -> Self {
        self.keys = keys;
        self
    }

    /// Sets the number of windows of time, at least 1, in which the rows of each region are
    /// counted. All windows have the same number of keys.
    #[must_use]
    pub fn windows(mut self, windows: usize) -> Self {
        self.windows = windows.max(1);
        self
    }

    /// Sets the seed of the random numbers. With the same seed, keys are the same.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets a function that is called from time to time, by several threads, with the number of
    /// keys that were made so far.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use tallrow::simulate::Simulation;
    ///
    /// let made = AtomicU64::new(0);
    /// let show = |keys| {
    ///     made.fetch_max(keys, Ordering::Relaxed);
    /// };
    /// Simulation::new(["m"])?
    ///     .keys(50_000)
    ///     .on_progress(&show)
    ///     .run_rows(|draw| Ok(draw.bytes::<4>()))?;
    /// assert_eq!(made.into_inner(), 50_000);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    #[must_use]
    pub fn on_progress(mut self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Makes the keys and counts their rows by region.
    ///
    /// # Errors
    /// If a key cannot be encoded; the error contains the number of the key.
    pub fn run<K: RowKey>(
        &self,
        key: impl Fn(&mut ValueGenerator) -> K + Sync,
    ) -> Result<RegionDistribution> {
        self.run_rows(|draw| key(draw).encode_key().map_err(Error::from))
    }

    /// Makes keys with the layout of `schema` from the values of their fields, and counts their
    /// rows by region. `values` returns the values of one key, each with the name of its field.
    ///
    /// ```
    /// use tallrow::key::schema::{Schema, Value};
    /// use tallrow::simulate::{Simulation, Zipf};
    ///
    /// let hosts = Zipf::new(1_000, 1.0)?;
    /// let designs =
    ///     ["row key A\nhost: u32\nat: u64\n", "row key B\nhost: u32, md5(bytes = 4)\nat: u64\n"];
    /// let mut dead = Vec::new();
    /// for design in designs {
    ///     let schema = Schema::parse(design)?;
    ///     let table = Simulation::new(["\x40", "\x60"])?.keys(10_000);
    ///     let spread = table.run_schema(&schema, |draw| {
    ///         [("host", Value::from(draw.zipf(&hosts))), ("at", Value::from(draw.index()))]
    ///     })?;
    ///     dead.push(spread.empty_regions());
    /// }
    /// assert_eq!(dead, [2, 0], "numbers of hosts start with zeros, their hashes with anything");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a key cannot be encoded; the error contains the number of the key.
    pub fn run_schema<V: AsRef<[(N, Value)]>, N: AsRef<str>>(
        &self,
        schema: &Schema,
        values: impl Fn(&mut ValueGenerator) -> V + Sync,
    ) -> Result<RegionDistribution> {
        self.run_rows(|draw| schema.encode(values(draw).as_ref()).map_err(Error::from))
    }

    /// Makes row keys as bytes and counts their rows by region.
    ///
    /// ```
    /// use tallrow::simulate::Simulation;
    ///
    /// // Split as `Bytes.split` would: regions between '9' and 'a' get nothing.
    /// let table = Simulation::new(["3", "8", "=", "B", "G", "L", "Q", "V", "["])?.keys(10_000);
    /// let spread = table.run_rows(|draw| Ok(format!("{:016x}", draw.random_u64())))?;
    /// assert_eq!(spread.empty_regions(), 6);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `row` returns an error; the returned error contains the number of the key.
    pub fn run_rows<R: AsRef<[u8]>>(
        &self,
        row: impl Fn(&mut ValueGenerator) -> Result<R> + Sync,
    ) -> Result<RegionDistribution> {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let failed = AtomicBool::new(false);
        let all = Mutex::new(Ok(RegionDistribution::new(self.regions.clone(), self.windows)));
        let work = || {
            let mut own = RegionDistribution::new(self.regions.clone(), self.windows);
            while !failed.load(Ordering::Relaxed) {
                let block = next.fetch_add(1, Ordering::Relaxed);
                let keys =
                    block.saturating_mul(BLOCK)..(block + 1).saturating_mul(BLOCK).min(self.keys);
                if keys.is_empty() {
                    break;
                }
                let made = keys.end - keys.start;
                if let Err(error) = self.run_block(block, keys, &row, &mut own) {
                    failed.store(true, Ordering::Relaxed);
                    *all.lock().unwrap_or_else(|e| e.into_inner()) = Err(error);
                    return;
                }
                let made = done.fetch_add(made, Ordering::Relaxed) + made;
                if let Some(progress) = self.progress {
                    progress(made);
                }
            }
            if let Ok(all) = &mut *all.lock().unwrap_or_else(|e| e.into_inner()) {
                all.add(&own);
            }
        };
        let others = thread::available_parallelism().map_or(0, |all| all.get() - 1);
        thread::scope(|scope| {
            for _ in 0..others {
                scope.spawn(work);
            }
            work();
        });
        all.into_inner().unwrap_or_else(|e| e.into_inner())
    }

    /// Makes and counts the keys of one block. Their random numbers depend only on the number of
    /// the block and the seed.
    fn run_block<R: AsRef<[u8]>>(
        &self,
        block: u64,
        keys: std::ops::Range<u64>,
        row: impl Fn(&mut ValueGenerator) -> Result<R>,
        spread: &mut RegionDistribution,
    ) -> Result<()> {
        let seed = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ block;
        let mut draw = ValueGenerator {
            index: keys.start,
            keys: self.keys,
            random: fastrand::Rng::with_seed(seed),
        };
        for index in keys {
            draw.index = index;
            let window = u128::from(index) * self.windows as u128 / u128::from(self.keys);
            let row = row(&mut draw).map_err(|error| {
                Error::new(error.kind(), format!("simulate key {index}")).caused_by(error)
            })?;
            let row = row.as_ref();
            spread.add_row(window as usize, self.regions.region_of(row), row.len());
        }
        Ok(())
    }
}

impl fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { regions, keys, windows, seed, .. } = self;
        f.debug_struct("Simulation")
            .field("regions", regions)
            .field("keys", keys)
            .field("windows", windows)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}
