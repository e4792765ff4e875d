//! Keys with lists, and one of any types.

use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;

use proptest::prelude::*;
use tallrow_codec::RowKey;

use super::{Key, of, text};

#[derive(RowKey, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece(#[key(nul_terminated)] pub(crate) String, pub(crate) u8);

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Lists {
    #[key(terminated_list)]
    pub(crate) numbers: Vec<i8>,
    #[key(terminated_list, escaped, desc)]
    pub(crate) names: Vec<String>,
    #[key(terminated_list)]
    pub(crate) options: Vec<Option<u8>>,
    pub(crate) pieces: Vec<Piece>,
}

pub(crate) fn list<T: Debug + Clone + 'static>(item: BoxedStrategy<T>) -> BoxedStrategy<Vec<T>> {
    prop::collection::vec(item, 0..=3).boxed()
}

pub(crate) fn piece() -> BoxedStrategy<Piece> {
    (of(&['\u{1}', 'a'], 1), 0_u8..3).prop_map(|(text, n)| Piece(text, n)).boxed()
}

impl Key for Lists {
    fn any() -> BoxedStrategy<Self> {
        let numbers = prop::sample::select(vec![i8::MIN, -1, 0, 1, i8::MAX]).boxed();
        let option = prop::option::of(0_u8..2).boxed();
        (list(numbers), list(text(1)), list(option), list(piece()))
            .prop_map(|(numbers, names, options, pieces)| Self { numbers, names, options, pieces })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (&self.numbers, Reverse(&self.names), &self.options, &self.pieces).cmp(&(
            &o.numbers,
            Reverse(&o.names),
            &o.options,
            &o.pieces,
        ))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 3, fields = (first)))]
pub(crate) struct Generic<T, U, const N: usize> {
    #[key(desc)]
    pub(crate) first: T,
    pub(crate) maybe: Option<T>,
    pub(crate) bytes: [u8; N],
    #[key(terminated_list)]
    pub(crate) list: Vec<T>,
    pub(crate) last: U,
}

impl Key for Generic<Piece, String, 2> {
    fn any() -> BoxedStrategy<Self> {
        let bytes = prop::sample::select(vec![[0, 0], [0, 1], [255, 255]]);
        (piece(), prop::option::of(piece()), bytes, list(piece()), text(2))
            .prop_map(|(first, maybe, bytes, list, last)| Self { first, maybe, bytes, list, last })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (Reverse(&self.first), &self.maybe, self.bytes, &self.list, &self.last).cmp(&(
            Reverse(&o.first),
            &o.maybe,
            o.bytes,
            &o.list,
            &o.last,
        ))
    }
}
