//! Encodings: how the value of one field becomes bytes.
//!
//! An encoding is a type without values. Encodings nest: `Desc<Escaped>` is an escaped text in
//! descending order, `Charset<Fixed<6>, SET>` a text of width 6 whose characters come from a set.
//!
//! # Invariants
//!
//! - Encoded values sort as the order class of their encoding says. If the encoding is
//!   `PREFIX_FREE`, no encoded value is a prefix of another value of the same field. Tests:
//!   `tests/suites/encodings`, `codec/tests/properties/order.rs`.

pub(crate) mod charset;
pub(crate) mod desc;
pub(crate) mod digest;
mod fallibility;
mod floor_offset;
pub(crate) mod foreign;
mod hash_bytes;
mod int;
pub(crate) mod list;
pub(crate) mod number;
mod order;
pub(crate) mod reversed_chars;
pub(crate) mod scalar;
pub(crate) mod tag_pairs;
pub(crate) mod text;
mod time;
mod type_parameter;
pub(crate) mod uid;
pub(crate) mod unix_time;
#[cfg(feature = "uuid")]
mod uuid;
mod via;
mod wrapper;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZero;

pub use charset::{Charset, char_set};
pub use desc::Desc;
pub use digest::{Digest, Md5, Md5Hex, WithoutRanges};
pub(crate) use digest::{Md5State, put_md5};
pub use fallibility::Fallibility;
pub use floor_offset::{FloorOffset, Floorable};
pub use hash_bytes::HashBytes;
pub use list::{TerminatedList, UnterminatedList, assert_separable};
pub use number::{Digits, Floor, RawBe, ReversedDigits};
pub use order::{
    EncodingOrder, GroupedOrder, HashedOrder, NaturalOrder, OrderClass, ReversedOrder, SortedOrder,
};
pub use reversed_chars::ReversedChars;
pub use scalar::Nullable;
pub use tag_pairs::{DecodeTagPart, TagPairs, TagPart};
pub use text::{Escaped, Fixed, FromKeyText, Sep, SortedSep, Terminated, TextEncoding};
pub(crate) use text::{TextBytes, utf8};
pub use time::{InvertedRevTs, RevTs};
pub use type_parameter::{DecodesAs, EncodesAs, ParameterEncoding};
pub use uid::{NonNeg, Uid};
pub use unix_time::{UnixCount, UnixTime};
pub use via::Via;
pub(crate) use wrapper::wrapped;
pub use wrapper::{FieldWrapper, InnerArg, decode_inner, encode_inner};

use crate::const_schema::TypeName;
use crate::error::FieldError;
use crate::row::{Failed, Input, Sink};

/// The bytes of a value of type `A` inside a row key.
///
/// `A` is what the field is encoded from ([`Field::Arg`]): `str` for every type of text, the type
/// itself for numbers. A custom encoding implements this trait and, if its values are read back,
/// [`Decoding`].
///
/// An implementation must guarantee these properties, because the properties of a key depend on
/// them:
/// - the bytes of a `NaturalOrder` encoding sort as the values of `A` do, the bytes of a
///   `ReversedOrder` encoding in reverse;
/// - if `PREFIX_FREE` is true, no encoded value is a prefix of another;
/// - if `WIDTH` is set, every encoded value has that many bytes;
/// - equal values have equal bytes.
///
/// If a value is refused, the bytes that were written before the refusal are ignored.
///
/// ```
/// use tallrow_codec::{Encoding, Native, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Native as Encoding<i16>>::encode(&-2, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x7f, 0xfe]);
/// assert_eq!(<Native as Encoding<i16>>::WIDTH, Some(2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot encode `{A}`",
    label = "no encoding for `{A}`",
    note = "fields are u8..u128, i8..i128, NonZero, bool, char, f32, f64, [u8; N], text \
            (String, &str, Cow<str>), bytes (Vec<u8>, &[u8], Cow<[u8]>), Option of these, or a struct with \
            #[derive(RowKey)] that has no salt and no hash prefix; usize and isize change with the machine: use u32 or u64, i32 or i64",
    note = "attributes that choose an encoding are for some of them: `rev_ts` i64 and u64, `floor` u8 to u64, i32 and i64, \
            `digits` u8 to u128, `raw_be` signed integers; `escaped`, `nul_terminated`, `width` and `sep` text and bytes, \
            `chars` and `reverse` text, `md5` text, bytes and integers"
)]
pub trait Encoding<A: ?Sized> {
    /// How the order of the bytes relates to the order of the values.
    type Order: EncodingOrder;
    /// [`Infallible`](core::convert::Infallible) when every value fits, else [`FieldError`].
    type Error: Fallibility;
    /// The number of bytes, when it is the same for every value.
    const WIDTH: Option<usize>;
    /// Whether no encoded value is a prefix of another, so that a field may follow.
    const PREFIX_FREE: bool;

