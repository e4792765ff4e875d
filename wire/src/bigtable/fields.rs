//! Reads the fields of an encoded message in place, without copying or allocating. Also writes the
//! keys of fields, for messages that are written field by field.

use prost::encoding::{DecodeContext, WireType, decode_varint, skip_field};

use crate::WireError;

/// The fields of an encoded message, in the order of its bytes. This type is meant for messages
/// with many parts that are copied elsewhere at once.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{Fields, SampleRowKeysResponse};
///
/// let message = SampleRowKeysResponse { row_key: "r".into(), offset_bytes: 300 }.encode_to_vec();
/// let mut fields = Fields::of(&message);
/// let first = fields.next_field()?.unwrap();
/// assert_eq!((first.number, first.bytes()?), (1, &b"r"[..]));
/// assert_eq!(fields.next_field()?.unwrap().int64()?, 300);
/// assert!(fields.next_field()?.is_none());
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fields<'m>(&'m [u8]);

/// A field of an encoded message, or one element of a repeated field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'m> {
    /// The number of the field, which the `prost` attributes of this module's messages call `tag`.
    pub number: u32,
    value: Value<'m>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value<'m> {
    Number(u64),
    Bytes(&'m [u8]),
    /// The eight bytes of a fixed64 or a double.
    Fixed64([u8; 8]),
    /// A value of another wire type.
    Other,
}

impl<'m> Fields<'m> {
    /// The fields of an encoded message.
    ///
    /// See [`Fields`] for an example of this and the other functions.
    pub fn of(message: &'m [u8]) -> Self {
        Self(message)
    }

    /// Returns the next field; none after the last.
    ///
    /// # Errors
    /// Bytes that are not a field. After this error, the rest of the message must not be read.
    #[inline]
    pub fn next_field(&mut self) -> Result<Option<Field<'m>>, WireError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        match self.field() {
            Some(field) => Ok(Some(field)),
            None => Err(self.wrong()),
        }
    }

    /// Returns the number of bytes that are left.
    pub(super) fn len_left(&self) -> usize {
        self.0.len()
    }

    /// Returns the bytes of the last field with this number, which takes precedence if there are
    /// several.
    pub(super) fn last(mut self, number: u32) -> Result<Option<&'m [u8]>, WireError> {
        let mut last = None;
        while let Some(field) = self.next_field()? {
            if field.number == number {
                last = Some(field.bytes()?);
            }
        }
        Ok(last)
    }

    /// Maps the fields with `read`, which returns `None` for the fields to skip. The iterator ends
    /// after an error.
    pub(super) fn filter_map<T>(
        mut self,
        read: impl Fn(Field<'m>) -> Result<Option<T>, WireError>,
    ) -> impl Iterator<Item = Result<T, WireError>> {
        std::iter::from_fn(move || {
            loop {
                let part = match self.next_field() {
                    Ok(Some(field)) => read(field),
                    Ok(None) => return None,
                    Err(error) => Err(error),
                };
                match part {
                    Ok(None) => {}
                    Ok(Some(part)) => return Some(Ok(part)),
                    Err(error) => {
                        self = Self(&[]);
                        return Some(Err(error));
                    }
                }
            }
        })
    }

    #[cold]
    fn wrong(&self) -> WireError {
        WireError::new("message", format!("{} bytes that are no field", self.0.len()))
    }

    #[inline]
    fn field(&mut self) -> Option<Field<'m>> {
        let mut rest = self.0;
        let key = u32::try_from(varint(&mut rest)?).ok()?;
        let number = key >> 3;
        let value = match key & 7 {
            _ if number == 0 => return None,
            0 => Value::Number(varint(&mut rest)?),
            2 => {
                let len = usize::try_from(varint(&mut rest)?).ok()?;
                let (bytes, after) = rest.split_at_checked(len)?;
                rest = after;
                Value::Bytes(bytes)
            }
            1 => {
                let (bytes, after) = rest.split_first_chunk()?;
                rest = after;
                Value::Fixed64(*bytes)
            }
            other => {
                let wire_type = WireType::try_from(u64::from(other)).ok()?;
                skip_field(wire_type, number, &mut rest, DecodeContext::default()).ok()?;
                Value::Other
            }
        };
        self.0 = rest;
        Some(Field { number, value })
    }
}

