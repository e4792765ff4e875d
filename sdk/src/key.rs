//! Row keys: the encodings, orders, ranges and splits of `tallrow-codec`, which can be used without
//! the client.
//!
//! `tallrow::key::RowKey` and `tallrow::RowKey` are the same derive, which generates paths of this
//! crate only:
//!
//! ```
//! #[derive(tallrow::key::RowKey)]
//! struct UserKey {
//!     user: u32,
//! }
//!
//! assert_eq!(UserKey { user: 7 }.encode(), [0, 0, 0, 7]);
//! ```
//!
//! No name has different meanings in this module and in the crate root, so both can be
//! glob-imported:
//!
//! ```
//! # #![deny(warnings)]
//! use tallrow::key::*;
//! use tallrow::*;
//!
//! #[derive(RowKey)]
//! struct ShopKey {
//!     shop: u16,
//! }
//!
//! assert_eq!(ShopKey::scan().shop(7).row_ranges()?, [RowRange::row(&[0, 7])]);
//! # Ok::<(), EncodeError>(())
//! ```

pub use tallrow_codec::*;
// Replaces the derive of `tallrow_codec`, which generates paths of that crate.
#[cfg(feature = "derive")]
pub use tallrow_derive::RowKey;

/// Returns `key` with the salt of a bucket that is chosen at random, as the row key to write.
///
/// `key.salted(n)` chooses the bucket explicitly, for example by a thread number or a counter.
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
