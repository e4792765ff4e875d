//! Keys with a custom encoding that violates a property: its test fails, and reports where.

use std::convert::Infallible;
use std::fmt::Debug;

use tallrow_codec::schema::TypeName;
use tallrow_codec::testing::{Failure, Keys, VisitFields, Visitor};
use tallrow_codec::{
    Decoding, EncodeError, Encoding, Failed, Field, Input, Native, NaturalOrder, ReversedOrder,
    RowKey, Sink,
};

use crate::keys::Salted;

macro_rules! field {
    ($(#[$doc:meta])* $name:ident($inner:ty) as $kind:ty, $order:ty, prefix-free $free:literal, $put:expr, $take:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        struct $name($inner);

        impl Field for $name {
            type Arg = Self;
            const TYPE_NAME: TypeName = <$kind as Field>::TYPE_NAME;

            fn as_arg(&self) -> &Self {
                self
            }
        }

        impl Encoding<$name> for Native {
            type Order = $order;
            type Error = Infallible;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = $free;

            fn encode<S: Sink>(value: &$name, out: &mut S) -> Result<(), Infallible> {
                let put: fn(&$inner, &mut S) = $put;
                put(&value.0, out);
                Ok(())
            }
        }

        impl Decoding<'_, $name> for Native {
            fn decode(input: &mut Input<'_>) -> Result<$name, Failed> {
                let take: fn(&mut Input<'_>) -> Result<$inner, Failed> = $take;
                take(input).map($name)
            }
        }
    };
}

fn failed<T: Debug>(result: Result<T, Failure>) -> (&'static str, String) {
    let failure = result.unwrap_err();
    (failure.test(), failure.to_string())
}

field! {
    /// Negative numbers after positive ones, as with `Bytes.toBytes` of HBase.
    Signed(i16) as u16, NaturalOrder, prefix-free true,
    |n, out| out.put(&n.to_be_bytes()),
    |input| input.read_array().map(i16::from_be_bytes)
}

#[derive(RowKey, Debug)]
struct Temperatures {
    degrees: Signed,
    at: u8,
}

#[test]
fn order() {
    let keys = Keys::<Temperatures>::sample().unwrap();
    assert_eq!(keys.order(), Ok(()), "the schema describes them as u16");
    let keys =
        Keys::from_keys([-1, 2].map(|n| Temperatures { degrees: Signed(n), at: 3 })).unwrap();
    let by_value = |a: &Temperatures, b: &Temperatures| (&a.degrees, a.at).cmp(&(&b.degrees, b.at));
    assert_eq!(
        failed(keys.ordered_by(by_value).order()),
        (
            "order",
            r"Temperatures fails the test order: (degrees: 65535, at: 3) \xFF\xFF\x03 sorts before (degrees: 2, at: 3) \x00\x02\x03, but its row sorts after the other".into()
        )
    );
}

field! {
    /// Bytes without an end mark that claim to have one.
    Open(Vec<u8>) as Vec<u8>, NaturalOrder, prefix-free true,
    |bytes, out| out.put(bytes),
    |input| input.read_bytes(input.remaining()).map(|bytes| bytes.into_owned())
}

#[derive(RowKey, Debug)]
struct Names {
    name: Open,
}

#[test]
fn prefix_freedom() {
    let keys =
        Keys::from_keys(["a", "b", "ab"].map(|name| Names { name: Open(name.into()) })).unwrap();
    assert_eq!(
        failed(keys.prefix_freedom()),
        (
            "prefix_freedom",
            "Names fails the test prefix_freedom: field name of (name: 0x61) a is a prefix of that of (name: 0x6162) ab: a and ab".into()
        )
    );
}

field! {
    /// Odd numbers are decoded as even ones.
    Even(u8) as u8, NaturalOrder, prefix-free true,
    |n, out| out.put(&[*n]),
    |input| input.read_array().map(|[n]: [u8; 1]| n & !1)
}

#[derive(RowKey, Debug)]
struct Numbers {
    number: Even,
}

#[test]
fn round_trip() {
    let (test, text) = failed(Keys::<Numbers>::sample());
    assert_eq!(test, "round_trip");
    assert!(text.contains(" is read as (number: "), "{text}");
}

field! {
    /// Every byte but 00 is true.
    Lax(bool) as bool, NaturalOrder, prefix-free true,
    |b, out| out.put(&[u8::from(*b)]),
    |input| input.read_array().map(|[byte]: [u8; 1]| byte != 0)
}

#[derive(RowKey, Debug)]
struct Flags {
    flag: Lax,
    at: u8,
}

#[test]
fn canonical_decode() {
    let (test, text) = failed(Keys::<Flags>::sample().unwrap().canonical_decode());
    assert_eq!(test, "canonical_decode");
    assert!(text.contains("is read as Flags { flag: Lax(true), at: "), "{text}");
}

field! {
    /// Claims that the largest comes first, but has it last.
    Backwards(u8) as u8, ReversedOrder, prefix-free true,
    |n, out| out.put(&[*n]),
    |input| input.read_array().map(|[n]: [u8; 1]| n)
}

#[derive(RowKey, Debug)]
struct Ranks {
    game: u8,
    rank: Backwards,
}

#[test]
fn ranges_equal_the_model() {
    let keys = Keys::<Ranks>::sample().unwrap();
    assert_eq!(keys.order(), Ok(()), "the schema describes them as u8");
    let (test, text) = failed(keys.ranges_equal_the_model());
    assert_eq!(test, "ranges_equal_the_model");
    assert!(text.contains("the scan with the first 1 values and "), "{text}");
}

/// A salted key that has lost a split key.
#[derive(Debug)]
struct OneSplitLess(Salted);

impl RowKey for OneSplitLess {
    type Encoded = <Salted as RowKey>::Encoded;
    const SCHEMA: &'static str = Salted::SCHEMA;
    const FINGERPRINT: u64 = Salted::FINGERPRINT;

    fn encode_key(&self) -> Result<Self::Encoded, EncodeError> {
        self.0.encode_key()
    }
}

impl VisitFields for OneSplitLess {
    type Derived = Salted;

    fn visit_fields<V: Visitor<Salted>>(&self, visitor: &mut V) {
        self.0.visit_fields(visitor);
    }

    fn splits() -> Vec<Vec<u8>> {
        Salted::splits()[1..].to_vec()
    }
}

#[test]
fn splits_spread_rows() {
    let key = OneSplitLess(Salted { tenant: 1, user: "bob".into(), at: 5 });
    assert_eq!(
        failed(Keys::from_keys([key]).unwrap().splits_spread_rows()),
        (
            "splits_spread_rows",
            "Salted fails the test splits_spread_rows: the split keys are [[02], [03], [04], [05], [06]], the buckets start at [[01], [02], [03], [04], [05], [06]]".into()
        )
    );
}

field! {
    /// Allocates its bytes on the heap.
    Heaped(u16) as u16, NaturalOrder, prefix-free true,
    |n, out| out.put(&Vec::from(n.to_be_bytes())),
    |input| input.read_array().map(u16::from_be_bytes)
}

#[derive(RowKey, Debug)]
struct Pages {
    page: Heaped,
}

#[test]
fn no_allocation() {
    let keys = Keys::from_keys([Pages { page: Heaped(7) }]).unwrap();
    assert_eq!(
        failed(keys.no_allocation()),
        (
            "no_allocation",
            r"Pages fails the test no_allocation: writing (page: 7) \x00\x07 allocates".into()
        )
    );
}