    /// Appends the bytes of `value`.
    ///
    /// # Errors
    /// When the value does not fit the encoding.
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), Self::Error>;

    /// Appends the bytes of the largest encodable value that is not above `bound`, the start or end
    /// of a range of values.
    ///
    /// Returns which values have these bytes, or appends nothing and returns `None` if all values
    /// are above `bound`. An encoding that accepts every value, and gives no two values the same
    /// bytes, need not implement this method.
    ///
    /// ```
    /// use tallrow_codec::{Digits, Encoding, RawBe, RowBuf, ValuesWithBoundBytes};
    ///
    /// let mut row = RowBuf::<8>::new();
    /// let at = <Digits<2> as Encoding<u32>>::encode_bound(&150, &mut row)?;
    /// assert_eq!((row.as_slice(), at), (&b"99"[..], Some(ValuesWithBoundBytes::BELOW)));
    /// let at = <RawBe as Encoding<i32>>::encode_bound(&-1, &mut row)?;
    /// assert_eq!((row.as_slice(), at), (&b"99"[..], None));
    /// # Ok::<(), tallrow_codec::FieldError>(())
    /// ```
    ///
    /// # Errors
    /// When `bound` does not fit the encoding, and it is not known which values are next to it.
    #[inline(always)]
    fn encode_bound<S: Sink>(
        bound: &A,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, Self::Error> {
        Self::encode(bound, out)?;
        Ok(Some(ValuesWithBoundBytes::BOUND_ONLY))
    }
}

/// Which values have the bytes that are written for a bound: values below the bound, the bound
/// itself, values above the bound, or several of these; see [`Encoding::encode_bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuesWithBoundBytes {
    /// A smaller value has these bytes: for a unit of seconds the whole second before the bound, or
    /// with [`Floor`] another value of the same period.
    pub below: bool,
    /// The bound itself has these bytes.
    pub equal: bool,
    /// A larger value has these bytes.
    pub above: bool,
}

impl ValuesWithBoundBytes {
    /// The bytes are those of the bound and of no other value.
    pub const BOUND_ONLY: Self = Self { below: false, equal: true, above: false };
    /// The bound cannot be encoded; the bytes are those of the next smaller value.
    pub const BELOW: Self = Self { below: true, equal: false, above: false };
}

/// An encoding whose values can be decoded as `T` from a row key that lives for `'a`.
///
/// ```
/// use tallrow_codec::{Decoding, Input, Native};
///
/// let value: u16 = Native::decode(&mut Input::new(&[1, 2]))?;
/// assert_eq!(value, 0x0102);
/// # Ok::<(), tallrow_codec::Failed>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be decoded from `{Self}`",
    label = "not decodable as `{T}`",
    note = "a hashed field does not hold its value, and a text that is stored changed cannot be \
            borrowed as &str; read the key through its view, or use Cow<str> or String",
    note = "a type of your own implements `Decoding<'_, {T}>` for `{Self}`"
)]
pub trait Decoding<'a, T>: Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// When the bytes are not what this encoding writes.
    fn decode(input: &mut Input<'a>) -> Result<T, Failed>;
}

/// An encoding in which the values that start with a given text are one range of rows.
///
/// ```
/// use tallrow_codec::{Escaped, RowBuf, PrefixEncoding};
///
/// let mut row = RowBuf::<16>::new();
/// <Escaped as PrefixEncoding<str>>::encode_start("bo", &mut row)?;
/// assert_eq!(row.as_slice(), b"bo");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`text_prefix` needs a text or bytes field whose encoding preserves prefixes; this \
         one is `{A}` in the encoding `{Self}`",
    label = "rows with a common prefix are not adjacent here"
)]
pub trait PrefixEncoding<A: ?Sized>: Encoding<A> {
    /// Appends the bytes that all values starting with `start` share.
    ///
    /// # Errors
    /// When no value of this encoding can start with `start`.
    fn encode_start<S: Sink>(start: &A, out: &mut S) -> Result<(), FieldError>;
}

