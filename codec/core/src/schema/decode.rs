//! Decoding of rows into values, without their Rust type.
//!
//! # Invariants
//!
//! - A schema reads, writes and refuses the same rows as its type: both call the same encoding
//!   functions. Tests: `codec/tests/properties/schema.rs::values_are_those_of_the_type`,
//!   `codec/tests/properties/schema.rs::errors_of_encoding_are_those_of_the_type`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::num::NonZero;

use tallrow_layout::{Attributes, End, Field, Int, Limit, RevTsKind, SaltOrHash, Type};

use super::key_prefix::{KeyPrefixState, prefix_name, with_plain_bytes};
use super::model::Schema;
use super::number::{largest, least};
use super::parts::{PartLayout, RowPart};
use super::tags as enum_tags;
use super::time::Time;
use super::value::{FieldValues, Value};
use crate::encoding::charset::check_chars;
use crate::encoding::digest::{NOT_HEX, is_hex};
use crate::encoding::number::{TOO_LARGE, check_period_start, parse_decimal};
use crate::encoding::scalar::read_is_some;
use crate::encoding::tag_pairs::NOT_IN_ORDER;
use crate::encoding::text::{take_fixed, take_terminated, utf8};
use crate::encoding::uid::read_id;
use crate::encoding::{
    Decoding, Escaped, InvertedRevTs, Native, NonNeg, RawBe, RevTs, TextEncoding, list,
};
use crate::error::{DecodeError, FieldErrorKind};
use crate::key_prefix::random;
use crate::row::{Failed, Input};
use crate::show;

impl Schema {
    /// Returns the values of the fields of a row key.
    ///
    /// Decoding is as strict here as with the Rust type: a row that is accepted encodes to the same
    /// bytes, and its salt or hash prefix is computed again and compared. The bucket of a random
    /// salt, counted from 0, is returned as the value of `salt`.
    ///
    /// # Errors
    /// When the bytes are not a row key of this layout; the errors are those of the type's own
    /// `decode`.
    ///
    /// ```
    /// use tallrow_codec::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Event\nuser: u16\nname: text\n")?;
    /// let fields = schema.decode(b"\0\x07bob")?;
    /// assert_eq!(fields.get("name"), Some(&Value::from("bob")));
    /// let error = schema.decode(b"\0").unwrap_err();
    /// assert_eq!(error.to_string(), "decode Event: field user at byte 0: need 2 bytes, found 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(&self, row: &[u8]) -> Result<FieldValues, DecodeError> {
        let mut fields = FieldValues::default();
        self.read_parts(row, |part| {
            if let Some(value) = part.value {
                fields.push(part.name, value);
            }
        })?;
        Ok(fields)
    }

    /// Returns the parts of a row, in order; together they are the whole row.
    ///
    /// ```
    /// use tallrow_codec::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Event\nuser: text, escaped\nat: u16\n")?;
    /// let parts = schema.parts(b"bob\0\x01\0\x07")?;
    /// assert_eq!((parts[0].name, &parts[0].bytes), ("user", &(0..5)));
    /// assert_eq!((parts[1].name, &parts[1].bytes), ("at", &(5..7)));
    /// assert_eq!(parts[1].value, Some(Value::from(7_u16)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`decode`](Schema::decode).
    pub fn parts(&self, row: &[u8]) -> Result<Vec<RowPart<'_>>, DecodeError> {
        let mut parts = Vec::new();
        self.read_parts(row, |part| parts.push(part))?;
        Ok(parts)
    }

    /// Reads a row, and passes each of its parts to `part`.
    pub(super) fn read_parts<'s>(
        &'s self,
        row: &[u8],
        mut part: impl FnMut(RowPart<'s>),
    ) -> Result<(), DecodeError> {
        let mut reader = Reader { schema: self, input: Input::new(row), row, inner: None };
        let prefix = self.salt_or_hash();
        let mut state = KeyPrefixState::new(prefix);
        let (name, width) = (prefix_name(prefix), prefix.width());
        let front = reader.step(name, |input, _| input.read_bytes(width))?;
        let bucket = match *prefix {
            SaltOrHash::RandomSalt { buckets, bucket_offset, .. } => {
                random::bucket_index(&front, bucket_offset, buckets)
            }
            _ => None,
        };
        if let Some(index) = bucket {
            state = KeyPrefixState::Random(index);
        }
        if width > 0 {
            let (value, layout) = (bucket.map(Value::from), PartLayout::KeyPrefix(prefix));
            part(RowPart { name, bytes: 0..width, value, layout });
        }
        for field in self.fields() {
            part(reader.field(field, &mut state)?);
        }
        if !self.records().is_empty() {
            let at = reader.input.position();
            let tag = reader.step("tag", |input, _| tag(input, self.tag_width()))?;
            let Some(record) = self.records().iter().find(|record| record.tag() == u64::from(tag))
            else {
                let _failed = reader.input.fail_unknown_tag(self.tag_width());
                return Err(reader.error("tag", at));
            };
            part(RowPart {
                name: "tag",
                bytes: at..reader.input.position(),
                value: Some(Value::Variant(record.name().into())),
                layout: PartLayout::Tag(record, self.tag_width()),
            });
            for field in record.fields() {
                part(reader.field(field, &mut state)?);
            }
        }
        let end = reader.input.position();
        if reader.input.expect_end().is_err() {
            return Err(reader.error("end", end));
        }
        let mut own = alloc::vec![0; width];
        state.write(prefix, &mut own);
        if own != *front {
            let is_random = matches!(*prefix, SaltOrHash::RandomSalt { .. });
            let kind = if is_random { random::NO_BUCKET } else { FieldErrorKind::WrongSaltOrHash };
            let _failed = reader.input.fail_key_prefix(name, kind);
            return Err(reader.error(name, 0));
        }
        Ok(())
    }
}

