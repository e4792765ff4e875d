//! An encoding that keeps only a digest of its values.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt::Debug;
use std::marker::PhantomData;

use tallrow_codec::__private::v1::{Partial, Step};
use tallrow_codec::{
    Decoding, Digest, Encoding, EncodingOrder, Failed, Field, HashedOrder, Input, OrderClass,
    RowBuf, RowRange,
};
use tallrow_matrix::{Ends, Part, Probe};

use crate::of::ranks;

/// The encoding `F`, whose field is read back as `Digest<N>`.
pub(crate) struct Hash<F, T, const N: usize> {
    name: String,
    values: Vec<T>,
    ranks: Vec<usize>,
    encoding: PhantomData<F>,
}

impl<F, T, const N: usize> Hash<F, T, N> {
    pub(crate) fn new(name: &str, values: Vec<T>, digest: fn(&T) -> Vec<u8>) -> Self {
        let ranks = ranks(&values, |a, b| digest(a).cmp(&digest(b)));
        Self { name: name.to_owned(), values, ranks, encoding: PhantomData }
    }
}

impl<F, T, const N: usize> Part for Hash<F, T, N>
where
    T: Field + Debug,
    F: Encoding<T::Arg, Order = HashedOrder, Error = Infallible> + for<'a> Decoding<'a, Digest<N>>,
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

    /// The order of the digests.
    fn rows(&self, i: usize, j: usize) -> Ordering {
        self.ranks[i].cmp(&self.ranks[j])
    }

    fn put(&self, i: usize, row: &mut RowBuf) {
        match F::encode(self.values[i].arg(), row) {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }

    fn fix(&self, i: usize, step: Step<Probe>) -> Partial<Probe> {
        step.fix::<F, T::Arg>(self.values[i].arg(), |_, _, _| ())
    }

    fn again(&self, input: &mut Input<'_>, row: &mut RowBuf) -> Result<(), Failed> {
        let digest: Digest<N> = F::decode(input)?;
        tallrow_codec::Sink::put(row, digest.as_bytes());
        Ok(())
    }

    fn reads(&self, input: &mut Input<'_>, i: usize) -> Result<bool, Failed> {
        let digest: Digest<N> = F::decode(input)?;
        Ok(digest == Digest::of::<F, T::Arg>(self.values[i].arg()))
    }

    fn between(&self, _: Step<Probe>, _: Ends) -> Option<RowRange> {
        None
    }

    fn inside(&self, _: usize, _: Ends) -> bool {
        false
    }

    fn starting(&self, _: Step<Probe>, _: usize) -> Option<RowRange> {
        None
    }

    fn starts(&self, _: usize, _: usize) -> bool {
        false
    }
}