impl<'m> Field<'m> {
    /// The value of a field of type bytes, or the encoded message in the field.
    ///
    /// # Errors
    /// A field of another type.
    pub fn bytes(&self) -> Result<&'m [u8], WireError> {
        match self.value {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(self.not("bytes")),
        }
    }

    /// The value of a text field.
    ///
    /// # Errors
    /// A field of another type, or bytes that are not UTF-8.
    pub fn text(&self) -> Result<&'m str, WireError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| self.not("text"))
    }

    /// The value of a number field.
    ///
    /// # Errors
    /// A field of another type.
    pub fn int64(&self) -> Result<i64, WireError> {
        match self.value {
            Value::Number(number) => Ok(number.cast_signed()),
            _ => Err(self.not("a number")),
        }
    }

    /// The value of a field of type double.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::{Fields, Value, ValueKind};
    ///
    /// let value = Value { kind: Some(ValueKind::FloatValue(0.5)), ..Default::default() };
    /// let message = value.encode_to_vec();
    /// assert_eq!(Fields::of(&message).next_field()?.unwrap().double(), Ok(0.5));
    /// # Ok::<(), tallrow_wire::WireError>(())
    /// ```
    ///
    /// # Errors
    /// A field of another type.
    pub fn double(&self) -> Result<f64, WireError> {
        match self.value {
            Value::Fixed64(bytes) => Ok(f64::from_le_bytes(bytes)),
            _ => Err(self.not("a double")),
        }
    }

    #[cold]
    fn not(&self, what: &str) -> WireError {
        WireError::new("message", format!("field {}, which is not {what}", self.number))
    }
}

/// Reads a varint. Most varints have one byte.
#[inline]
fn varint(rest: &mut &[u8]) -> Option<u64> {
    match *rest {
        [byte @ 0..=0x7f, after @ ..] => {
            *rest = after;
            Some(u64::from(*byte))
        }
        _ => decode_varint(rest).ok(),
    }
}

/// Appends the key of a field of bytes or a message, and the length of the value.
pub(super) fn put_field_head(key: u8, len: usize, buffer: &mut Vec<u8>) {
    buffer.push(key);
    put_varint(len as u64, buffer);
}

/// Appends a varint: seven bits per byte, the lowest first.
pub(super) fn put_varint(mut number: u64, buffer: &mut Vec<u8>) {
    while number > 0x7f {
        buffer.push(number as u8 | 0x80);
        number >>= 7;
    }
    buffer.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_all_kinds_are_read_or_skipped() {
        let message = [
            &b"\x08\x96\x01"[..],                            // 1: 150
            b"\x11\0\0\0\0\0\0\0\0",                         // 2: fixed64
            b"\x1d\0\0\0\0",                                 // 3: fixed32
            b"\x22\x02ab",                                   // 4: bytes
            b"\x2b\x08\x01\x2c",                             // 5: group
            b"\x30\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // 6: -1
            b"\x9a\x06\x00",                                 // 99: no bytes
        ]
        .concat();
        let mut fields = Fields::of(&message);
        let mut next = || fields.next_field().unwrap();
        assert_eq!(next().map(|f| (f.number, f.int64())), Some((1, Ok(150))));
        for number in [2, 3] {
            let field = next().unwrap();
            assert_eq!(field.number, number);
            assert!(field.int64().is_err() && field.text().is_err());
            assert_eq!(field.double().is_ok(), number == 2);
        }
        let field = next().unwrap();
        assert_eq!((field.number, field.text()), (4, Ok("ab")));
        let error = field.int64().unwrap_err().to_string();
        assert_eq!(error, "read message: field 4, which is not a number");
        assert_eq!(next().map(|f| f.number), Some(5));
        assert_eq!(next().map(|f| (f.number, f.int64())), Some((6, Ok(-1))));
        assert_eq!(next().map(|f| (f.number, f.bytes())), Some((99, Ok(&b""[..]))));
        assert_eq!(next(), None);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for bad in [
            &b"\x08"[..],
            b"\0",
            b"\x0a\x02a",
            b"\x0f\0",
            b"\x0c",
            b"\x2b\x08\x01",
            b"\x12\xff\xff",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            let error = Fields::of(bad).next_field().unwrap_err().to_string();
            let expected = format!("read message: {} bytes that are no field", bad.len());
            assert_eq!(error, expected);
        }
        let text = Fields::of(b"\x0a\x01\xff").next_field().unwrap().unwrap();
        assert_eq!(text.bytes(), Ok(&b"\xff"[..]));
        assert!(text.text().unwrap_err().to_string().ends_with("field 1, which is not text"));
    }
}
