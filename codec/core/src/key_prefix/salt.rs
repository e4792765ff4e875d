//! Salt: a bucket number before the fields.
#![expect(
    clippy::indexing_slicing,
    reason = "const code has no `get`; each index is compared with the length"
)]

use core::marker::PhantomData;

use super::{SaltHash, SaltOrHash};

/// The number of one of `BUCKETS` buckets, counted from `FIRST`, in `WIDTH` big-endian bytes. The
/// bucket is computed from the hash `H` of the encoded bytes of the salted fields, in key order.
///
/// Each bucket is a separate range of the table, and the rows spread over these ranges. A scan that
/// fixes every salted field reads one bucket; any other scan reads all buckets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Salt<H, const BUCKETS: u32, const WIDTH: usize = 1, const FIRST: u32 = 0> {
    hash: H,
    _width: PhantomData<[u8; WIDTH]>,
}

/// Writes the low bytes of `bucket`, big-endian.
#[inline]
pub(crate) fn put_bucket(bucket: u32, front: &mut [u8]) {
    let bytes = bucket.to_be_bytes();
    for (to, from) in front.iter_mut().rev().zip(bytes.iter().rev()) {
        *to = *from;
    }
}

impl<H: SaltHash, const BUCKETS: u32, const WIDTH: usize, const FIRST: u32> SaltOrHash
    for Salt<H, BUCKETS, WIDTH, FIRST>
{
    const LEN: usize = WIDTH;
    const NAME: &'static str = "salt";
    const FIRST_BYTES_RANGE: (u64, u64) = first_bytes_range(FIRST, BUCKETS, WIDTH);

    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        self.hash.feed(bytes);
    }

    #[inline]
    fn write(&self, front: &mut [u8]) {
        put_bucket(FIRST + self.hash.bucket(BUCKETS), front);
    }

    #[inline]
    fn write_bucket(index: usize, front: &mut [u8]) {
        put_bucket(bucket_number(FIRST, index), front);
    }
}

/// Returns the least and the greatest value of the first eight bytes of the rows in these buckets,
/// read as a big-endian number.
pub(crate) const fn first_bytes_range(first: u32, buckets: u32, width: usize) -> (u64, u64) {
    if width == 0 || width > 8 || buckets == 0 {
        return (0, u64::MAX);
    }
    let shift = 64 - 8 * width as u32;
    let (least, greatest) = (first as u64, first as u64 + buckets as u64 - 1);
    (least << shift, (greatest << shift) | ((1 << shift) - 1))
}

/// Returns the number of the bucket at `index`.
#[inline]
pub(crate) fn bucket_number(first: u32, index: usize) -> u32 {
    u32::try_from(index).map_or(u32::MAX, |index| first.saturating_add(index))
}

/// Returns the first rows of `SPLITS` buckets from the bucket `first` on: the split keys of a
/// salted table.
#[doc(hidden)]
pub const fn bucket_split_keys<const WIDTH: usize, const SPLITS: usize>(
    first: u32,
) -> [[u8; WIDTH]; SPLITS] {
    let mut splits = [[0; WIDTH]; SPLITS];
    let mut i = 0;
    while i < SPLITS {
        let bytes = (first + i as u32).to_be_bytes();
        let mut at = 0;
        while at < WIDTH {
            if at + 4 >= WIDTH {
                splits[i][at] = bytes[at + 4 - WIDTH];
            }
            at += 1;
        }
        i += 1;
    }
    splits
}
