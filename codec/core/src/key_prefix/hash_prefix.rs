//! Hash prefix: a part of the hash of some fields, written before all fields. The rows spread, and
//! a reader that knows the hashed fields can still compute where a row is.

use super::SaltOrHash;
use crate::encoding::{Md5, Md5Hex, Md5State, put_md5};

/// The encoding of an MD5 in a hash prefix: [`Md5<N>`] bytes or [`Md5Hex<N>`] hex digits.
///
/// ```
/// use tallrow_codec::{Md5Hex, Md5Prefix};
///
/// assert_eq!(<Md5Hex<5> as Md5Prefix>::LEN, 5);
/// ```
pub trait Md5Prefix: Copy {
    /// The number of bytes in the row key.
    const LEN: usize;
    /// The least and the greatest value that a byte of the hash prefix can have.
    const BYTE_RANGE: (u8, u8);

    /// Writes `digest` into `front`.
    fn put(digest: [u8; 16], front: &mut [u8]);
}

impl<const N: usize> Md5Prefix for Md5<N> {
    const LEN: usize = N;
    const BYTE_RANGE: (u8, u8) = (0x00, 0xff);

    fn put(digest: [u8; 16], front: &mut [u8]) {
        put_md5(digest, false, front);
    }
}

impl<const N: usize> Md5Prefix for Md5Hex<N> {
    const LEN: usize = N;
    const BYTE_RANGE: (u8, u8) = (b'0', b'f');

    fn put(digest: [u8; 16], front: &mut [u8]) {
        put_md5(digest, true, front);
    }
}

/// The MD5, in the encoding `D`, of the plain bytes of the hashed fields in key order; then the
/// separator `SEP`. A `SEP` of 256 or more means that there is no separator.
#[derive(Debug)]
pub struct HashPrefix<D, const SEP: u16 = 256> {
    state: Md5State,
    encoding: core::marker::PhantomData<D>,
}

impl<D, const SEP: u16> Clone for HashPrefix<D, SEP> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), encoding: self.encoding }
    }
}

impl<D, const SEP: u16> Default for HashPrefix<D, SEP> {
    fn default() -> Self {
        Self { state: Md5State::default(), encoding: core::marker::PhantomData }
    }
}

impl<D: Md5Prefix, const SEP: u16> SaltOrHash for HashPrefix<D, SEP> {
    const LEN: usize = D::LEN + (SEP < 256) as usize;
    const NAME: &'static str = "hash";
    const FIRST_BYTES_RANGE: (u64, u64) =
        ((D::BYTE_RANGE.0 as u64) << 56, ((D::BYTE_RANGE.1 as u64) << 56) | (u64::MAX >> 8));

    fn feed(&mut self, bytes: &[u8]) {
        self.state.feed(bytes);
    }

    fn write(&self, front: &mut [u8]) {
        D::put(self.state.clone().finish(), front);
        if let (Ok(sep), Some(last)) = (u8::try_from(SEP), front.last_mut()) {
            *last = sep;
        }
    }

    /// Does nothing: there are no buckets.
    fn write_bucket(_: usize, _: &mut [u8]) {}
}
