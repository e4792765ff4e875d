//! The bucket of a row whose salt is random.

use crate::key::{RandomSalted, RandomSaltedKey};

/// Returns `key` in a bucket chosen at random: the row key to write.
///
/// `key.salted(n)` chooses the bucket explicitly, such as by a thread number or a counter.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use tallrow::{RowKey, key::{RandomSalted, random_salt}};
///
/// #[derive(RowKey, Clone)]
/// #[row_key(salt(random, buckets = 4))]
/// struct Click {
///     page: u16,
///     at: i64,
/// }
///
/// let click = Click { page: 7, at: 1 };
/// let rows: Vec<RandomSalted<Click>> = (0..1000).map(|_| random_salt(click.clone())).collect();
/// let buckets: BTreeSet<u32> = rows.iter().map(RandomSalted::bucket).collect();
/// assert_eq!(buckets.len(), 4);
/// ```
pub fn random_salt<K: RandomSaltedKey>(key: K) -> RandomSalted<K> {
    RandomSalted::new(key, fastrand::u32(..))
}
