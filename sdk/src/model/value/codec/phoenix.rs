//! The codec that stores a value in the encoding of Apache Phoenix.

use std::fmt::Display;

use super::encoded::{KeyEncoded, decode};
use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::compat::phoenix::Column;
use crate::key::{Decoding, Encoding, Fallibility, Field};

/// The codec that stores a value in the encoding of Phoenix (`codec = phoenix`; it is also the
/// codec of every cell of a table with `compat = "phoenix"`).
///
/// | SQL | type |
/// |---|---|
/// | `TINYINT` `SMALLINT` `INTEGER` `BIGINT` | `i8` `i16` `i32` `i64` |
/// | `UNSIGNED_TINYINT` `_SMALLINT` `_INT` `_LONG` | `u8` `u16` `u32` `u64` |
/// | `FLOAT` `DOUBLE` | `f32` `f64` |
/// | `UNSIGNED_FLOAT` `UNSIGNED_DOUBLE` | `f32` `f64`, with [`codec = KeyEncoded::<UnsignedFloat>`](crate::key::compat::phoenix::UnsignedFloat) |
/// | `DECIMAL` | [`Decimal`](crate::key::compat::Decimal) |
/// | `BOOLEAN` | `bool` |
/// | `VARCHAR` | `String` |
/// | `CHAR(N)` | `String`, with [`codec = KeyEncoded::<Char<N>>`](crate::key::compat::phoenix::Char) |
/// | `VARBINARY` `BINARY(N)` | `Vec<u8>` `[u8; N]` |
/// | `DATE` `TIME` | `i64`, milliseconds since 1970 |
/// | `UNSIGNED_DATE` `UNSIGNED_TIME` | `u64` |
/// | `TIMESTAMP` | [`Timestamp`](crate::key::compat::phoenix::Timestamp) |
///
/// Phoenix reads an empty text as null, and stores null as an absent cell. Encoding an empty text
/// or empty bytes is therefore an error: use an `Option`, with `None` for null.
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, Phoenix};
///
/// let mut cell = Vec::new();
/// Phoenix::encode(&-2i32, &mut cell)?;
/// assert_eq!(cell, [0x7f, 0xff, 0xff, 0xfe]);
/// assert_eq!(<Phoenix as DecodeCell<i32>>::decode(&cell)?, -2);
/// let refused = Phoenix::encode(&String::new(), &mut cell).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "expected a value, found an empty one, which is null to Phoenix; use None"
/// );
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Phoenix {}

#[diagnostic::do_not_recommend]
impl<V> EncodeCell<V> for Phoenix
where
    V: Field,
    Column: Encoding<V::Arg>,
    <Column as Encoding<V::Arg>>::Error: Fallibility + Display,
{
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let before = out.len();
        KeyEncoded::<Column>::encode(value, out)?;
        match out.len() {
            len if len == before => {
                Err(ValueError::new("a value", "an empty one, which is null to Phoenix; use None"))
            }
            _ => Ok(()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<V> DecodeCell<V> for Phoenix
where
    Column: for<'a> Decoding<'a, V>,
{
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        decode::<V, Column>("a value of Phoenix", bytes)
    }
}
