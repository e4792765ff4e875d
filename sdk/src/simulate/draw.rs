use super::Zipf;

/// What a key is made of: its number, and random numbers that are the same in every run with the same seed.
///
/// ```
/// use tallrow::simulate::Simulation;
///
/// let table = Simulation::new(["m"])?.keys(1_000);
/// let rows = |draw: &mut tallrow::simulate::Draw| Ok(if draw.chance(0.25) { "a" } else { "z" });
/// let spread = table.run_rows(rows)?;
/// assert_eq!(spread.rows(), table.run_rows(rows)?.rows(), "the same seed");
/// assert_ne!(spread.rows(), table.seed(2).run_rows(rows)?.rows());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Debug)]
pub struct Draw {
    pub(super) index: u64,
    pub(super) random: fastrand::Rng,
}

impl Draw {
    /// The number of the key, from 0; keys with higher numbers are written later.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.random.u64(..)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.random.u64(..end) }
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        self.random.f64()
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.random.f64() < probability
    }

    /// Random bytes, such as those of an MD5 digest. A random UUID has fixed bits too: set them, if they matter.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// A number below that of `zipf`, of which low ones are frequent.
    pub fn zipf(&mut self, zipf: &Zipf) -> u64 {
        loop {
            if let Some(number) = zipf.at(self.unit()) {
                return number;
            }
        }
    }
}