struct Reader<'s, 'r> {
    schema: &'s Schema,
    input: Input<'r>,
    row: &'r [u8],
    /// The innermost field that failed in a nested key.
    inner: Option<&'s str>,
}

impl<'s, 'r> Reader<'s, 'r> {
    fn error(&self, field: &str, at: usize) -> DecodeError {
        let kind = self.input.fault().map_or(FieldErrorKind::Unterminated, |fault| fault.kind());
        let name = |name: &str| Cow::Owned(name.to_string());
        DecodeError::with_names(
            name(self.schema.name()),
            name(field),
            self.inner.map(name),
            at,
            kind,
        )
    }

    fn step<T>(
        &mut self,
        field: &str,
        read: impl FnOnce(&mut Input<'r>, &mut Option<&'s str>) -> Result<T, Failed>,
    ) -> Result<T, DecodeError> {
        let at = self.input.position();
        read(&mut self.input, &mut self.inner).map_err(|_| self.error(field, at))
    }

    fn field(
        &mut self,
        field: &'s Field,
        state: &mut KeyPrefixState,
    ) -> Result<RowPart<'s>, DecodeError> {
        let from = self.input.position();
        let value = self.step(field.name(), |input, inner| read(field, input, inner))?;
        let bytes = from..self.input.position();
        if self.schema.salt_or_hash().hashes(field) {
            match self.schema.salt_or_hash() {
                SaltOrHash::HashPrefix { .. } => {
                    if let Ok(value) = enum_tags::names_to_tags(field, &value) {
                        with_plain_bytes(field.ty(), &value, |bytes| state.feed(bytes));
                    }
                }
                _ => state.feed(self.row.get(bytes.clone()).unwrap_or_default()),
            }
        }
        let layout = PartLayout::Field(field);
        Ok(RowPart { name: field.name(), bytes, value: Some(value), layout })
    }
}

fn tag(input: &mut Input<'_>, width: usize) -> Result<u32, Failed> {
    match width {
        1 => <Native as Decoding<'_, u8>>::decode(input).map(u32::from),
        2 => <Native as Decoding<'_, u16>>::decode(input).map(u32::from),
        _ => Native::decode(input),
    }
}

/// Reads one field; if a field of a nested key fails, sets `inner` to its name.
fn read<'s>(
    field: &'s Field,
    input: &mut Input<'_>,
    inner: &mut Option<&'s str>,
) -> Result<Value, Failed> {
    let value = if field.attributes().desc {
        input.read_inverted(|input| ascending(field, input, inner))?
    } else {
        ascending(field, input, inner)?
    };
    enum_tags::tags_to_names(field, value).map_err(|kind| input.fail(kind))
}

