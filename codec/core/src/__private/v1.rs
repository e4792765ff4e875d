//! The items that generated code calls, in their first version.

pub use alloc::borrow::Cow;
pub use alloc::string::String;
pub use alloc::vec::Vec;
pub use core::clone::Clone;
pub use core::cmp::{Eq, Ord, Ordering, PartialEq, PartialOrd};
pub use core::convert::Infallible;
pub use core::default::Default;
pub use core::fmt::{self, Debug};
pub use core::iter::{IntoIterator, Iterator};
pub use core::marker::PhantomData;
pub use core::ops::Deref;
pub use core::option::Option;
pub use core::primitive::{bool, str, u8, u16, u32, u64, usize};
pub use core::result::Result;

pub use crate::compat;
pub use crate::const_schema::TypeName;
pub use crate::const_schema::{
    ChangedLine, concat, concat_len, find_lock_change, panic_layout_changed,
};
pub use crate::const_schema::{
    SchemaLine, schema_fingerprint, schema_len, schema_str, schema_text,
};
pub use crate::encoding::Fallibility;
pub use crate::encoding::foreign::{
    ChronoField, DateField, EncodesTime, JiffField, SystemTimeField, TimeField, UuidField,
};
pub use crate::encoding::{
    Charset, DecodesAs, Decoding, Desc, Digest, Digits, EncodesAs, Encoding, Escaped, Field,
    FieldWrapper, Fixed, Floor, FloorOffset, InnerArg, InvertedRevTs, ListItem, Md5, Md5Hex,
    Native, Nullable, ParameterEncoding, RawBe, RevTs, ReversedChars, ReversedDigits, Sep,
    SortedSep, Terminated, TerminatedList, UnixCount, UnixTime, UnterminatedList, Via,
    WithoutRanges, assert_separable, decode_inner, encode_inner,
};
pub use crate::encoding::{EncodingOrder, GroupedOrder};
use crate::encoding::{HashBytes, HashedOrder, NaturalOrder, OrderClass, ReversedOrder};
use crate::error::FoundTag;
pub use crate::error::{DecodeError, EncodeError, FieldError, FieldErrorKind};
use crate::key::assert_same_widths;
pub use crate::key::{
    DecodableKey, DecodeRowKey, DerivedKey, FieldWriter, PutFields, RowKey, encode,
    encode_in_bucket, encode_into, schema_of,
};
pub use crate::key::{EncodableWithoutBucket, RandomSalted, RandomSaltedKey};
pub use crate::key::{LookupField, LookupId, LookupKey};
pub use crate::key::{NestableKey, ReadFields, decode, encode_key, type_name_of};
pub use crate::key_prefix::{
    Crc32, Fnv1a, HashPrefix, JavaArraysHash, Modulo, Murmur3, NoSaltOrHash, RandomSalt, Salt,
    SaltOrHash, bucket_split_keys,
};
pub use crate::row::RowBuf;
pub use crate::row::Sink;
pub use crate::row::{Failed, Input};
pub use crate::scan::{AllLayouts, LayoutRows, assert_disjoint, has_layout};
pub use crate::scan::{
    FieldSelector, FieldValue, KeyRanges, NextFieldName, PartialKey, PrefixTemplate, RowRange,
    RowRanges,
};
#[cfg(feature = "testing")]
pub use crate::testing::{VisitFields, Visitor};

/// Ignores a field that the key prefix is not computed from.
#[inline(always)]
pub fn feed_nothing<L, A: ?Sized>(_: &mut L, _: &A, _: &[u8]) {}

/// Feeds a key prefix with the encoded bytes of a field.
#[inline(always)]
pub fn feed_encoded<L: SaltOrHash, A: ?Sized>(prefix: &mut L, _: &A, encoded: &[u8]) {
    prefix.feed(encoded);
}

/// Feeds a key prefix with the plain bytes of a field, which are hashed.
#[inline(always)]
pub fn feed_hash_bytes<L: SaltOrHash, A: HashBytes + ?Sized>(prefix: &mut L, value: &A, _: &[u8]) {
    value.hash_bytes(|bytes| prefix.feed(bytes));
}

/// Returns the width of an encoding, or 0 if the width is not fixed.
pub const fn width_or_zero<F: Encoding<A>, A: ?Sized>() -> usize {
    match F::WIDTH {
        Option::Some(width) => width,
        Option::None => 0,
    }
}

