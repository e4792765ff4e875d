//! Numbers servers and regions in the order in which they are first seen, to sort operations
//! without comparing names.

use rustc_hash::FxHashMap;

/// Numbers things in the order in which they are first seen, by the address of the memory they
/// share.
///
/// So operations can be sorted by region without a comparison of names, and in the same order in
/// every run.
#[derive(Default)]
pub(crate) struct FirstSeen {
    numbers: FxHashMap<usize, usize>,
    latest: Option<(usize, usize)>,
}

impl FirstSeen {
    /// The number of what is at this address.
    pub(crate) fn number<T>(&mut self, at: *const T) -> usize {
        let address = at.addr();
        if let Some((latest, number)) = self.latest
            && latest == address
        {
            return number;
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(address).or_insert(next);
        self.latest = Some((address, number));
        number
    }
}
