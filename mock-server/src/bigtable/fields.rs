//! The fields of a message, read where they are in it: a request of many rows is not first copied into messages.

use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::call::Call;
use super::status::{StatusCode, StatusResult};

/// A message is not encoded as it should be. What is wrong is known to the decoder of all messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// The fields of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'m>(&'m [u8]);

/// A field, which may be repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'m> {
    pub(super) number: u32,
    value: Value<'m>,
}

#[derive(Clone, Copy, Debug)]
enum Value<'m> {
    Number(u64),
    Bytes(&'m [u8]),
    Other,
}

impl<'m> Fields<'m> {
    /// The fields of an encoded message.
    pub(super) fn of(message: &'m [u8]) -> Self {
        Self(message)
    }

    /// The next field; none after the last.
    pub(super) fn next(&mut self) -> Result<Option<Field<'m>>, Malformed> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (number, wire_type) = decode_key(&mut self.0).map_err(|_| Malformed)?;
        let value = match wire_type {
            WireType::Varint => Value::Number(self.varint()?),
            WireType::LengthDelimited => {
                let len = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
                let (bytes, rest) = self.0.split_at_checked(len).ok_or(Malformed)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            other => {
                skip_field(other, number, &mut self.0, DecodeContext::default())
                    .map_err(|_| Malformed)?;
                Value::Other
            }
        };
        Ok(Some(Field { number, value }))
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        match self.0 {
            [byte @ ..0x80, rest @ ..] => {
                self.0 = rest;
                Ok(u64::from(*byte))
            }
            _ => decode_varint(&mut self.0).map_err(|_| Malformed),
        }
    }
}

impl<'m> Field<'m> {
    /// Its bytes, or the message that it is.
    pub(super) fn bytes(&self) -> Result<&'m [u8], Malformed> {
        match self.value {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(Malformed),
        }
    }

    /// Its text.
    pub(super) fn text(&self) -> Result<&'m str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }

    /// Its number.
    pub(super) fn int64(&self) -> Result<i64, Malformed> {
        match self.value {
            Value::Number(number) => Ok(number.cast_signed()),
            _ => Err(Malformed),
        }
    }
}

impl Call<'_> {
    /// Reads the request, which is an `M`, where it is.
    pub(super) fn read<'m, M: Message + Default, R>(
        &'m self,
        read: impl FnOnce(&'m [u8]) -> Result<R, Malformed>,
    ) -> StatusResult<R> {
        read(&self.message).map_err(|Malformed| match self.decode::<M>() {
            Err(status) => status,
            Ok(_) => StatusCode::Internal.status("The request cannot be decoded"),
        })
    }
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
        ]
        .concat();
        let mut fields = Fields::of(&message);
        let mut next = || fields.next().unwrap();
        assert_eq!(next().map(|f| (f.number, f.int64())), Some((1, Ok(150))));
        for number in [2, 3] {
            let field = next().unwrap();
            assert_eq!(
                (field.number, field.int64(), field.text()),
                (number, Err(Malformed), Err(Malformed))
            );
        }
        assert_eq!(
            next().map(|f| (f.number, f.text(), f.int64())),
            Some((4, Ok("ab"), Err(Malformed)))
        );
        assert_eq!(next().map(|f| f.number), Some(5));
        assert_eq!(next().map(|f| (f.number, f.int64())), Some((6, Ok(-1))));
        assert!(next().is_none());
    }

    #[test]
    fn what_is_no_message_is_malformed() {
        for bad in [
            &b"\x08"[..],
            b"\0",
            b"\x0a\x02a",
            b"\x0f\0",
            b"\x2b\x08\x01",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(Fields::of(bad).next().is_err(), "{}", bad.escape_ascii());
        }
        let text = Fields::of(b"\x0a\x01\xff").next().unwrap().unwrap();
        assert_eq!((text.bytes(), text.text()), (Ok(&b"\xff"[..]), Err(Malformed)));
    }
}
