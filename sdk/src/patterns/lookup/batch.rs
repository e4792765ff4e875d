//! The names or ids of many keys, collected so that each is looked up only once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::request::op::BatchResults;
use crate::{Error, Result};

/// The distinct values to look up, and the positions of the values of each key among them.
pub(super) struct LookupBatch<V> {
    /// For each lookup, the values that are looked up in it.
    pub(super) values: Vec<Vec<V>>,
    pub(super) positions: ResultPositions,
}

/// For each key, where the results of its values are, in the order of the values of the key.
pub(super) struct ResultPositions(Vec<Vec<ResultPosition>>);

/// Where the result of a value is.
struct ResultPosition {
    /// The index of the lookup.
    lookup: usize,
    /// The index among the values of that lookup.
    value: usize,
}

impl<V: Copy + Eq + Hash> LookupBatch<V> {
    /// Collects the values of `keys`; each value is given with the index of its field. `of_fields`
    /// contains the index of the lookup for each field.
    pub(super) fn new(
        lookups: usize,
        of_fields: &[usize],
        keys: impl Iterator<Item = Vec<(usize, V)>>,
    ) -> Self {
        let mut values = vec![Vec::new(); lookups];
        let mut known = HashMap::new();
        let mut position = |(field, value): (usize, V)| {
            let lookup = *of_fields.get(field)?;
            let values: &mut Vec<V> = values.get_mut(lookup)?;
            let value = *known.entry((lookup, value)).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            });
            Some(ResultPosition { lookup, value })
        };
        let positions =
            keys.map(|key| key.into_iter().filter_map(&mut position).collect()).collect();
        Self { values, positions: ResultPositions(positions) }
    }
}

impl ResultPositions {
    /// Returns the results for each key, in the order of the values of the key. `found` contains
    /// the results of each lookup.
    pub(super) fn results_of_keys<T: Clone>(
        self,
        found: Vec<BatchResults<T>>,
    ) -> Vec<Result<Vec<T>>> {
        let shared = |outcomes: BatchResults<T>| -> Vec<_> {
            outcomes.into_iter().map(|outcome| outcome.map_err(Arc::new)).collect()
        };
        let found: Vec<_> = found.into_iter().map(shared).collect();
        let of_key = |positions: Vec<ResultPosition>| -> Result<Vec<T>, Arc<Error>> {
            let result = |at: ResultPosition| found.get(at.lookup)?.get(at.value);
            positions.into_iter().filter_map(result).cloned().collect()
        };
        let of_keys: Vec<_> = self.0.into_iter().map(of_key).collect();
        // Once this reference is dropped, an error of a single key is not shared.
        drop(found);
        of_keys.into_iter().map(|found| found.map_err(Error::from_shared)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_in_a_batch_once() {
        let keys = [vec![(0, "a"), (1, "b"), (2, "a")], vec![(2, "c"), (1, "a")], vec![]];
        let batch = LookupBatch::new(2, &[0, 1, 0], keys.into_iter());
        assert_eq!(batch.values, [["a", "c"], ["b", "a"]]);
        let found = vec![
            BatchResults::new(vec![Ok(1), Err(Error::invalid("no"))]),
            BatchResults::new(vec![Ok(3), Ok(4)]),
        ];
        let [first, second, third] = &batch.positions.results_of_keys(found)[..] else {
            panic!("3 keys")
        };
        assert_eq!(first.as_ref().ok(), Some(&vec![1, 3, 1]));
        let error = second.as_ref().expect_err("of c");
        assert!(std::error::Error::source(error).is_none(), "it has one owner");
        assert_eq!(third.as_ref().ok(), Some(&vec![]));
    }
}
