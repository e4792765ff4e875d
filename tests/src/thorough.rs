//! How many cases a long test tries: all of them with `TALLROW_THOROUGH`, else about a quarter.

use std::sync::LazyLock;

use crate::Random;

/// Whether `TALLROW_THOROUGH` is set, as by `.ci/run`: tests then try all their cases, which takes
/// longer.
pub fn thorough() -> bool {
    static SET: LazyLock<bool> = LazyLock::new(|| std::env::var_os("TALLROW_THOROUGH").is_some());
    *SET
}

/// Chooses cases of a test: all of them if `TALLROW_THOROUGH` is set, else the first and about a
/// quarter of the others, the same ones in each run.
#[derive(Debug)]
pub struct Sample {
    random: Random,
    is_first: bool,
}

impl Sample {
    /// For the cases of one test.
    #[allow(clippy::new_without_default, reason = "a sample belongs to one loop")]
    pub fn new() -> Self {
        Self { random: Random::new(4, 0), is_first: true }
    }

    /// Whether the next case is among them.
    pub fn takes(&mut self) -> bool {
        let is_of_quarter = self.random.below(4) == 0;
        std::mem::take(&mut self.is_first) || is_of_quarter || thorough()
    }
}
