//! The input of one generated key: its number, and random values that a seed makes repeatable.

use super::{Clock, Zipf};

/// The source of the values of one generated key: the number of the key, and random numbers that
/// are the same in every run with the same seed.
///
/// ```
/// use tallrow::simulate::Simulation;
///
/// let table = Simulation::new(["m"])?.keys(1_000);
/// let rows =
///     |draw: &mut tallrow::simulate::ValueGenerator| Ok(if draw.chance(0.25) { "a" } else { "z" });
/// let spread = table.run_rows(rows)?;
/// assert_eq!(spread.rows(), table.run_rows(rows)?.rows(), "the same seed");
/// assert_ne!(spread.rows(), table.seed(2).run_rows(rows)?.rows());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Debug)]
pub struct ValueGenerator {
    pub(super) index: u64,
    /// How many keys are made.
    pub(super) keys: u64,
    pub(super) random: fastrand::Rng,
}

impl ValueGenerator {
    /// The number of the key, from 0; keys with higher numbers are written later.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns a random number.
    pub fn random_u64(&mut self) -> u64 {
        self.random.u64(..)
    }

    /// Returns a random number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.random.u64(..end) }
    }

    /// Returns a random number from 0 up to, but not including, 1.
    pub fn fraction(&mut self) -> f64 {
        self.random.f64()
    }

    /// Returns `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.random.f64() < probability
    }

    /// Returns random bytes, such as the bytes of an MD5 digest.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// Returns a random number from the distribution `zipf`, in which low numbers are frequent.
    pub fn zipf(&mut self, zipf: &Zipf) -> u64 {
        loop {
            if let Some(number) = zipf.try_draw(self.fraction()) {
                return number;
            }
        }
    }
    /// Returns a random UUID: version 4, with its fixed bits.
    ///
    /// ```
    /// use tallrow::simulate::Simulation;
    ///
    /// let halves = Simulation::new([[0x80_u8]])?.keys(10_000).run_rows(|draw| Ok(draw.uuid()))?;
    /// assert!(halves.largest_to_smallest() < 1.1, "its first byte can be anything");
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn uuid(&mut self) -> [u8; 16] {
        let mut bytes = self.bytes();
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        bytes
    }

    /// Returns the time that `clock` gives to the event of this key, less a random delay if events
    /// may be late.
    ///
    /// See [`Clock`] for an example.
    pub fn time(&mut self, clock: &Clock) -> i64 {
        let late = match clock.max_delay() {
            0 => 0,
            max => self.below(max.saturating_add(1)),
        };
        clock.at(self.index, self.keys, late)
    }

    /// Returns one of `values`, chosen at random, for example from a sample of a live table; `None`
    /// if there are no values.
    ///
    /// ```
    /// use tallrow::simulate::Simulation;
    ///
    /// let cities = ["Bern", "Lima", "Oslo", "Rome"];
    /// let halves = Simulation::new(["M"])?.keys(10_000);
    /// let halves = halves.run_rows(|draw| Ok(*draw.pick(&cities).unwrap()))?;
    /// assert!(halves.largest_to_smallest() < 1.1);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let at = self.below(values.len() as u64);
        values.get(at as usize)
    }

    /// Returns one of `values`, such as the lines of a file, in their order: the first keys get the
    /// first value, and the last keys get the last value. `None` if there are no values.
    ///
    /// ```
    /// use tallrow::simulate::Simulation;
    ///
    /// let halves = Simulation::new(["b"])?.keys(1_000);
    /// let rows = ["a", "a", "a", "b"];
    /// let halves = halves.run_rows(|draw| Ok(*draw.pick_by_progress(&rows).unwrap()))?;
    /// assert_eq!((halves.rows(), halves.busiest_region_share()), (vec![750, 250], 1.0));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn pick_by_progress<'v, T>(&self, values: &'v [T]) -> Option<&'v T> {
        let at = u128::from(self.index) * values.len() as u128 / u128::from(self.keys.max(1));
        values.get(at as usize)
    }
}