/// Returns whether an encoding has a fixed width.
pub const fn is_fixed<F: Encoding<A>, A: ?Sized>() -> bool {
    F::WIDTH.is_some()
}

/// Returns whether an encoding cannot fail.
pub const fn is_total<F: Encoding<A>, A: ?Sized>() -> bool {
    // `WIDTH` is evaluated first, because the compiler reports an error in a nested key only once.
    let _ = F::WIDTH;
    F::Error::IS_INFALLIBLE
}

/// Returns the order class of an encoding.
pub const fn order_class<F: Encoding<A>, A: ?Sized>() -> u8 {
    // `WIDTH` is evaluated first, for the same reason as in `is_total`.
    let _ = F::WIDTH;
    match <F::Order as EncodingOrder>::CLASS {
        OrderClass::Natural => 0,
        OrderClass::Reversed => 1,
        OrderClass::Grouped => 2,
        OrderClass::Hashed => 3,
    }
}

/// The type for the order class with the number `CLASS`, which [`order_class`] returns.
///
/// This type does not name the encoding. Therefore a public key can use it in an associated type
/// even if the encoding is a private type.
#[derive(Debug)]
pub enum OrderClassNumber<const CLASS: u8> {}

/// Maps a [`OrderClassNumber`] type to its order class.
pub trait ToEncodingOrder {
    /// The order class.
    type Order: EncodingOrder;
}

impl ToEncodingOrder for OrderClassNumber<0> {
    type Order = NaturalOrder;
}

impl ToEncodingOrder for OrderClassNumber<1> {
    type Order = ReversedOrder;
}

impl ToEncodingOrder for OrderClassNumber<2> {
    type Order = GroupedOrder;
}

impl ToEncodingOrder for OrderClassNumber<3> {
    type Order = HashedOrder;
}

/// Returns the sum of all widths, if each is known.
pub const fn total_width(mut widths: &[Option<usize>]) -> Option<usize> {
    let mut total = 0;
    while let [first, rest @ ..] = widths {
        match first {
            Option::Some(width) => total += *width,
            Option::None => return Option::None,
        }
        widths = rest;
    }
    Option::Some(total)
}

/// Stops the build when another field follows a field whose end is not marked.
pub const fn assert_prefix_free<F: Encoding<A>, A: ?Sized>() {
    assert!(
        F::PREFIX_FREE,
        "only the last field of a row key may be plain text or bytes, because nothing marks its end; this field, or the \
         last field of the key nested in it, needs an end: `escaped`, `width = N` or `nul_terminated`"
    );
}

/// Stops the build when a descending field has an encoding without a marked end.
pub const fn assert_can_be_descending<F: Encoding<A>, A: ?Sized>() {
    assert!(
        F::PREFIX_FREE,
        "`desc` needs an encoding in which no value is a prefix of another: add `escaped` or `width = N` to the text"
    );
}

/// Stops the build when the first field is a newtype whose values grow with time.
pub const fn assert_not_growing<T: Field>() {
    assert!(
        !T::GROWS,
        "the first field grows with time, so all new rows go to one region: put another field first, add `salt(buckets = ..)`, \
         or add `allow(hotspot)`"
    );
}

/// Stops the build when a field with `display_time` is not a number.
pub const fn assert_counts_time<T: Field>() {
    assert!(
        T::TYPE_NAME.is_integer_up_to_64(),
        "`display_time` is for numbers that count time since 1970; this field is not one"
    );
}

/// One of two types, chosen by a constant.
#[derive(Debug)]
pub enum Conditional<const FIRST: bool> {}

/// Selects a type by the constant of [`Conditional`].
pub trait Choice {
    /// The type chosen.
    type Of<A, B>;
}

impl Choice for Conditional<true> {
    type Of<A, B> = A;
}

impl Choice for Conditional<false> {
    type Of<A, B> = B;
}

/// The type `T` of a field, if `Assertion` holds. `Assertion` is that `T` has the encoding of the
/// field.
pub type AssertedFieldType<Assertion, T> = <Assertion as Choice>::Of<T, ()>;

