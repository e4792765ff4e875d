//! The function from old row keys to new ones, and the one back, which finds old keys that would
//! share a new one.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::key::{DecodeRowKey, RowKey};
use crate::model::show;
use crate::{Error, ErrorKind, Result};

type Map = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>> + Send + Sync>;

/// The new row key for each old one, and the old one for each new one.
///
/// The way back finds the rows of the new table that have no old row, and old keys that would share
/// a new one: of two keys with the same new key, at most one is the old key of it.
///
/// ```
/// use tallrow::{RowKey, key_migration::KeyMapping};
///
/// #[derive(RowKey)]
/// struct ByTime { at: u64, user: u32 }
///
/// #[derive(RowKey)]
/// #[row_key(salt(buckets = 16))]
/// struct ByUser { user: u32, at: u64 }
///
/// let keys = KeyMapping::typed(
///     |old: ByTime| ByUser { user: old.user, at: old.at },
///     |new: ByUser| ByTime { at: new.at, user: new.user },
/// );
/// let new = keys.new_key(&ByTime { at: 5, user: 7 }.encode())?;
/// assert_eq!(new, ByUser { user: 7, at: 5 }.encode().as_ref());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone)]
pub struct KeyMapping {
    new: Map,
    old: Map,
}

impl KeyMapping {
    /// A mapping of bytes to bytes. Both functions must always return the same for the same key,
    /// and an error for a key that they cannot map ([`Error::invalid_argument`]).
    ///
    /// ```
    /// use tallrow::{Error, Result, key_migration::KeyMapping};
    ///
    /// // The last byte of the key is put before it.
    /// let keys = KeyMapping::new(
    ///     |old| match old {
    ///         [.., last] => Ok([&[*last], old].concat()),
    ///         [] => Err(Error::invalid_argument("an empty key")),
    ///     },
    ///     |new| {
    ///         new.get(1..).map(Vec::from).ok_or_else(|| Error::invalid_argument("an empty key"))
    ///     },
    /// );
    /// assert_eq!(keys.new_key(b"user17")?, &b"7user17"[..]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(
        new_key: impl Fn(&[u8]) -> Result<Vec<u8>> + Send + Sync + 'static,
        old_key: impl Fn(&[u8]) -> Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self { new: Arc::new(new_key), old: Arc::new(old_key) }
    }

    /// A mapping of one type of row keys to another.
    ///
    /// See [`KeyMapping`] for an example.
    pub fn typed<Old: DecodeRowKey, New: DecodeRowKey>(
        new_key: impl Fn(Old) -> New + Send + Sync + 'static,
        old_key: impl Fn(New) -> Old + Send + Sync + 'static,
    ) -> Self {
        Self::new(
            move |old| encoded(&new_key(Old::decode_key(old)?)),
            move |new| encoded(&old_key(New::decode_key(new)?)),
        )
    }

    /// The new key of an old one.
    ///
    /// See [`KeyMapping`] for an example.
    ///
    /// # Errors
    /// A key that cannot be mapped; [`Conflict`](ErrorKind::Conflict) if the new key is that of
    /// another old key.
    pub fn new_key(&self, old: &[u8]) -> Result<Bytes> {
        self.map(old).map_err(|error| error.on_row(&Bytes::copy_from_slice(old)))
    }

    /// The new key of an old one like [`new_key`](Self::new_key), with an error that does not name
    /// the row.
    pub(super) fn map(&self, old: &[u8]) -> Result<Bytes> {
        let new = (self.new)(old)?;
        let back = (self.old)(&new)?;
        if back != old {
            let text = format!(
                "the new key {} is that of the old key {}: two rows would become one",
                show::row_key(&new),
                show::row_key(&back),
            );
            return Err(Error::new(ErrorKind::Conflict, text));
        }
        Ok(new.into())
    }

    /// The old key of a new one; none if no old key has this new key.
    pub(super) fn old_key(&self, new: &[u8]) -> Option<Bytes> {
        let old = (self.old)(new).ok()?;
        let same = (self.new)(&old).ok().is_some_and(|again| again == new);
        same.then(|| old.into())
    }
}

fn encoded<K: RowKey>(key: &K) -> Result<Vec<u8>> {
    Ok(key.encode_key()?.as_ref().to_vec())
}

impl fmt::Debug for KeyMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyMapping").finish_non_exhaustive()
    }
}
