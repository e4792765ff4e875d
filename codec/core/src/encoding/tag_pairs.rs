//! Pairs at the end of a row key: the tags of a metric.

use core::convert::Infallible;
use core::fmt;

use super::{Decoding, Encoding, Field, Native, is_separable};
use crate::const_schema::TypeName;
use crate::encoding::{EncodingOrder, NaturalOrder};
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

/// Up to `N` pairs with different first halves, sorted by these halves; stored inline, not on the
/// heap.
///
/// In a row key the pairs follow one another to the end of the key, as the tags of an OpenTSDB row
/// do.
///
/// ```
/// use tallrow_codec::{Uid, RowKey, TagPairs};
///
/// enum Names {}
/// enum Values {}
///
/// #[derive(RowKey)]
/// struct Series {
///     metric: u16,
///     tags: TagPairs<Uid<Names, 3>, Uid<Values, 3>, 8>,
/// }
///
/// let pair = |name, value| Some((Uid::new(name)?, Uid::new(value)?));
/// let tags = TagPairs::new([pair(2, 9), pair(1, 7)].into_iter().flatten())?;
/// let row = Series { metric: 5, tags }.encode();
/// assert_eq!(row.as_slice(), [0, 5, 0, 0, 1, 0, 0, 7, 0, 0, 2, 0, 0, 9]);
/// # Ok::<(), tallrow_codec::FieldErrorKind>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagPairs<K, V, const N: usize> {
    /// The first places hold the pairs; the places after them are `None`.
    pairs: [Option<(K, V)>; N],
}

impl<K: Ord, V, const N: usize> TagPairs<K, V, N> {
    /// Returns the pairs, sorted.
    ///
    /// # Errors
    /// For more than `N` pairs, and for two pairs with the same first half.
    ///
    /// ```
    /// use tallrow_codec::TagPairs;
    ///
    /// let tags = TagPairs::<u8, u8, 2>::new([(7, 1), (3, 2)])?;
    /// assert!(tags.iter().eq([&(3, 2), &(7, 1)]));
    /// let error = TagPairs::<u8, u8, 2>::new([(7, 1), (7, 2)]).unwrap_err();
    /// assert_eq!(error.to_string(), "item 1 is a duplicate");
    /// let error = TagPairs::<u8, u8, 2>::new([(1, 1), (2, 2), (3, 3)]).unwrap_err();
    /// assert_eq!(error.to_string(), "at most 2 items are allowed");
    /// # Ok::<(), tallrow_codec::FieldErrorKind>(())
    /// ```
    pub fn new(pairs: impl IntoIterator<Item = (K, V)>) -> Result<Self, FieldErrorKind> {
        let mut tags = Self::default();
        for (at, pair) in pairs.into_iter().enumerate() {
            if tags.get(&pair.0).is_some() {
                return Err(FieldErrorKind::Duplicate { at });
            }
            let place = tags.iter().take_while(|(key, _)| *key < pair.0).count();
            let Some(after) = tags.pairs.get_mut(place..).filter(|_| at < N) else {
                return Err(FieldErrorKind::TooMany { max: N });
            };
            // The last slot is free; it moves to where the new pair belongs.
            after.rotate_right(1);
            if let Some(free) = after.first_mut() {
                *free = Some(pair);
            }
        }
        Ok(tags)
    }

    /// Returns the value of `key`.
    ///
    /// ```
    /// let tags = tallrow_codec::TagPairs::<u8, u8, 2>::new([(7, 1)])?;
    /// assert_eq!((tags.get(&7), tags.get(&8)), (Some(&1), None));
    /// # Ok::<(), tallrow_codec::FieldErrorKind>(())
    /// ```
    pub fn get(&self, key: &K) -> Option<&V> {
        self.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }
}

impl<K, V, const N: usize> TagPairs<K, V, N> {
    /// Returns the pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.pairs.iter().flatten()
    }
}

impl<K, V, const N: usize> Default for TagPairs<K, V, N> {
    fn default() -> Self {
        Self { pairs: [const { None }; N] }
    }
}

impl<K: fmt::Debug, V: fmt::Debug, const N: usize> fmt::Debug for TagPairs<K, V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(key, value)| (key, value))).finish()
    }
}

#[diagnostic::do_not_recommend]
impl<K: Field, V: Field, const N: usize> Field for TagPairs<K, V, N> {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::tag_pairs(&K::TYPE_NAME, &V::TYPE_NAME, N);

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}

pub(crate) const NOT_IN_ORDER: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "tags in order, each once" };

/// A type that can be half of a pair: a field without attributes that always fits. See [`TagPairs`]
/// for an example.
///
/// This is a separate trait, because a bound on [`Native`] would make the compiler look for tags of
/// tags.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be half of a tag",
    label = "no tags of these",
    note = "halves are numbers, [u8; N], ids and digests"
)]
pub trait TagPart: Field {
    #[doc(hidden)]
    type Order: EncodingOrder;

    #[doc(hidden)]
    fn put<S: Sink>(&self, out: &mut S);
}

impl<T: Field> TagPart for T
where
    Native: Encoding<T::Arg, Error = Infallible>,
{
    type Order = <Native as Encoding<T::Arg>>::Order;

    #[inline]
    fn put<S: Sink>(&self, out: &mut S) {
        const { assert!(is_separable::<Native, T::Arg>(), "half of a tag needs a known end") };
        match <Native as Encoding<T::Arg>>::encode(self.as_arg(), out) {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }
}

impl<K: TagPart, V: TagPart, const N: usize> Encoding<TagPairs<K, V, N>> for Native {
    type Order = <<NaturalOrder as EncodingOrder>::Then<K::Order> as EncodingOrder>::Then<V::Order>;
    type Error = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    #[inline]
    fn encode<S: Sink>(value: &TagPairs<K, V, N>, out: &mut S) -> Result<(), Infallible> {
        value.iter().for_each(|(key, value)| {
            key.put(out);
            value.put(out);
        });
        Ok(())
    }
}

/// A [`TagPart`] that can be read back. See [`TagPairs`] for an example.
pub trait DecodeTagPart<'a>: Sized {
    #[doc(hidden)]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed>;
}

impl<'a, T: Field> DecodeTagPart<'a> for T
where
    Native: Decoding<'a, T>,
{
    #[inline]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed> {
        Native::decode(input)
    }
}

impl<'a, K: DecodeTagPart<'a> + Ord, V: DecodeTagPart<'a>, const N: usize>
    Decoding<'a, TagPairs<K, V, N>> for Native
{
    fn decode(input: &mut Input<'a>) -> Result<TagPairs<K, V, N>, Failed> {
        let mut tags = TagPairs::default();
        let mut last: Option<&K> = None;
        for place in &mut tags.pairs {
            if input.remaining() == 0 {
                return Ok(tags);
            }
            let key = K::read(input)?;
            let value = V::read(input)?;
            let pair = place.insert((key, value));
            if last.is_some_and(|last| *last >= pair.0) {
                return Err(input.fail(NOT_IN_ORDER));
            }
            last = Some(&pair.0);
        }
        Ok(tags)
    }
}
