//! Seeded random numbers, so that a run that failed can be repeated.

/// Random numbers from a seed (SplitMix64): the same seed and stream always give the same numbers.
///
/// ```
/// use tallrow_tests::Random;
///
/// let numbers = |seed, stream| {
///     let mut random = Random::new(seed, stream);
///     [0; 8].map(|_| random.below(1_000))
/// };
/// assert_eq!(numbers(1, 0), numbers(1, 0));
/// assert_ne!(numbers(1, 0), numbers(2, 0));
/// assert_ne!(numbers(1, 0), numbers(1, 1));
/// ```
#[derive(Debug)]
pub struct Random(u64);

/// How far the states of two numbers lie apart.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Random {
    /// The numbers of one stream of a seed.
    ///
    /// Both are mixed: a state is raised by a constant for each number, so that the states of
    /// neighbouring seeds must not lie that constant apart.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(mix(mix(seed.wrapping_add(STEP)) ^ stream))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// An index below `len`; 0 if `len` is 0.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of these.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_seeds_and_streams_have_no_number_in_common() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..20 {
            for stream in 0..20 {
                let mut random = Random::new(seed, stream);
                for number in 0..100 {
                    assert!(seen.insert(random.next()), "number {number} of {seed}, {stream}");
                }
            }
        }
    }
}
