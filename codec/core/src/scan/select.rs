//! The arguments of the methods of a scan builder: one value, a range of values, or the prefix of a
//! text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Bound, Range, RangeBounds, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use super::partial::{NextField, NextFieldName, PartialKey};
use super::ranges::KeyRanges;
use crate::encoding::{Encoding, Field, FieldWrapper, PrefixEncoding, SortedOrder};
use crate::error::FieldError;
use crate::key::DerivedKey;

/// One value of a field whose encodings take `A`: the value, a reference to it, or for text and
/// bytes an owned value.
///
/// ```
/// use tallrow_codec::FieldValue;
///
/// fn user(user: impl FieldValue<str>) -> usize { user.value().len() }
/// assert_eq!(user("bob") + user(String::from("bob")), 6);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of this field, which takes `{A}`",
    label = "expected `{A}`"
)]
pub trait FieldValue<A: ?Sized> {
    /// Returns the value as the type that encodings take.
    fn value(&self) -> &A;
}

/// A selection of values of a field: one value, after which the builder continues with the next
/// field, or several values, after which no further field can be set.
///
/// A range needs an encoding whose order is [`SortedOrder`], and `text_prefix` needs a text or
/// bytes field.
///
/// ```
/// use tallrow_codec::{RowKey, RowRanges, text_prefix};
///
/// #[derive(RowKey)]
/// struct Login {
///     #[key(escaped)]
///     user: String,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let one = Login::scan().user("bob").at(10..20).row_ranges()?;
/// assert!(one[0].contains(&Login { user: "bob".into(), at: 10 }.encode()));
/// assert!(!one[0].contains(&Login { user: "bob".into(), at: 20 }.encode()));
///
/// let many = Login::scan().user(text_prefix("bo")).row_ranges()?;
/// assert!(many[0].contains(&Login { user: "bonnie".into(), at: 0 }.encode()));
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` selects nothing of a field that takes `{A}` in the encoding `{F}`",
    label = "expected a value of `{A}`, or several in an encoding that sorts: a range, or for text \
         `text_prefix(..)`",
    note = "a range needs rows in the order of its values: those of hashed fields, reversed text and ids are not, nor those of \
            signed integers with `compat = \"hbase\"`, where negative numbers come after the others (use `NonNeg<i64>`); fix the \
            field to one value, or give it an encoding that sorts"
)]
pub trait FieldSelector<F, A: ?Sized> {
    /// The result of a selection: `V` for one value, `R` for several.
    type Next<V, R>;

    /// Passes a single value to `one`, or ends the builder with the ranges of several values.
    #[doc(hidden)]
    fn apply<K: DerivedKey, V, const RANGES: usize>(
        self,
        step: NextFieldName<K>,
        one: impl FnOnce(NextFieldName<K>, &A) -> V,
    ) -> Self::Next<V, KeyRanges<K, RANGES>>;
}

impl<K: DerivedKey, F, A: ?Sized> NextField<K, F, A> {
    /// Selects values; for one value returns the builder that `next` makes.
    pub fn select<G, S, V, const RANGES: usize>(
        self,
        select: S,
        next: impl FnOnce(PartialKey<K>) -> V,
    ) -> S::Next<V, KeyRanges<K, RANGES>>
    where
        F: Encoding<A, Error: Into<FieldError>>,
        S: FieldSelector<G, A>,
    {
        self.select_fed(select, |_, _, _| (), next)
    }

    /// Selects values as `select` does; a single value also feeds the key prefix.
    pub fn select_fed<G, S, V, const RANGES: usize>(
        self,
        select: S,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
        next: impl FnOnce(PartialKey<K>) -> V,
    ) -> S::Next<V, KeyRanges<K, RANGES>>
    where
        F: Encoding<A, Error: Into<FieldError>>,
        S: FieldSelector<G, A>,
    {
        select.apply(self.step, |step, value| next(step.set_value::<F, A>(value, feed)))
    }
}

/// The selection of the texts that begin with a given text; see [`text_prefix`].
#[derive(Clone, Copy, Debug)]
pub struct TextPrefix<T>(T);

/// Returns the selection of all values of a text or bytes field that begin with `start`.
///
/// To select one whole value, pass the text itself: `user("bo")` finds the user `bo`,
/// `user(text_prefix("bo"))` also finds `bob`.
///
/// ```
/// use tallrow_codec::{RowKey, RowRanges, text_prefix};
///
/// #[derive(RowKey)]
/// struct Name {
///     name: String,
/// }
///
/// let range = &Name::scan().name(text_prefix("bo")).row_ranges()?[0];
/// assert_eq!((range.start(), range.stop()), (&b"bo"[..], Some(&b"bp"[..])));
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
pub const fn text_prefix<T>(start: T) -> TextPrefix<T> {
    TextPrefix(start)
}

