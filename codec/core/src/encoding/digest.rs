//! Fields that hold the MD5 of their value instead of the value.
//!
//! MD5 spreads rows; it is not for security. MD5 is used because the tables of the HBase book and
//! most existing tables use it.

use core::convert::Infallible;
use core::fmt;

use md5::Digest as _;

use super::{Decoding, Encoding, Field, HashBytes, ListItem, Native};
use crate::const_schema::TypeName;
use crate::encoding::HashedOrder;
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, RowBuf, Sink};

/// The state of an MD5 that is being computed.
#[derive(Clone, Default)]
pub(crate) struct Md5State(md5::Md5);

impl Md5State {
    #[inline]
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    #[inline]
    pub(crate) fn finish(self) -> [u8; 16] {
        self.0.finalize().into()
    }
}

impl core::fmt::Debug for Md5State {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Md5State")
    }
}

/// Fills `front` with the first bytes of `digest`, or with its first hex digits.
#[inline]
pub(crate) fn put_md5(digest: [u8; 16], hex: bool, front: &mut [u8]) {
    if hex {
        let digits = digest.into_iter().flat_map(|b| [hex_digit(b >> 4), hex_digit(b)]);
        front.iter_mut().zip(digits).for_each(|(to, from)| *to = from);
    } else {
        front.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    }
}

/// Returns whether `bytes` are lower-case hex digits.
#[inline]
pub(crate) fn is_hex(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

pub(crate) const NOT_HEX: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "lower-case hex digits" };

/// Returns the lower-case hex digit of the low four bits.
#[inline]
fn hex_digit(nibble: u8) -> u8 {
    match nibble & 0x0f {
        digit @ 0..=9 => b'0' + digit,
        letter => b'a' + letter - 10,
    }
}

/// Returns the MD5 of `value`.
fn md5<A: HashBytes + ?Sized>(value: &A) -> [u8; 16] {
    value.hash_bytes(|bytes| {
        let mut state = Md5State::default();
        state.feed(bytes);
        state.finish()
    })
}

/// The first `N` bytes of the MD5 of the value, 16 being all of it; `#[key(md5(bytes = N))]`.
///
/// ```
/// use tallrow_codec::{Encoding, Md5, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Md5<4> as Encoding<str>>::encode("host1", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x81, 0x5a, 0xd1, 0xc0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Md5<const N: usize> {}

impl<A: HashBytes + ?Sized, const N: usize> Encoding<A> for Md5<N> {
    type Order = HashedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), Infallible> {
        let mut first = [0; N];
        put_md5(md5(value), false, &mut first);
        out.put(&first);
        Ok(())
    }
}

/// The first `N` lower-case hex digits of the MD5 of the value, 32 being all of them;
/// `#[key(md5(hex = N))]`.
///
/// ```
/// use tallrow_codec::{Encoding, Md5Hex, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Md5Hex<5> as Encoding<str>>::encode("host1", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), b"815ad");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Md5Hex<const N: usize> {}

impl<A: HashBytes + ?Sized, const N: usize> Encoding<A> for Md5Hex<N> {
    type Order = HashedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), Infallible> {
        let mut hex = [0; N];
        put_md5(md5(value), true, &mut hex);
        out.put(&hex);
        Ok(())
    }
}

/// The value of a hashed field of a row: the bytes, or the hex digits, of a digest.
///
/// Displays as hex. The original value cannot be recovered; to check whether it was a given value,
/// compare with the result of [`Digest::of`] for that value.
///
/// ```
/// use tallrow_codec::{Digest, Md5, Md5Hex};
///
/// let digest = Digest::of::<Md5<4>, _>("host1");
/// assert_eq!(digest.as_bytes(), &[0x81, 0x5a, 0xd1, 0xc0]);
/// assert_eq!(format!("{digest}"), "815ad1c0");
/// assert_eq!(Digest::of::<Md5Hex<4>, _>("host1").as_bytes(), b"815a");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest<const N: usize>([u8; N]);

impl<const N: usize> Digest<N> {
    /// Returns the digest of `value` in a field with the encoding `F`.
    pub fn of<F, A: ?Sized>(value: &A) -> Self
    where
        F: Encoding<A, Order = HashedOrder, Error = Infallible>,
    {
        let mut bytes = [0; N];
        let mut row = RowBuf::<32>::new();
        match F::encode(value, &mut row) {
            Ok(()) => bytes.iter_mut().zip(row.iter()).for_each(|(to, from)| *to = *from),
            Err(never) => match never {},
        }
        Self(bytes)
    }

    /// Returns the bytes as they are in the row key.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Display for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<const N: usize> fmt::Debug for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl<const N: usize> From<[u8; N]> for Digest<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> ListItem for Digest<N> {}

/// A key may also contain a digest that was computed elsewhere.
#[diagnostic::do_not_recommend]
impl<const N: usize> Field for Digest<N> {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::sized("digest ", N, "");

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}

impl<const N: usize> Encoding<Digest<N>> for Native {
    type Order = HashedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &Digest<N>, out: &mut S) -> Result<(), Infallible> {
        out.put(&value.0);
        Ok(())
    }
}

impl<const N: usize> Decoding<'_, Digest<N>> for Native {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<Digest<N>, Failed> {
        input.read_array().map(Digest)
    }
}

impl<const N: usize> Decoding<'_, Digest<N>> for Md5<N> {
    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<Digest<N>, Failed> {
        input.read_array().map(Digest)
    }
}

impl<const N: usize> Decoding<'_, Digest<N>> for Md5Hex<N> {
    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<Digest<N>, Failed> {
        let hex = input.read_array::<N>()?;
        if is_hex(&hex) { Ok(Digest(hex)) } else { Err(input.fail(NOT_HEX)) }
    }
}

/// The encoding `F` of a field in a scan that does not yet fix all hashed fields. Such a scan takes
/// one value of the field, but no range: without the hash prefix, the rows of a range of values are
/// spread over the whole table.
#[derive(Clone, Copy, Debug)]
pub struct WithoutRanges<F>(core::marker::PhantomData<F>);

impl<A: ?Sized, F: Encoding<A>> Encoding<A> for WithoutRanges<F> {
    type Order = HashedOrder;
    type Error = F::Error;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), F::Error> {
        F::encode(value, out)
    }
}
