//! How many cases a long test tries: all of them with `TALLROW_THOROUGH`, else about a quarter or
//! fewer.

use std::sync::LazyLock;

use crate::Random;

/// Whether `TALLROW_THOROUGH` is set, as by `.ci/run`: tests then try all their cases, which takes
/// longer.
pub fn thorough() -> bool {
    static SET: LazyLock<bool> = LazyLock::new(|| std::env::var_os("TALLROW_THOROUGH").is_some());
    *SET
}

/// Chooses cases of a test: all of them if `TALLROW_THOROUGH` is set, else the first and some of
/// the others, the same ones in each run.
#[derive(Debug)]
pub struct Sample {
    random: Random,
    /// One of this many is chosen.
    of: u64,
    is_first: bool,
}

impl Sample {
    /// For the cases of one test: about a quarter.
    #[allow(clippy::new_without_default, reason = "a sample belongs to one loop")]
    pub fn new() -> Self {
        Self::one_in(4)
    }

    /// For a test with more cases, or longer ones: about one in this many.
    pub fn one_in(of: u64) -> Self {
        Self { random: Random::new(4, 0), of, is_first: true }
    }

    /// Whether the next case is among them.
    pub fn takes(&mut self) -> bool {
        let is_chosen = self.random.below(self.of) == 0;
        std::mem::take(&mut self.is_first) || is_chosen || thorough()
    }
}