/// Stops the build when a type does not have an encoding; otherwise returns true.
pub const fn has_encoding<T: Field, F: Encoding<T::Arg>>() -> bool {
    true
}

/// Stops the build when a type cannot be decoded from an encoding; otherwise returns true.
pub const fn can_decode<T, F: Decoding<'static, T>>() -> bool {
    true
}

/// Stops the build when a type is not a row key; otherwise returns true.
pub const fn is_row_key<K: RowKey>() -> bool {
    true
}

/// Stops the build when a type with a `unit` is not a point in time; otherwise returns true.
pub const fn is_unix_time<T: UnixTime>() -> bool {
    true
}

/// Reads the view of a whole row of the key type `key`.
#[inline(always)]
pub fn read_view<'a, T>(
    bytes: &'a [u8],
    key: &'static str,
    read: impl FnOnce(&mut Input<'a>) -> Result<T, Failed>,
) -> Result<T, DecodeError> {
    let mut input = Input::new(bytes);
    match read(&mut input) {
        Result::Ok(value) => Result::Ok(value),
        Result::Err(_) => Result::Err(input.error(key)),
    }
}

/// A failure to read; the [`Input`] holds the reason.
pub const FAILED: Failed = Failed::REASON_RECORDED;

/// Reads one field.
#[inline(always)]
pub fn read<'a, F: Decoding<'a, T>, T>(
    input: &mut Input<'a>,
    field: &'static str,
) -> Result<T, Failed> {
    input.read_field(field, F::decode)
}

/// Returns a formatter of the struct `name` that has already written these fields.
pub fn debug_fields<'f, 'b>(
    f: &'f mut fmt::Formatter<'b>,
    name: &str,
    fields: &[(&str, &dyn Debug)],
) -> fmt::DebugStruct<'f, 'b> {
    let mut shown = f.debug_struct(name);
    for (field, value) in fields {
        shown.field(field, value);
    }
    shown
}

/// Reads the key prefix, and returns its bytes.
pub fn read_key_prefix<'a, L: SaltOrHash>(input: &mut Input<'a>) -> Result<&'a [u8], Failed> {
    input.read_field(L::NAME, |input| input.read_bytes(L::LEN))?;
    Result::Ok(input.read_since(0))
}

/// Refuses a row with bytes after its fields, or with a key prefix that does not match them.
pub fn check_end_and_key_prefix<L: SaltOrHash>(
    prefix: &L,
    front: &[u8],
    input: &mut Input<'_>,
) -> Result<(), Failed> {
    input.expect_end()?;
    prefix.check(front).map_err(|fault| input.fail_key_prefix(L::NAME, fault))
}

/// Compares two rows; a key that cannot be encoded sorts after all others.
pub fn compare_errors_last<R: AsRef<[u8]>>(
    one: Result<R, EncodeError>,
    other: Result<R, EncodeError>,
) -> Ordering {
    match (one, other) {
        (Result::Ok(one), Result::Ok(other)) => one.as_ref().cmp(other.as_ref()),
        (one, other) => one.is_err().cmp(&other.is_err()),
    }
}

/// Encodes a key of any width.
pub fn row_of<K: RowKey>(key: &K) -> Result<RowBuf, EncodeError> {
    key.encode_key().map(|row| RowBuf::from_slice(row.as_ref()))
}

/// Returns the error of a row that matches no layout of a key.
#[cold]
pub fn no_layout(key: &'static str) -> DecodeError {
    DecodeError::new(key, "", 0, FieldErrorKind::NoLayout.into())
}

/// Returns the type name of an enum whose `tags` are of the type `tag`.
pub const fn tagged_type_name(tag: &'static TypeName, tags: &'static str) -> TypeName {
    TypeName::enum_with_tags(tag, tags)
}

/// Returns the error of a tag that no variant has.
#[cold]
pub fn unknown_tag(found: impl Into<FoundTag>) -> FieldErrorKind {
    FieldErrorKind::UnknownTag { found: found.into() }
}

/// Stops the build when two fields hold ids of the same kind with different widths.
pub const fn assert_lookup_widths<K: LookupKey>() {
    assert_same_widths(K::LOOKUPS);
}

/// Takes the place of a value in the code for a key with errors; that code never runs.
pub fn unreachable_value<T>() -> T {
    unreachable!("a key with errors does not compile")
}
