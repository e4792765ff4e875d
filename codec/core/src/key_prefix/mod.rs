//! The key prefix before the fields: nothing, a salt, or a hash of some fields.

mod hash_prefix;
pub(crate) mod random;
pub(crate) mod salt;
mod salt_hash;

pub use hash_prefix::{HashPrefix, Md5Prefix};
pub(crate) use random::ChosenPrefix;
pub use random::RandomSalt;
pub use salt::{Salt, bucket_split_keys};
pub use salt_hash::{Crc32, Fnv1a, JavaArraysHash, Modulo, Murmur3, SaltHash};

use crate::error::FieldErrorKind;

/// The bytes before the fields of a row key: computed from fields that follow, or chosen by the
/// writer ([`RandomSalt`]).
///
/// A value of this type is the state of the computation: fields are fed in key order, then the
/// bytes are written.
///
/// ```
/// use tallrow_codec::{Fnv1a, SaltOrHash, Salt};
///
/// let mut salt = Salt::<Fnv1a, 16>::default();
/// salt.feed(b"tenant");
/// let mut bytes = [0; 1];
/// salt.write(&mut bytes);
/// assert!(bytes[0] < 16);
/// ```
pub trait SaltOrHash: Clone + Default {
    /// The number of bytes.
    const LEN: usize;
    /// The name of the key prefix in errors.
    const NAME: &'static str;
    /// The least and the greatest value of the first eight bytes of a row, read as a big-endian
    /// number; a shorter row is padded with 00.
    const FIRST_BYTES_RANGE: (u64, u64) = (0, u64::MAX);

    /// Adds the bytes of the next field from which the key prefix is computed.
    fn feed(&mut self, bytes: &[u8]);

    /// Writes the bytes into `front`, which is `LEN` long.
    fn write(&self, front: &mut [u8]);

    /// Writes the bytes of bucket `index` into `front`, for scans of all buckets.
    fn write_bucket(index: usize, front: &mut [u8]);

    /// Checks the key prefix of a row whose fields have been fed.
    ///
    /// # Errors
    /// When `front` is not the key prefix of these fields.
    fn check(&self, front: &[u8]) -> Result<(), FieldErrorKind> {
        let mut buffer = [0; 64];
        match buffer.get_mut(..Self::LEN) {
            Some(own) => {
                self.write(own);
                if own == front { Ok(()) } else { Err(FieldErrorKind::WrongSaltOrHash) }
            }
            None => Err(FieldErrorKind::WrongSaltOrHash),
        }
    }
}

/// No key prefix.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSaltOrHash;

impl SaltOrHash for NoSaltOrHash {
    const LEN: usize = 0;
    const NAME: &'static str = "front";

    #[inline(always)]
    fn feed(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn write(&self, _: &mut [u8]) {}

    #[inline(always)]
    fn write_bucket(_: usize, _: &mut [u8]) {}
}
