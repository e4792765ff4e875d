//! The codecs that encode the value of a field as the bytes of a cell. The attribute of the field
//! names the codec.
//!
//! # Invariants
//!
//! - A counter is changed only by increments. Tests: `tests/suites/ui/table/set_of_a_counter.rs`.

#[cfg(feature = "cbor")]
mod cbor;
mod encoded;
#[cfg(feature = "json")]
mod json;
mod ordered;
mod packed;
mod phoenix;
mod protobuf;
mod unix_time;

#[cfg(feature = "cbor")]
pub use cbor::Cbor;
pub use encoded::KeyEncoded;
#[cfg(feature = "json")]
pub use json::Json;
pub use ordered::Ordered;
pub use packed::Packed;
pub(crate) use packed::PackedItems;
pub use phoenix::Phoenix;
pub use protobuf::Protobuf;
pub use unix_time::{Truncated, UnixDays, UnixMicros, UnixMillis, UnixSeconds, UnixTimeCodec};

use super::{Aggregated, CellValue, Counter, ValueError};

/// A codec that writes values of type `V`.
///
/// A codec is a type without values: [`NativeCodec`], [`Ordered`], [`Phoenix`], [`KeyEncoded`],
/// [`UnixMillis`], [`Packed`], [`Protobuf`], `Json` and `Cbor` with their features, or a custom
/// one. The attribute of a field names the codec: `#[cell("d:x", codec = json)]`, `#[cell("d:x",
/// codec = Decimal)]`.
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, ValueError};
///
/// /// Cents as decimal text, so that the shell shows them.
/// enum Decimal {}
///
/// impl EncodeCell<u64> for Decimal {
///     fn encode(value: &u64, out: &mut Vec<u8>) -> Result<(), ValueError> {
///         out.extend_from_slice(value.to_string().as_bytes());
///         Ok(())
///     }
/// }
///
/// impl DecodeCell<u64> for Decimal {
///     fn decode(bytes: &[u8]) -> Result<u64, ValueError> {
///         let text = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
///         text.ok_or_else(|| ValueError::new("digits", "something else"))
///     }
/// }
///
/// let mut cell = Vec::new();
/// Decimal::encode(&1999, &mut cell)?;
/// assert_eq!(cell, b"1999");
/// assert_eq!(Decimal::decode(&cell), Ok(1999));
/// # Ok::<(), ValueError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a value of type `{V}` cannot be written to this column",
    label = "not a column to write `{V}` to",
    note = "a `Counter` is added to, never written; `codec = ordered` takes what row keys do, `UnixMillis` points in time, `json` types of \
            serde, each with its feature; for another type implement CellValue, or EncodeCell for its codec"
)]
pub trait EncodeCell<V> {
    /// Appends the bytes of a value.
    ///
    /// # Errors
    /// The codec cannot encode the value.
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError>;
}

/// A codec that reads values of type `V`.
///
/// See [`EncodeCell`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not read values of type `{V}`",
    label = "no values of type `{V}` here",
    note = "`codec = ordered` takes what row keys do, `UnixMillis` points in time, `json` types of serde, each with its feature; for \
            another type implement CellValue, or DecodeCell for its codec"
)]
pub trait DecodeCell<V> {
    /// Decodes a value.
    ///
    /// # Errors
    /// The bytes do not encode a value of this type.
    fn decode(bytes: &[u8]) -> Result<V, ValueError>;

    /// The value of an absent cell; `None` if absence is an error.
    #[doc(hidden)]
    fn absent() -> Option<V> {
        None
    }
}

/// The default codec, which is used if the attribute of a field names no codec. It stores the bytes
/// of [`CellValue`], which HBase's own tools read and write.
///
/// ```
/// use tallrow::value::{DecodeCell, NativeCodec};
///
/// assert_eq!(<NativeCodec as DecodeCell<i32>>::decode(&[0, 0, 0, 7]), Ok(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum NativeCodec {}

#[diagnostic::do_not_recommend]
impl<V: CellValue> EncodeCell<V> for NativeCodec {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        value.write_cell(out);
        Ok(())
    }
}

impl<V: CellValue> DecodeCell<V> for NativeCodec {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        V::from_cell(bytes)
    }
}

#[diagnostic::do_not_recommend]
impl DecodeCell<Counter> for NativeCodec {
    fn decode(bytes: &[u8]) -> Result<Counter, ValueError> {
        i64::from_cell(bytes).map(Counter)
    }

    fn absent() -> Option<Counter> {
        Some(Counter(0))
    }
}

#[diagnostic::do_not_recommend]
impl<V: CellValue> DecodeCell<Aggregated<V>> for NativeCodec {
    fn decode(bytes: &[u8]) -> Result<Aggregated<V>, ValueError> {
        V::from_cell(bytes).map(|value| Aggregated(Some(value)))
    }

    fn absent() -> Option<Aggregated<V>> {
        Some(Aggregated(None))
    }
}
