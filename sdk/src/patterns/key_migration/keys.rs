//! The functions that map old row keys to new ones and back; mapping back detects old keys that
//! would share a new key.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::key::{DecodeRowKey, RowKey};
use crate::model::show;
use crate::{Error, ErrorKind, Result};

type Map = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>> + Send + Sync>;

/// A mapping of old row keys to new row keys, and back.
///
/// Mapping back detects rows of the new table that have no old row. It also detects old keys that
/// would share a new key: if two old keys have the same new key, mapping that new key back returns
/// at most one of them.
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
    /// Creates a mapping from two functions on the bytes of row keys. Both functions must always
    /// return the same result for the same key, and an error for a key that they cannot map
    /// ([`Error::invalid_argument`]).
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

    /// Creates a mapping between two types of row keys.
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

    /// Returns the new key of an old key.
    ///
    /// See [`KeyMapping`] for an example.
    ///
    /// # Errors
    /// If the key cannot be mapped; [`Conflict`](ErrorKind::Conflict) if the new key belongs to
    /// another old key.
    pub fn new_key(&self, old: &[u8]) -> Result<Bytes> {
        self.new_key_or_bare_error(old).map_err(|error| error.on_row(&Bytes::copy_from_slice(old)))
    }

    /// Returns the new key of an old key like [`new_key`](Self::new_key), but with an error that
    /// does not name the row.
    pub(super) fn new_key_or_bare_error(&self, old: &[u8]) -> Result<Bytes> {
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

    /// Returns the old key of a new key; `None` if no old key has this new key.
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
