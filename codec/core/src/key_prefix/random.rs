//! Random salt: a bucket that the writer chooses.

use super::SaltOrHash;
use super::salt::{bucket_number, first_bytes_range, put_bucket};
use crate::error::FieldErrorKind;

/// The number of one of `BUCKETS` buckets, counted from `FIRST`, in `WIDTH` big-endian bytes. The
/// writer of a row chooses the bucket; it is not computed from the fields.
///
/// The rows of one key value can be in any bucket, so every scan reads all buckets.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomSalt<const BUCKETS: u32, const WIDTH: usize = 1, const FIRST: u32 = 0>;

impl<const BUCKETS: u32, const WIDTH: usize, const FIRST: u32> RandomSalt<BUCKETS, WIDTH, FIRST> {
    /// Returns the index of a bucket: `pick` modulo the number of buckets.
    #[doc(hidden)]
    #[inline]
    pub const fn index(pick: u32) -> usize {
        (pick % BUCKETS) as usize
    }
}

/// A key prefix that the writer chooses.
#[doc(hidden)]
pub trait ChosenPrefix: SaltOrHash {
    /// The number of buckets.
    const BUCKETS: u32;

    /// Returns the index of a bucket: `pick` modulo the number of buckets.
    fn pick_to_index(pick: u32) -> usize;

    /// Returns the index of the bucket whose number is at the start of `row`.
    fn bucket_index(row: &[u8]) -> Option<u32>;
}

impl<const BUCKETS: u32, const WIDTH: usize, const FIRST: u32> ChosenPrefix
    for RandomSalt<BUCKETS, WIDTH, FIRST>
{
    const BUCKETS: u32 = BUCKETS;

    #[inline]
    fn pick_to_index(pick: u32) -> usize {
        Self::index(pick)
    }

    fn bucket_index(row: &[u8]) -> Option<u32> {
        bucket_index(row.get(..WIDTH)?, FIRST, BUCKETS)
    }
}

/// Returns the index of the bucket in `front`, where `first` is the number of the first bucket.
pub(crate) fn bucket_index(front: &[u8], first: u32, buckets: u32) -> Option<u32> {
    let number = front.iter().try_fold(0_u32, |number, byte| {
        (number >> 24 == 0).then_some(number << 8 | u32::from(*byte))
    })?;
    number.checked_sub(first).filter(|index| *index < buckets)
}

pub(crate) const NO_BUCKET: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "one of the buckets" };

impl<const BUCKETS: u32, const WIDTH: usize, const FIRST: u32> SaltOrHash
    for RandomSalt<BUCKETS, WIDTH, FIRST>
{
    const LEN: usize = WIDTH;
    const NAME: &'static str = "salt";
    const FIRST_BYTES_RANGE: (u64, u64) = first_bytes_range(FIRST, BUCKETS, WIDTH);

    #[inline(always)]
    fn feed(&mut self, _: &[u8]) {}

    fn write(&self, front: &mut [u8]) {
        put_bucket(FIRST, front);
    }

    #[inline]
    fn write_bucket(index: usize, front: &mut [u8]) {
        put_bucket(bucket_number(FIRST, index), front);
    }

    fn check(&self, front: &[u8]) -> Result<(), FieldErrorKind> {
        match Self::bucket_index(front) {
            Some(_) => Ok(()),
            None => Err(NO_BUCKET),
        }
    }
}
