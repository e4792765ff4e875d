//! What stands in front of the fields: nothing, a salt, or a hash of some of them.

mod hash_prefix;
pub(crate) mod random;
pub(crate) mod salt;
mod salt_hash;

pub use hash_prefix::{HashPrefix, Md5Prefix};
pub use random::RandomSalt;
pub use salt::{Salt, splits};
pub use salt_hash::{Crc32, Fnv1a, JavaArraysHash, Modulo, Murmur3, SaltHash};

use crate::error::FieldErrorKind;

/// The bytes in front of the fields of a row key, computed from fields that follow.
///
/// A value is the computation under way: fields are fed in key order, then the bytes are written.
///
/// ```
/// use tallrow_codec::{Fnv1a, KeyPrefix, Salt};
///
/// let mut salt = Salt::<Fnv1a, 16>::default();
/// salt.feed(b"tenant");
/// let mut front = [0; 1];
/// salt.write(&mut front);
/// assert!(front[0] < 16);
/// ```
pub trait KeyPrefix: Clone + Default {
    /// How many bytes.
    const LEN: usize;
    /// What errors call it.
    const NAME: &'static str;
    /// The least and the greatest first eight bytes of a row, as numbers; a shorter row is filled
    /// with 00.
    const FRONT: (u64, u64) = (0, u64::MAX);

    /// Takes in the bytes of the next field that counts.
    fn feed(&mut self, bytes: &[u8]);

    /// Writes the bytes into `front`, which is `LEN` long.
    fn write(&self, front: &mut [u8]);

    /// Writes the bytes of bucket `index` into `front`, for scans that go through all of them.
    fn write_bucket(index: usize, front: &mut [u8]);

    /// Refuses bytes in front of a row whose fields have been fed.
    ///
    /// # Errors
    /// When they are not what these fields have in front.
    fn check(&self, front: &[u8]) -> Result<(), FieldErrorKind> {
        let mut room = [0; 64];
        match room.get_mut(..Self::LEN) {
            Some(own) => {
                self.write(own);
                if own == front { Ok(()) } else { Err(FieldErrorKind::ForeignLead) }
            }
            None => Err(FieldErrorKind::ForeignLead),
        }
    }
}

/// No bytes in front.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKeyPrefix;

impl KeyPrefix for NoKeyPrefix {
    const LEN: usize = 0;
    const NAME: &'static str = "front";

    #[inline(always)]
    fn feed(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn write(&self, _: &mut [u8]) {}

    #[inline(always)]
    fn write_bucket(_: usize, _: &mut [u8]) {}
}
