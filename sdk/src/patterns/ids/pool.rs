//! The ids that were fetched from the counter and have not been returned yet.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// The ids in memory, each of which is returned once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// The blocks of ids, none of which is empty.
    blocks: VecDeque<RangeInclusive<u64>>,
}

impl Pool {
    pub(super) fn add(&mut self, block: RangeInclusive<u64>) {
        if !block.is_empty() {
            self.blocks.push_back(block);
        }
    }

    pub(super) fn take(&mut self) -> Option<u64> {
        let block = self.blocks.front_mut()?;
        let id = block.next();
        if block.is_empty() {
            self.blocks.pop_front();
        }
        id
    }

    pub(super) fn len(&self) -> u64 {
        self.blocks.iter().map(|block| block.end() - block.start() + 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_once_in_order() {
        let mut pool = Pool::default();
        assert_eq!((pool.take(), pool.len()), (None, 0));
        pool.add(1..=2);
        pool.add(RangeInclusive::new(7, 6));
        pool.add(9..=9);
        assert_eq!(pool.len(), 3);
        let taken: Vec<_> = std::iter::from_fn(|| pool.take()).collect();
        assert_eq!((taken, pool.len()), (vec![1, 2, 9], 0));
        pool.add(3..=3);
        assert_eq!((pool.take(), pool.take()), (Some(3), None));
    }
}