fn ascending<'s>(
    field: &'s Field,
    input: &mut Input<'_>,
    inner: &mut Option<&'s str>,
) -> Result<Value, Failed> {
    let attributes = field.attributes();
    if attributes.compat.is_some() {
        return Err(input.fail(FieldErrorKind::CompatEncoding));
    }
    if let Some(md5) = attributes.md5 {
        let bytes = input.read_bytes(md5.len)?;
        if !md5.hex {
            return Ok(Value::Digest(show::hex(&bytes).to_string()));
        }
        if !is_hex(&bytes) {
            return Err(input.fail(NOT_HEX));
        }
        return text(bytes, input).map(Value::Digest);
    }
    match field.ty() {
        Type::List(item) => items(item, attributes, input, inner).map(Value::List),
        ty => single(ty, attributes, input, inner),
    }
}

fn items<'s>(
    item: &'s Type,
    attributes: &Attributes,
    input: &mut Input<'_>,
    inner: &mut Option<&'s str>,
) -> Result<Vec<Value>, Failed> {
    let mut items = Vec::new();
    if attributes.terminated {
        while list::read_has_item(input)? {
            items.push(single(item, attributes, input, inner)?);
        }
    } else {
        while input.remaining() > 0 {
            let before = input.position();
            items.push(single(item, attributes, input, inner)?);
            list::check_advanced(before, input)?;
        }
    }
    Ok(items)
}

fn tags<'s>(
    max: usize,
    halves: (&'s Type, &'s Type),
    input: &mut Input<'_>,
    inner: &mut Option<&'s str>,
) -> Result<Vec<(Value, Value)>, Failed> {
    let attributes = Attributes::default();
    let mut pairs = Vec::new();
    let mut last: Option<&[u8]> = None;
    while pairs.len() < max && input.remaining() > 0 {
        let from = input.position();
        let key = single(halves.0, &attributes, input, inner)?;
        let bytes = input.read_since(from);
        let value = single(halves.1, &attributes, input, inner)?;
        if last.is_some_and(|last| last >= bytes) {
            return Err(input.fail(NOT_IN_ORDER));
        }
        last = Some(bytes);
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Reads one value, or one item of a list.
fn single<'s>(
    ty: &'s Type,
    attributes: &Attributes,
    input: &mut Input<'_>,
    inner: &mut Option<&'s str>,
) -> Result<Value, Failed> {
    let ty = match ty {
        Type::Optional(some) => {
            if !read_is_some(input)? {
                return Ok(Value::None);
            }
            &**some
        }
        ty => ty,
    };
    let value = match ty {
        Type::Int(int) => integer(*int, attributes, input)?,
        Type::Float(4) => Value::Float32(Native::decode(input)?),
        Type::Float(_) => Value::Float64(Native::decode(input)?),
        Type::Bool => Value::Bool(Native::decode(input)?),
        Type::Char => Value::Char(Native::decode(input)?),
        Type::Array(len) => Value::Bytes(input.read_bytes(*len)?.into_owned()),
        Type::Uid(len) => {
            let bytes = input.read_bytes(*len)?;
            Value::Unsigned(read_id(&bytes, input)?.into())
        }
        Type::Digest(len) => Value::Digest(show::hex(&input.read_bytes(*len)?).to_string()),
        Type::Uuid => Value::Uuid(input.read_array()?),
        Type::Text => {
            let bytes = ended(attributes, input)?;
            let text = text(bytes, input)?;
            Value::Text(if attributes.reverse { text.chars().rev().collect() } else { text })
        }
        Type::Bytes => Value::Bytes(ended(attributes, input)?.into_owned()),
        Type::TagPairs { max, key, value } => {
            Value::TagPairs(tags(*max, (key, value), input, inner)?)
        }
        // A valid layout has none of these types here.
        Type::Optional(_) | Type::List(_) | Type::Foreign(_) | Type::Unknown(_) => {
            return Err(input.fail(FieldErrorKind::Unterminated));
        }
        Type::Key(fields) => {
            let mut values = FieldValues::default();
            for field in fields {
                let value = read(field, input, inner).inspect_err(|_| {
                    inner.get_or_insert(field.name());
                })?;
                values.push(field.name(), value);
            }
            Value::Key(values)
        }
    };
    Ok(match (attributes.display_time, &value) {
        (Some(unit), Value::Signed(count)) => Value::Time(Time { count: *count, unit }),
        (Some(unit), Value::Unsigned(count)) => match i128::try_from(*count) {
            Ok(count) => Value::Time(Time { count, unit }),
            Err(_) => value,
        },
        _ => value,
    })
}

fn text(bytes: Cow<'_, [u8]>, input: &mut Input<'_>) -> Result<String, Failed> {
    utf8(bytes).map(Cow::into_owned).map_err(|fault| input.fail(fault))
}

/// Reads the text or bytes of a field, up to their end.
fn ended<'r>(attributes: &Attributes, input: &mut Input<'r>) -> Result<Cow<'r, [u8]>, Failed> {
    let bytes = match attributes.end() {
        End::Native => Native::take(input)?,
        End::Escaped => Escaped::take(input)?,
        End::Byte(end) => take_terminated(input, end)?,
        End::Width { width, pad } => take_fixed(input, width, pad)?,
    };
    if let Some(set) = attributes.chars {
        check_chars(&bytes, set).map_err(|fault| input.fail(fault))?;
    }
    Ok(bytes)
}

