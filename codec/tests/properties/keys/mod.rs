//! The keys under test, one for each combination of neighbours that an encoding can have, with
//! values from the bytes with edge cases: 00, 01, 02, the separator, 7F, 80, FE, FF.

/// Numbers near the edges of their type.
macro_rules! edges {
    ($int:ty) => {
        prop_oneof![
            any::<$int>(),
            prop::sample::select(vec![<$int>::MIN, <$int>::MIN + 1, <$int>::MAX - 1, <$int>::MAX]),
            (0_u8..4).prop_map(|n| n as $int),
        ]
    };
}

mod fields;
mod lists;
mod prefixed;
mod variants;

use std::cmp::Ordering;
use std::fmt::Debug;

use proptest::prelude::*;
use tallrow_codec::{DecodeRowKey, RowKey};

pub(crate) use fields::*;
pub(crate) use lists::*;
pub(crate) use prefixed::*;
pub(crate) use variants::*;

/// A key with the order its rows must have.
pub(crate) trait Key: RowKey + Debug + Clone + PartialEq {
    fn any() -> BoxedStrategy<Self>;
    fn order(&self, other: &Self) -> Ordering;

    fn row(&self) -> Vec<u8> {
        self.encode_key().unwrap_or_else(|e| panic!("{self:?}: {e}")).as_ref().to_vec()
    }
}

pub(crate) fn bytes(max: usize) -> BoxedStrategy<Vec<u8>> {
    let byte = prop::sample::select(vec![0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff]);
    prop::collection::vec(byte, 0..=max).boxed()
}

pub(crate) fn text(max: usize) -> BoxedStrategy<String> {
    of(&['\0', '\u{1}', '\u{2}', 'a', 'b', '|', '\u{7f}', '\u{80}', '\u{10ffff}'], max)
}

pub(crate) fn of(chars: &[char], max: usize) -> BoxedStrategy<String> {
    let char = prop::sample::select(chars.to_vec());
    prop::collection::vec(char, 0..=max).prop_map(String::from_iter).boxed()
}

/// Text of at most four bytes that does not end in the padding.
fn padded() -> BoxedStrategy<String> {
    of(&['\0', '\u{1}', 'a', '\u{7f}'], 4)
        .prop_map(|text| text.trim_end_matches('\0').to_owned())
        .boxed()
}

/// Checks that `bytes`, if they are accepted, are what the decoded key encodes to.
pub(crate) fn canonical<K: Key + DecodeRowKey>(bytes: &[u8]) {
    if let Ok(key) = K::decode_key(bytes) {
        assert_eq!(key.row(), bytes, "{key:?}");
    }
}

/// Calls a macro with every key whose values equal themselves, which floats may not, each with a
/// name for its test; and with what else is given.
macro_rules! with_exact_keys {
    ($macro:ident $($more:tt)*) => {
        $macro! {
            numbers: Numbers;
            texts: Texts;
            descending: Descending;
            nested: Nested;
            salted: Salted;
            whole_salted: WholeSalted;
            access: Access;
            phone: Phone;
            record_variants: CustomerRow;
            partitioned: Partitioned;
            sorted: Sorted;
            wide_tags: Wide;
            lists: Lists;
            generic: Generic<Piece, String, 2>;
            metrics: Metric;
            random: InBucket<Click>;
            $($more)*
        }
    };
}
pub(crate) use with_exact_keys;

/// Calls a macro with every key that can be read back, each with a name for its test.
macro_rules! with_every_key {
    ($macro:ident) => {
        $crate::keys::with_exact_keys! { $macro small: Small; }
    };
}
pub(crate) use with_every_key;
