//! Numbers servers and regions in the order in which they are first seen, to sort operations
//! without comparing names.

use rustc_hash::FxHashMap;

/// The numbers of servers or regions in the order in which they are first seen. A server or region
/// is identified by the address of the memory that all copies of it share.
///
/// With these numbers, operations are sorted by region without comparing names, and in the same
/// order in every run.
#[derive(Default)]
pub(crate) struct FirstSeenNumbers {
    numbers: FxHashMap<usize, usize>,
    latest: Option<(usize, usize)>,
}

impl FirstSeenNumbers {
    /// Returns the number of the server or region at this address in memory.
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
