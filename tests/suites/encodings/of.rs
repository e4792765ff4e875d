//! An encoding with values of one type, which are read back as they are or as a digest.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Bound;

use tallrow_codec::__private::v1::{KeyRanges, NextFieldName, PartialKey};
use tallrow_codec::{
    Decoding, Digest, Encoding, EncodingOrder, Failed, Field, FieldError, FieldSelector,
    HashedOrder, Input, OrderClass, PrefixEncoding, RowBuf, RowRange, RowRanges, Sink, SortedOrder,
    text_prefix,
};
use tallrow_matrix::{Ends, Part, Probe};

type Range<A> = fn(NextFieldName<Probe>, Bound<&A>, Bound<&A>) -> KeyRanges<Probe, 1>;
type Start<A> = fn(NextFieldName<Probe>, &A) -> KeyRanges<Probe, 1>;
/// Returns whether a value starts with another.
type Begins<T> = fn(&T, &T) -> bool;
/// Reads a field and returns whether it is that of a value.
type Reads<T> = Box<dyn Fn(&mut Input<'_>, &T) -> Result<bool, Failed>>;
/// Reads a field and writes it again.
type Again = fn(&str, &mut Input<'_>, &mut RowBuf) -> Result<(), Failed>;

/// The encoding `F` with values of type `T`.
pub(crate) struct Of<F, T: Field> {
    name: String,
    values: Vec<T>,
    ranks: Vec<usize>,
    reads: Reads<T>,
    again: Again,
    between: Option<Range<T::Arg>>,
    starting: Option<(Start<T::Arg>, Begins<T>)>,
    encoding: PhantomData<F>,
}

/// Returns the rank of each value among all, the same for equal ones.
fn ranks<T>(values: &[T], order: impl Fn(&T, &T) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<_> = (0..values.len()).collect();
    sorted.sort_by(|i, j| order(&values[*i], &values[*j]));
    let mut ranks = vec![0; values.len()];
    let groups = sorted.chunk_by(|i, j| order(&values[*i], &values[*j]).is_eq());
    for (rank, group) in groups.enumerate() {
        group.iter().for_each(|i| ranks[*i] = rank);
    }
    ranks
}

impl<F, T> Of<F, T>
where
    T: Field + Clone + Debug,
    F: Encoding<T::Arg, Error: Into<FieldError>>,
{
    /// Takes those of `values` that `fits` accepts; the encoding must reject exactly the others.
    pub(crate) fn new(
        name: &str,
        values: &[T],
        fits: fn(&T) -> bool,
        order: fn(&T, &T) -> Ordering,
    ) -> Self
    where
        T: 'static,
        F: for<'a> Decoding<'a, T>,
    {
        let mut kept = values.to_vec();
        kept.retain(|value| {
            let written = F::encode(value.as_arg(), &mut RowBuf::<64>::new()).is_ok();
            assert_eq!(written, fits(value), "{name}: {value:?} is accepted or rejected wrongly");
            written
        });
        assert!(!kept.is_empty(), "{name}: no value fits");
        Self {
            name: name.to_owned(),
            ranks: ranks(&kept, order),
            values: kept,
            reads: Box::new(move |input, expected| {
                let value: T = F::decode(input)?;
                Ok(order(&value, expected).is_eq())
            }),
            again: |name, input, row| {
                let value: T = F::decode(input)?;
                let written = F::encode(value.as_arg(), row).map_err(Into::into);
                written.unwrap_or_else(|fault: FieldError| {
                    panic!("{name}: {value:?} was read and is rejected: {fault}")
                });
                Ok(())
            },
            between: None,
            starting: None,
            encoding: PhantomData,
        }
    }

    /// An encoding whose field is read back as `Digest<N>`; rows are in the order of the digests.
    pub(crate) fn hashed<const N: usize>(
        name: &str,
        values: Vec<T>,
        digest: fn(&T) -> Vec<u8>,
    ) -> Self
    where
        F: Encoding<T::Arg, Order = HashedOrder, Error = Infallible>
            + for<'a> Decoding<'a, Digest<N>>,
    {
        Self {
            name: name.to_owned(),
            ranks: ranks(&values, |a, b| digest(a).cmp(&digest(b))),
            values,
            reads: Box::new(|input, expected| {
                let digest: Digest<N> = F::decode(input)?;
                Ok(digest == Digest::of::<F, T::Arg>(expected.as_arg()))
            }),
            again: |_, input, row| {
                let digest: Digest<N> = F::decode(input)?;
                row.put(digest.as_bytes());
                Ok(())
            },
            between: None,
            starting: None,
            encoding: PhantomData,
        }
    }

    pub(crate) fn ordered(mut self) -> Self
    where
        F::Order: SortedOrder,
    {
        self.between = Some(|step, from, to| {
            <(Bound<&T::Arg>, Bound<&T::Arg>) as FieldSelector<F, T::Arg>>::apply(
                (from, to),
                step,
                |_, _| (),
            )
        });
        self
    }

    pub(crate) fn text(mut self, begins: Begins<T>) -> Self
    where
        F: PrefixEncoding<T::Arg>,
    {
        let start: Start<T::Arg> =
            |step, start| FieldSelector::<F, T::Arg>::apply(text_prefix(start), step, |_, _| ());
        self.starting = Some((start, begins));
        self
    }
}

impl<F, T> Part for Of<F, T>
where
    T: Field + Clone + Debug,
    F: Encoding<T::Arg, Error: Into<FieldError>>,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn class(&self) -> OrderClass {
        <F::Order as EncodingOrder>::CLASS
    }

    fn prefix_free(&self) -> bool {
        F::PREFIX_FREE
    }

    fn width(&self) -> Option<usize> {
        F::WIDTH
    }

    fn count(&self) -> usize {
        self.values.len()
    }

    fn show(&self, i: usize) -> String {
        format!("{:?}", self.values[i])
    }

    fn rows(&self, i: usize, j: usize) -> Ordering {
        let order = self.ranks[i].cmp(&self.ranks[j]);
        if self.class() == OrderClass::Reversed { order.reverse() } else { order }
    }

    fn put(&self, i: usize, row: &mut RowBuf) {
        let written = F::encode(self.values[i].as_arg(), row).map_err(Into::into);
        written.unwrap_or_else(|fault: FieldError| panic!("{}: {fault}", self.name));
    }

    fn fix(&self, i: usize, step: NextFieldName<Probe>) -> PartialKey<Probe> {
        step.set_value::<F, T::Arg>(self.values[i].as_arg(), |_, _, _| ())
    }

    fn again(&self, input: &mut Input<'_>, row: &mut RowBuf) -> Result<(), Failed> {
        (self.again)(&self.name, input, row)
    }

    fn reads(&self, input: &mut Input<'_>, i: usize) -> Result<bool, Failed> {
        (self.reads)(input, &self.values[i])
    }

    fn between(&self, step: NextFieldName<Probe>, (from, to): Ends) -> Option<RowRange> {
        let arg = |i: usize| self.values[i].as_arg();
        let [range] = self.between?(step, from.map(arg), to.map(arg)).row_ranges().unwrap();
        Some(range)
    }

    fn inside(&self, i: usize, (from, to): Ends) -> bool {
        let order = |end: usize| self.ranks[i].cmp(&self.ranks[end]);
        let above = match from {
            Bound::Included(end) => order(end).is_ge(),
            Bound::Excluded(end) => order(end).is_gt(),
            Bound::Unbounded => true,
        };
        above
            && match to {
                Bound::Included(end) => order(end).is_le(),
                Bound::Excluded(end) => order(end).is_lt(),
                Bound::Unbounded => true,
            }
    }

    fn starting(&self, step: NextFieldName<Probe>, i: usize) -> Option<RowRange> {
        let (start, _) = self.starting?;
        let [range] = start(step, self.values[i].as_arg()).row_ranges().unwrap();
        Some(range)
    }

    fn starts(&self, i: usize, start: usize) -> bool {
        self.starting.is_some_and(|(_, begins)| begins(&self.values[i], &self.values[start]))
    }
}