/// The default encoding of a type, without attributes: big-endian numbers with the sign bit
/// flipped, raw text and bytes (last field only), the fields of a nested key one after the other.
#[derive(Clone, Copy, Debug)]
pub enum Native {}

/// A type that can be a field of a row key.
///
/// Implemented by `#[derive(RowKey)]` for keys nested in other keys.
///
/// ```
/// use tallrow_codec::Field;
///
/// assert_eq!(String::from("bob").as_arg(), "bob");
/// assert_eq!(7_u32.as_arg(), &7);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a row key",
    label = "no encoding",
    note = "fields are u8..u128, i8..i128, NonZero, bool, char, f32, f64, [u8; N], text \
            (String, &str, Cow<str>), bytes (Vec<u8>, &[u8], Cow<[u8]>), Option of these, or a struct with \
            #[derive(RowKey)] that has no salt and no hash prefix; usize and isize change with the machine: use u32 or u64, i32 or i64",
    note = "a type that converts to one of these is written as it, as in `#[key(via = u64)]`"
)]
pub trait Field {
    /// The type that encodings and scans take instead of the field's own type: `str` for text,
    /// `[u8]` for bytes.
    type Arg: ?Sized;
    /// The name of the type in a schema; a custom field uses the name of the type whose bytes it
    /// writes.
    const TYPE_NAME: TypeName;

    /// Whether the type is a newtype whose values grow with time.
    #[doc(hidden)]
    const GROWS: bool = false;

    /// Returns the value as the type that encodings take.
    fn as_arg(&self) -> &Self::Arg;
}

macro_rules! borrowed {
    ($($arg:ty, $word:literal: $($name:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Field for $name {
            type Arg = $arg;
            const TYPE_NAME: TypeName = TypeName::word($word);

            #[inline(always)]
            fn as_arg(&self) -> &$arg {
                self
            }
        }
    )*)*};
}

/// A type whose values can be items of a list: numbers, `bool`, `char`, `[u8; N]`, text, bytes,
/// ids, digests, UUIDs, `Option` of a field, and types with `#[derive(RowKey)]`. `u8` is not among
/// them, because a list of `u8` is plain bytes. See [`UnterminatedList`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an item of a list in a row key",
    label = "no list of these",
    note = "items are what fields are, with a known end: numbers, [u8; N], ids, text with an end, \
            keys with #[derive(RowKey)]"
)]
pub trait ListItem: Field {}

/// Returns whether values that follow each other can be separated again.
const fn is_separable<F: Encoding<A>, A: ?Sized>() -> bool {
    F::PREFIX_FREE && !matches!(F::WIDTH, Some(0))
}

#[diagnostic::do_not_recommend]
impl ListItem for &str {}
#[diagnostic::do_not_recommend]
impl ListItem for String {}
#[diagnostic::do_not_recommend]
impl ListItem for Cow<'_, str> {}
#[diagnostic::do_not_recommend]
impl ListItem for &[u8] {}
#[diagnostic::do_not_recommend]
impl ListItem for Vec<u8> {}
#[diagnostic::do_not_recommend]
impl ListItem for Cow<'_, [u8]> {}

borrowed! {
    str, "text": str, &str, String, Cow<'_, str>;
    [u8], "bytes": [u8], &[u8], Vec<u8>, Cow<'_, [u8]>;
}

macro_rules! itself {
    ($($name:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl Field for $name {
            type Arg = Self;
            const TYPE_NAME: TypeName = TypeName::word(stringify!($name));

            #[inline(always)]
            fn as_arg(&self) -> &Self {
                self
            }
        }
    )*};
}

itself! {
    u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64, bool, char,
}

macro_rules! non_zero {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ListItem for NonZero<$int> {}

        #[diagnostic::do_not_recommend]
        impl Field for NonZero<$int> {
            type Arg = Self;
            const TYPE_NAME: TypeName = TypeName::word(concat!("nonzero ", stringify!($int)));

            #[inline(always)]
            fn as_arg(&self) -> &Self {
                self
            }
        }
    )*};
}

macro_rules! items {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ListItem for $int {}
    )*};
}

items! { u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 bool char }

non_zero! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

#[diagnostic::do_not_recommend]
impl<const N: usize> ListItem for [u8; N] {}

#[diagnostic::do_not_recommend]
impl<const N: usize> Field for [u8; N] {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::sized("[u8; ", N, "]");

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Field> ListItem for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: Field> Field for Option<T> {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::optional(&T::TYPE_NAME);

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}