/// Selects newtypes of a text by the start of the text.
#[diagnostic::do_not_recommend]
impl<F, T> FieldSelector<F, T> for TextPrefix<&str>
where
    F: PrefixEncoding<str>,
    T: FieldWrapper<Inner: Field<Arg = str>>,
{
    type Next<V, R> = R;

    fn apply<K: DerivedKey, V, const RANGES: usize>(
        self,
        step: NextFieldName<K>,
        _: impl FnOnce(NextFieldName<K>, &T) -> V,
    ) -> KeyRanges<K, RANGES> {
        step.with_prefix::<F, str, RANGES>(self.0)
    }
}

macro_rules! values {
    (@one [$($generic:tt)*] $arg:ty, &$name:ty) => {
        impl<$($generic)*> FieldValue<$arg> for &$name {
            #[inline(always)]
            fn value(&self) -> &$arg {
                *self
            }
        }

        values! { @select [$($generic)*] $arg, &$name }
    };
    (@one [$($generic:tt)*] $arg:ty, $name:ty) => {
        impl<$($generic)*> FieldValue<$arg> for $name {
            #[inline(always)]
            fn value(&self) -> &$arg {
                self
            }
        }

        values! { @select [$($generic)*] $arg, $name }
    };
    (@select [$($generic:tt)*] $arg:ty, $name:ty) => {

        #[diagnostic::do_not_recommend]
        impl<F, $($generic)*> FieldSelector<F, $arg> for $name {
            type Next<V, R> = V;

            #[inline]
            fn apply<K: DerivedKey, V, const RANGES: usize>(
                self,
                step: NextFieldName<K>,
                one: impl FnOnce(NextFieldName<K>, &$arg) -> V,
            ) -> V {
                one(step, self.value())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<F: PrefixEncoding<$arg>, $($generic)*> FieldSelector<F, $arg> for TextPrefix<$name> {
            type Next<V, R> = R;

            fn apply<K: DerivedKey, V, const RANGES: usize>(
                self,
                step: NextFieldName<K>,
                _: impl FnOnce(NextFieldName<K>, &$arg) -> V,
            ) -> KeyRanges<K, RANGES> {
                step.with_prefix::<F, $arg, RANGES>(self.0.value())
            }
        }

        values! { @ranges [$($generic)*] $arg, $name;
            Range<$name>, RangeInclusive<$name>, RangeFrom<$name>, RangeTo<$name>,
            RangeToInclusive<$name>, (Bound<$name>, Bound<$name>) }
    };
    (@ranges $generic:tt $arg:ty, $name:ty; $($range:ty),*) => {
        $(values! { @range $generic $arg, $name, $range })*
    };
    (@range [$($generic:tt)*] $arg:ty, $name:ty, $range:ty) => {
        #[diagnostic::do_not_recommend]
        impl<F, $($generic)*> FieldSelector<F, $arg> for $range
        where
            F: Encoding<$arg, Order: SortedOrder, Error: Into<FieldError>>,
        {
            type Next<V, R> = R;

            fn apply<K: DerivedKey, V, const RANGES: usize>(
                self,
                step: NextFieldName<K>,
                _: impl FnOnce(NextFieldName<K>, &$arg) -> V,
            ) -> KeyRanges<K, RANGES> {
                let from = RangeBounds::<$name>::start_bound(&self).map(FieldValue::value);
                let to = RangeBounds::<$name>::end_bound(&self).map(FieldValue::value);
                step.between::<F, $arg, RANGES>(from, to)
            }
        }
    };
    () => {};
    ($generic:tt $arg:ty: &$name:ty; $($more:tt)*) => {
        values! { @one $generic $arg, &$name }
        values! { $($more)* }
    };
    ($generic:tt $arg:ty: $name:ty; $($more:tt)*) => {
        values! { @one $generic $arg, $name }
        values! { $($more)* }
    };
}

values! {
    [A] A: A;
    [A: ?Sized] A: &A;
    [] str: String;
    [] str: &String;
    [] str: Cow<'_, str>;
    [] str: &Cow<'_, str>;
    [T] [T]: Vec<T>;
    [T] [T]: &Vec<T>;
    [] [u8]: Cow<'_, [u8]>;
    [] [u8]: &Cow<'_, [u8]>;
    [T, const N: usize] [T]: [T; N];
    [T, const N: usize] [T]: &[T; N];
}
