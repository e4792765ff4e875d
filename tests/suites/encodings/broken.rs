//! Encodings that violate one property each, as those of codecs in use do: the matrix must find
//! every one of them.

use std::convert::Infallible;

use tallrow_codec::{
    Decoding, Encoding, Failed, Field, FieldError, FieldErrorKind, Input, NaturalOrder, RowBuf,
    Sink,
};
use tallrow_matrix::{Layout, Part};

use crate::of::Of;
use crate::values::{bytes, numbers};

macro_rules! encoding {
    ($(#[$doc:meta])* $name:ident: $arg:ty => $value:ty, width $width:expr, $encode:expr, $decode:expr) => {
        $(#[$doc])*
        enum $name {}

        impl Encoding<$arg> for $name {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = $width;
            const PREFIX_FREE: bool = true;

            fn encode<S: Sink>(value: &$arg, out: &mut S) -> Result<(), Infallible> {
                let bytes: Vec<u8> = $encode(value);
                out.put(&bytes);
                Ok(())
            }
        }

        impl Decoding<'_, $value> for $name {
            fn decode(input: &mut Input<'_>) -> Result<$value, Failed> {
                $decode(input)
            }
        }
    };
}

encoding! {
    /// Negative numbers after positive ones, as `Bytes.toBytes` of HBase has them.
    TwosComplement: i16 => i16, width Some(2),
    |n: &i16| n.to_be_bytes().into(),
    |input: &mut Input<'_>| input.read_array().map(i16::from_be_bytes)
}

encoding! {
    /// Text up to a 00 that the text itself may hold.
    Unescaped: [u8] => Vec<u8>, width None,
    |bytes: &[u8]| [bytes, &[0]].concat(),
    |input: &mut Input<'_>| {
        let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
        let bytes = input.read_bytes(len)?.into_owned();
        input.read_array::<1>()?;
        Ok(bytes)
    }
}

encoding! {
    /// Minus zero is read back as zero.
    Folded: f32 => f32, width Some(4),
    |f: &f32| {
        let mut row = RowBuf::<8>::new();
        let Ok(()) = <tallrow_codec::Native as Encoding<f32>>::encode(f, &mut row);
        row.to_vec()
    },
    |input: &mut Input<'_>| {
        <tallrow_codec::Native as Decoding<'_, f32>>::decode(input).map(|f| f + 0.0)
    }
}

encoding! {
    /// Every byte but 00 is true.
    Lax: bool => bool, width Some(1),
    |b: &bool| vec![u8::from(*b)],
    |input: &mut Input<'_>| input.read_array().map(|[byte]| byte != 0)
}

encoding! {
    /// Less is written than its width says.
    Narrow: u16 => u16, width Some(4),
    |n: &u16| n.to_be_bytes().into(),
    |input: &mut Input<'_>| input.read_array().map(u16::from_be_bytes)
}

encoding! {
    /// Bytes that are read to the end of the row, wherever that is.
    Greedy: [u8] => Vec<u8>, width None,
    |bytes: &[u8]| bytes.to_vec(),
    |input: &mut Input<'_>| input.read_bytes(input.remaining()).map(|bytes| bytes.into_owned())
}

fn part<F, T>(values: &[T], order: fn(&T, &T) -> std::cmp::Ordering) -> Of<F, T>
where
    T: Field + Clone + std::fmt::Debug + 'static,
    F: Encoding<T::Arg, Order = NaturalOrder, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    Of::<F, T>::new("broken", values, |_| true, order).ordered()
}

#[test]
#[should_panic = "left: Greater"]
fn order() {
    let part = part::<TwosComplement, i16>(&numbers!(i16), i16::cmp);
    let layout = Layout(vec![&part]);
    layout.sorts(&layout.keys());
}

#[test]
#[should_panic = "does not hold all rows"]
fn ranges() {
    let part = part::<TwosComplement, i16>(&[-1, 0, 1, 2], i16::cmp);
    let layout = Layout(vec![&part]);
    layout.ranges(&layout.keys(), &[]);
}

#[test]
#[should_panic = " begins "]
fn prefix_freedom() {
    let part = part::<Unescaped, Vec<u8>>(&bytes(), Ord::cmp);
    let layout = Layout(vec![&part]);
    layout.sorts(&layout.keys());
}

#[test]
#[should_panic = "contains a row of another field"]
fn one_value_is_one_range() {
    let part = part::<Greedy, Vec<u8>>(&[vec![], vec![1], vec![1, 1]], Ord::cmp);
    let layout = Layout(vec![&part as &dyn Part, &part]);
    layout.fronts(&layout.keys());
}

#[test]
#[should_panic = "right: Ok(true)"]
fn round_trip() {
    let part = part::<Folded, f32>(&[-0.0, 0.0], f32::total_cmp);
    let layout = Layout(vec![&part]);
    layout.reads_back(&layout.keys());
}

#[test]
#[should_panic = "right: [129]"]
fn canonical_decode() {
    let part = part::<Lax, bool>(&[true], bool::cmp);
    let layout = Layout(vec![&part]);
    layout.damage(&layout.key(&[0]), &[0x80]);
}

#[test]
#[should_panic = "right: 2"]
fn width() {
    let part = part::<Narrow, u16>(&[7], u16::cmp);
    Layout(vec![&part]).key(&[0]);
}

/// The end mark is not inverted, so a text sorts before its own beginnings.
#[test]
#[should_panic = "left: Greater"]
fn order_of_descending_text() {
    let descending = |bytes: &Vec<u8>| bytes.iter().map(|b| !b).collect::<Vec<_>>();
    let values: Vec<_> = bytes().iter().map(descending).collect();
    let order = |a: &Vec<u8>, b: &Vec<u8>| b.iter().map(|b| !b).cmp(a.iter().map(|b| !b));
    let part = part::<Unescaped, Vec<u8>>(&values, order);
    let layout = Layout(vec![&part]);
    layout.sorts(&layout.keys());
}
