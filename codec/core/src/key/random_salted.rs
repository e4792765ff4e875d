//! Keys with a random salt, each of which becomes a row key only together with a bucket.
//!
//! # Invariants
//!
//! - A key with a random salt is no row key until it has a bucket. Tests:
//!   `tests/suites/ui/row_key/builder/no_bucket.rs`.

use core::ops::Deref;

use super::row_key::{DecodeRowKey, RowKey};
use crate::const_schema::schema_fingerprint;
use crate::error::{DecodeError, EncodeError};

/// A key with a random salt, `#[row_key(salt(random, buckets = 16))]`.
///
/// The key value does not contain the bucket: a bucket is chosen for each row that is written, so
/// that even the rows of one key are spread. A `get` by the key cannot find such a row; only a scan
/// can, because it reads all buckets. The row key is [`RandomSalted`]: a key in a bucket.
///
/// ```
/// use tallrow_codec::{DecodeRowKey, RowKey, RowRanges, RandomSalted};
///
/// #[derive(RowKey, Debug, PartialEq)]
/// #[row_key(salt(random, buckets = 4))]
/// struct Click {
///     page: u16,
///     at: u32,
/// }
///
/// // Any number chooses a bucket: a counter, a thread's own number, a random one.
/// let row: [u8; 7] = Click { page: 7, at: 1 }.encode_salted(6);
/// assert_eq!(row, [2, 0, 7, 0, 0, 0, 1]);
/// assert_eq!(Click::decode(&row)?, Click { page: 7, at: 1 });
/// assert_eq!(RandomSalted::<Click>::decode_key(&row)?.bucket(), 2);
///
/// let ranges: [_; 4] = Click::scan().page(7).row_ranges()?;
/// assert!(ranges[2].contains(&row));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key with a random salt",
    label = "no random salt",
    note = "`#[row_key(salt(random, buckets = 16))]` makes one; any other key is a row key by \
         itself"
)]
pub trait RandomSaltedKey: Sized {
    /// The bytes of the row key.
    type Encoded: AsRef<[u8]> + Clone;

    /// The layout of the row key as text; see [`RowKey::SCHEMA`].
    const SCHEMA: &'static str;

    /// A hash of the layout of the row key; see [`RowKey::FINGERPRINT`].
    const FINGERPRINT: u64 = schema_fingerprint(Self::SCHEMA);

    /// The number of buckets.
    const BUCKETS: u32;

    /// Returns the bytes of the row key in the bucket with the index `pick` modulo the number of
    /// buckets.
    ///
    /// # Errors
    /// When a value does not fit the encoding of its field.
    fn encode_in_bucket(&self, pick: u32) -> Result<Self::Encoded, EncodeError>;
}

/// A key with a random salt that can be decoded.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the row key `{Self}` cannot be read back whole",
    label = "no decode for this key",
    note = "a hashed field does not hold its value, and a key with borrowed fields is read with its \
            own `decode`, which keeps the lifetime"
)]
pub trait DecodeRandomSalted: RandomSaltedKey {
    /// Decodes a row key, and returns the key together with its bucket.
    fn decode_salted(bytes: &[u8]) -> Result<RandomSalted<Self>, DecodeError>;
}

/// A key with a random salt that can be encoded without a bucket. No type implements this trait. It
/// is a bound of the derived `encode` of such keys, so that the compiler reports the error message
/// of this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a row key only in a bucket",
    label = "no bucket",
    note = "its salt is random, so its rows may be in any bucket and a get by the key cannot find them: \
            `encode_salted(n)` gives the bytes in one bucket, `salted(n)` the row key to write"
)]
pub trait EncodableWithoutBucket<'row> {}

/// A key in one of its buckets: the row key of a type with a random salt; see [`RandomSaltedKey`].
///
/// Dereferences to the key.
///
/// ```
/// use tallrow_codec::{RowKey, RandomSalted};
///
/// #[derive(RowKey)]
/// #[row_key(salt(random, buckets = 16))]
/// struct Click {
///     page: u16,
/// }
///
/// let row: RandomSalted<Click> = Click { page: 7 }.salted(35);
/// assert_eq!((row.bucket(), row.page), (3, 7));
/// assert_eq!(row.encode_key()?, [3, 0, 7]);
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RandomSalted<K> {
    key: K,
    bucket: u32,
}

impl<K: RandomSaltedKey> RandomSalted<K> {
    /// Returns `key` in the bucket with the index `pick` modulo the number of buckets.
    pub const fn new(key: K, pick: u32) -> Self {
        Self { key, bucket: pick % K::BUCKETS }
    }

    /// Returns the index of the bucket, counted from 0.
    pub const fn bucket(&self) -> u32 {
        self.bucket
    }

    /// Returns the key without its bucket.
    pub fn into_key(self) -> K {
        self.key
    }
}

impl<K> Deref for RandomSalted<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

#[diagnostic::do_not_recommend]
impl<K: RandomSaltedKey> RowKey for RandomSalted<K> {
    type Encoded = K::Encoded;
    const SCHEMA: &'static str = K::SCHEMA;
    const FINGERPRINT: u64 = K::FINGERPRINT;

    fn encode_key(&self) -> Result<K::Encoded, EncodeError> {
        self.key.encode_in_bucket(self.bucket)
    }
}

#[diagnostic::do_not_recommend]
impl<K: DecodeRandomSalted> DecodeRowKey for RandomSalted<K> {
    fn decode_key(bytes: &[u8]) -> Result<Self, DecodeError> {
        K::decode_salted(bytes)
    }
}
