//! Fields that hold the MD5 of their value instead of the value.
//!
//! MD5 spreads rows; it protects nothing. It is the default because the tables of the HBase book and
//! most existing ones use it.

use core::convert::Infallible;

use md5::Digest as _;

use super::{Form, Plain};
use crate::order::Hashed;
use crate::sink::Sink;

/// MD5 while it takes in bytes.
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

/// Returns the lower-case hex digit of the low four bits.
#[inline]
pub(crate) fn hex_digit(nibble: u8) -> u8 {
    match nibble & 0x0f {
        digit @ 0..=9 => b'0' + digit,
        letter => b'a' + letter - 10,
    }
}

/// Returns the MD5 of `value`.
fn md5<A: Plain + ?Sized>(value: &A) -> [u8; 16] {
    value.plain(|bytes| {
        let mut state = Md5State::default();
        state.feed(bytes);
        state.finish()
    })
}

/// The first `N` bytes of the MD5 of the value, 16 being all of it.
///
/// ```
/// use tallrow_codec::{Form, Md5, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Md5<4> as Form<str>>::encode("host1", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x81, 0x5a, 0xd1, 0xc0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Md5<const N: usize> {}

impl<A: Plain + ?Sized, const N: usize> Form<A> for Md5<N> {
    type Order = Hashed;
    type Fault = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), Infallible> {
        let mut first = [0; N];
        first.iter_mut().zip(md5(value)).for_each(|(to, from)| *to = from);
        out.put(&first);
        Ok(())
    }
}

/// The first `N` lower-case hex digits of the MD5 of the value, 32 being all of them.
///
/// ```
/// use tallrow_codec::{Form, Md5Hex, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Md5Hex<5> as Form<str>>::encode("host1", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), b"815ad");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Md5Hex<const N: usize> {}

impl<A: Plain + ?Sized, const N: usize> Form<A> for Md5Hex<N> {
    type Order = Hashed;
    type Fault = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), Infallible> {
        let mut hex = [0; N];
        let digits = md5(value).into_iter().flat_map(|b| [hex_digit(b >> 4), hex_digit(b)]);
        hex.iter_mut().zip(digits).for_each(|(to, from)| *to = from);
        out.put(&hex);
        Ok(())
    }
}

/// The form `F` of a field that stands behind a hash prefix computed from it: until the hash is
/// known, a range of its values is spread over the whole table.
#[derive(Clone, Copy, Debug)]
pub struct WholeOnly<F>(core::marker::PhantomData<F>);

impl<A: ?Sized, F: Form<A>> Form<A> for WholeOnly<F> {
    type Order = Hashed;
    type Fault = F::Fault;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), F::Fault> {
        F::encode(value, out)
    }
}
