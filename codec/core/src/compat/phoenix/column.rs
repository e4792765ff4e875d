//! Encodings of columns with a fixed width, and of columns that end with the row.

use crate::encoding::{Decoding, Encoding, Native, NaturalOrder, NonNeg};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// The encoding of a column with a fixed width, or of any last column.
///
/// ```
/// use tallrow_codec::{compat::phoenix::Column, Encoding, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Column as Encoding<i32>>::encode(&-2, &mut row).unwrap_or_else(|never| match never {});
/// <Column as Encoding<f32>>::encode(&1.0, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x7f, 0xff, 0xff, 0xfe, 0xbf, 0x80, 0, 1]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Column {}

as_native! {
    Column:
    [] i8; [] i16; [] i32; [] i64;
    [] NonNeg<i8>; [] NonNeg<i16>; [] NonNeg<i32>; [] NonNeg<i64>;
    [] bool;
    [const N: usize] [u8; N];
}

macro_rules! unsigned {
    ($($int:ty, $signed:ty, $allowed:literal;)*) => {$(
        impl Encoding<$int> for Column {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), FieldError> {
                if <$signed>::try_from(*value).is_err() {
                    return Err(FieldErrorKind::OutOfRange { allowed: $allowed }.into());
                }
                Ok(Native::encode(value, out)?)
            }
        }

        impl Decoding<'_, $int> for Column {
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                let value: $int = Native::decode(input)?;
                match <$signed>::try_from(value) {
                    Ok(_) => Ok(value),
                    Err(_) => Err(input.fail(FieldErrorKind::NotCanonical { expected: $allowed })),
                }
            }
        }
    )*};
}

unsigned! {
    u8, i8, "at most 127, the largest UNSIGNED_TINYINT";
    u16, i16, "at most 32767, the largest UNSIGNED_SMALLINT";
    u32, i32, "at most 2147483647, the largest UNSIGNED_INT";
    u64, i64, "at most 9223372036854775807, the largest UNSIGNED_LONG";
}

raw!(Column);