fn integer(int: Int, attributes: &Attributes, input: &mut Input<'_>) -> Result<Value, Failed> {
    match attributes.rev_ts {
        Some(RevTsKind::Max) if int.signed => {
            return <RevTs as Decoding<'_, i64>>::decode(input).map(Value::from);
        }
        Some(RevTsKind::Max) => {
            return <RevTs as Decoding<'_, u64>>::decode(input).map(Value::from);
        }
        Some(RevTsKind::Inverted) => {
            return <InvertedRevTs as Decoding<'_, u64>>::decode(input).map(Value::from);
        }
        None => {}
    }
    let value = match attributes.digits {
        Some(len) => {
            let digits = input.read_bytes(len)?;
            let digits = digits.iter().copied();
            let value = if attributes.reverse {
                parse_decimal(digits.rev(), input)?
            } else {
                parse_decimal(digits, input)?
            };
            if value > largest(int) {
                return Err(input.fail(TOO_LARGE));
            }
            Value::Unsigned(value)
        }
        None => native_int(int, attributes.raw_be, input)?,
    };
    if let Some(step) = attributes.floor_period() {
        let number = match value {
            Value::Signed(number) => number,
            Value::Unsigned(number) => i128::try_from(number).unwrap_or(i128::MAX),
            _ => return Ok(value),
        };
        check_period_start(step, number, least(int), input)?;
    }
    Ok(value)
}

/// Reads a number in the encoding of its type.
fn native_int(int: Int, raw: bool, input: &mut Input<'_>) -> Result<Value, Failed> {
    macro_rules! read {
        ($($signed:ident $unsigned:ident $bytes:literal;)*) => {
            match (int.bytes, int.signed, int.limit) {
                $(
                    ($bytes, true, Limit::Any) if raw => {
                        <RawBe as Decoding<'_, $signed>>::decode(input).map(Value::from)
                    }
                    ($bytes, true, Limit::Any) => {
                        <Native as Decoding<'_, $signed>>::decode(input).map(Value::from)
                    }
                    ($bytes, true, Limit::NonZero) => {
                        <Native as Decoding<'_, NonZero<$signed>>>::decode(input)
                            .map(|number| Value::from(number.get()))
                    }
                    ($bytes, true, Limit::NonNeg) => {
                        <Native as Decoding<'_, NonNeg<$signed>>>::decode(input)
                            .map(|number| Value::from(number.get()))
                    }
                    ($bytes, false, Limit::NonZero) => {
                        <Native as Decoding<'_, NonZero<$unsigned>>>::decode(input)
                            .map(|number| Value::from(number.get()))
                    }
                    ($bytes, false, _) => {
                        <Native as Decoding<'_, $unsigned>>::decode(input).map(Value::from)
                    }
                )*
                _ => Err(input.fail(FieldErrorKind::Unterminated)),
            }
        };
    }
    read! { i8 u8 1; i16 u16 2; i32 u32 4; i64 u64 8; i128 u128 16; }
}
