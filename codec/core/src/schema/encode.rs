//! Encoding of values into rows, without their Rust type.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use tallrow_layout::{Attributes, DigestPart, End, Field, RecordVariant, SaltOrHash, Type};

use super::error::{A_NUMBER, ValueError, out_of_range};
use super::key_prefix::{KeyPrefixState, prefix_name, with_plain_bytes};
use super::model::Schema;
use super::number::{WholeNumber, put_integer, time_in_unit, whole_number};
use super::tags as enum_tags;
use super::value::Value;
use crate::encoding::charset::check_chars;
use crate::encoding::desc::invert;
use crate::encoding::digest::put_md5;
use crate::encoding::reversed_chars::reverse_chars;
use crate::encoding::text::{check_absent, check_fixed};
use crate::encoding::uid::put_id;
use crate::encoding::{Encoding, Escaped, Md5State, Native, TextEncoding};
use crate::error::{EncodeError, FieldErrorKind};
use crate::row::{RowBuf, Sink};
use crate::show;

impl Schema {
    /// Returns the bytes of the row key with these values, which may be in any order.
    ///
    /// A number may be given as [`Unsigned`](Value::Unsigned) or [`Signed`](Value::Signed), a time
    /// also as [`Time`](Value::Time); a hashed field takes its unhashed value or the
    /// [`Digest`](Value::Digest). The record variant of an enum is given as a
    /// [`Variant`](Value::Variant) with any name; the bucket of a random salt, counted from 0, is
    /// given as the value of `salt`.
    ///
    /// # Errors
    /// When a field has no value or a value that does not fit, or when a value belongs to no field.
    ///
    /// ```
    /// use tallrow_codec::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Event\nuser: u16\nhost: text, md5(bytes = 4)\n")?;
    /// let row = schema.encode(&[("host", Value::from("host1")), ("user", Value::from(7))])?;
    /// assert_eq!(row, [0, 7, 0x81, 0x5a, 0xd1, 0xc0]);
    /// let digest = Value::Digest("815ad1c0".into());
    /// assert_eq!(schema.encode(&[("host", digest), ("user", Value::from(7))])?, row);
    ///
    /// let error = schema.encode(&[("user", Value::from(70_000))]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "encode Event: field user: the value must be a number that fits the field's type"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode<N: AsRef<str>>(&self, fields: &[(N, Value)]) -> Result<Vec<u8>, EncodeError> {
        let mut given = RemainingValues::new(fields);
        let (mut row, mut prefix) = (RowBuf::new(), KeyPrefixState::new(self.salt_or_hash()));
        let width = self.salt_or_hash().width();
        for _ in 0..width {
            row.put(&[0]);
        }
        if let SaltOrHash::RandomSalt { buckets, .. } = self.salt_or_hash() {
            prefix = KeyPrefixState::Random(self.bucket(&mut given, *buckets)?);
        }
        let mut field = |field: &Field, given: &mut RemainingValues<'_>, row: &mut RowBuf| {
            let missing = || self.error(field.name(), None, FieldErrorKind::Missing);
            let value = given.take(field.name()).ok_or_else(missing)?;
            self.put_field(field, value, row, &mut prefix)
        };
        self.fields().iter().try_for_each(|one| field(one, &mut given, &mut row))?;
        if !self.records().is_empty() {
            let record = self.take_record(&mut given)?;
            let record = record.ok_or_else(|| self.error("tag", None, FieldErrorKind::Missing))?;
            self.put_tag(record, &mut row);
            record.fields().iter().try_for_each(|one| field(one, &mut given, &mut row))?;
        }
        self.check_nothing_left(&given)?;
        if let Some(front) = row.as_mut_slice().get_mut(..width) {
            prefix.write(self.salt_or_hash(), front);
        }
        Ok(row.into())
    }

    /// Writes one field and feeds it to the key prefix.
    pub(super) fn put_field(
        &self,
        field: &Field,
        value: &Value,
        row: &mut RowBuf,
        prefix: &mut KeyPrefixState,
    ) -> Result<(), EncodeError> {
        let mark = row.position();
        if let Err(wrong) = write(field, value, row) {
            return Err(self.error(field.name(), wrong.inner.as_deref(), wrong.kind));
        }
        match self.salt_or_hash() {
            _ if !self.salt_or_hash().hashes(field) => {}
            SaltOrHash::HashPrefix { .. } => {
                let time = match (value, field.attributes().display_time) {
                    (Value::Time(time), Some(unit)) => time_in_unit(*time, unit),
                    _ => None,
                };
                let plain = match time {
                    Some(count) => Some(Cow::Owned(Value::Signed(count))),
                    None => enum_tags::names_to_tags(field, value).ok(),
                };
                with_plain_bytes(field.ty(), plain.as_deref().unwrap_or(value), |b| prefix.feed(b));
            }
            _ => prefix.feed(row.written_since(mark)),
        }
        Ok(())
    }

    /// Writes the tag of a record variant.
    pub(super) fn put_tag(&self, record: &RecordVariant, row: &mut RowBuf) {
        let bytes = record.tag().to_be_bytes();
        let skipped = bytes.len().saturating_sub(self.tag_width());
        row.put(bytes.get(skipped..).unwrap_or_default());
    }

    /// Removes the record variant from the given values and returns it; `None` if no record variant
    /// is given.
    pub(super) fn take_record(
        &self,
        given: &mut RemainingValues<'_>,
    ) -> Result<Option<&RecordVariant>, EncodeError> {
        let Some(kind) = given.record() else { return Ok(None) };
        let allowed = "a record variant of the key";
        let wrong = || self.error("tag", None, FieldErrorKind::OutOfRange { allowed });
        self.record(kind).map(Some).ok_or_else(wrong)
    }

    /// Refuses values that belong to no field.
    pub(super) fn check_nothing_left(
        &self,
        given: &RemainingValues<'_>,
    ) -> Result<(), EncodeError> {
        match given.left.first() {
            Some((name, _)) => Err(self.error(name, None, FieldErrorKind::UnexpectedValue)),
            None => Ok(()),
        }
    }

    /// Returns the index of the bucket that is given for a random salt.
    fn bucket(&self, given: &mut RemainingValues<'_>, buckets: u32) -> Result<u32, EncodeError> {
        let salt = prefix_name(self.salt_or_hash());
        let missing = || self.error(salt, None, FieldErrorKind::Missing);
        let value = given.take(salt).ok_or_else(missing)?;
        let index = match whole_number(&Attributes::default(), value) {
            Ok(number) => number.narrow::<u32>().filter(|index| *index < buckets),
            Err(_) => None,
        };
        let kind = FieldErrorKind::OutOfRange { allowed: "below the number of buckets" };
        index.ok_or_else(|| self.error(salt, None, kind))
    }

    fn error(&self, field: &str, inner: Option<&str>, kind: FieldErrorKind) -> EncodeError {
        let name = |name: &str| Cow::Owned(name.to_string());
        EncodeError::with_names(name(self.name()), name(field), inner.map(name), kind)
    }
}

/// The values that are not yet written.
pub(super) struct RemainingValues<'v> {
    left: Vec<(&'v str, &'v Value)>,
}

impl<'v> RemainingValues<'v> {
    pub(super) fn new<N: AsRef<str>>(fields: &'v [(N, Value)]) -> Self {
        Self { left: fields.iter().map(|(name, value)| (name.as_ref(), value)).collect() }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<&'v Value> {
        let is =
            |(own, value): &(&str, &Value)| *own == name && !matches!(value, Value::Variant(_));
        let at = self.left.iter().position(is)?;
        Some(self.left.remove(at).1)
    }

    fn record(&mut self) -> Option<&'v str> {
        let at = self.left.iter().position(|(_, value)| matches!(value, Value::Variant(_)))?;
        match self.left.remove(at).1 {
            Value::Variant(name) => Some(name),
            _ => None,
        }
    }
}

/// Writes the bytes of one field.
fn write(field: &Field, value: &Value, row: &mut RowBuf) -> Result<(), ValueError> {
    let mark = row.position();
    let value = enum_tags::names_to_tags(field, value)?;
    ascending(field, &value, row)?;
    if field.attributes().desc {
        invert(row.written_since(mark));
    }
    Ok(())
}

fn ascending(field: &Field, value: &Value, row: &mut RowBuf) -> Result<(), ValueError> {
    let attributes = field.attributes();
    if attributes.compat.is_some() {
        return Err(FieldErrorKind::CompatEncoding.into());
    }
    if let Some(md5) = attributes.md5 {
        return hashed(field.ty(), md5, value, row);
    }
    match (field.ty(), value) {
        (Type::List(item), Value::List(items)) => {
            for value in items {
                if attributes.terminated {
                    row.put(&[1]);
                }
                single(item, attributes, value, row)?;
            }
            if attributes.terminated {
                row.put(&[0]);
            }
            Ok(())
        }
        (ty, value) => single(ty, attributes, value, row),
    }
}

/// Writes one value, or one item of a list.
fn single(
    ty: &Type,
    attributes: &Attributes,
    value: &Value,
    row: &mut RowBuf,
) -> Result<(), ValueError> {
    match (ty, value) {
        (Type::Optional(_), Value::None) => {
            row.put(&[0]);
            Ok(())
        }
        (Type::Optional(some), value) => {
            row.put(&[1]);
            of_type(some, attributes, value, row)
        }
        (ty, value) => of_type(ty, attributes, value, row),
    }
}

fn of_type(
    ty: &Type,
    attributes: &Attributes,
    value: &Value,
    row: &mut RowBuf,
) -> Result<(), ValueError> {
    match (ty, value) {
        (Type::Int(int), value) => {
            put_integer(*int, attributes, whole_number(attributes, value)?, row)
        }
        (Type::Float(4), Value::Float32(value)) => Ok(Native::encode(value, row)?),
        (Type::Float(8), Value::Float64(value)) => Ok(Native::encode(value, row)?),
        (Type::Bool, Value::Bool(value)) => Ok(Native::encode(value, row)?),
        (Type::Char, Value::Char(value)) => Ok(Native::encode(value, row)?),
        (Type::Array(len), Value::Bytes(bytes)) => exact(bytes, *len, row),
        (Type::Uuid, Value::Uuid(bytes)) => Ok(Native::encode(bytes, row)?),
        (Type::Uid(len), value) => id(*len, value, row),
        (Type::Digest(len), Value::Bytes(bytes)) => exact(bytes, *len, row),
        (Type::Digest(len), Value::Digest(hex)) => {
            let bytes = show::from_hex(hex).map_err(|_| out_of_range("hex digits, two a byte"))?;
            exact(&bytes, *len, row)
        }
        (Type::Text, Value::Text(text)) if attributes.reverse => {
            ended(&reverse_chars(text), attributes, row)
        }
        (Type::Text, Value::Text(text)) => ended(text.as_bytes(), attributes, row),
        (Type::Bytes, Value::Bytes(bytes)) => ended(bytes, attributes, row),
        (Type::TagPairs { max, key, value }, Value::TagPairs(pairs)) => {
            tags(*max, (key, value), pairs, row)
        }
        (Type::Key(fields), Value::Key(values)) => {
            for field in fields {
                let inside = |wrong: ValueError| ValueError {
                    inner: wrong.inner.or_else(|| Some(field.name().into())),
                    ..wrong
                };
                let value = values.get(field.name()).ok_or(FieldErrorKind::Missing.into());
                value.and_then(|value| write(field, value, row)).map_err(inside)?;
            }
            let known = |name: &str| fields.iter().filter(|field| field.name() == name).count();
            let given = |name: &str| values.iter().filter(|(own, _)| own == name).count();
            match values.iter().find(|(name, _)| known(name) != given(name)) {
                Some((name, _)) => Err(ValueError {
                    kind: FieldErrorKind::UnexpectedValue,
                    inner: Some(name.clone()),
                }),
                None => Ok(()),
            }
        }
        (ty, _) => Err(out_of_range(match ty {
            Type::Float(4) => "an f32",
            Type::Float(_) => "an f64",
            Type::Bool => "a bool",
            Type::Char => "a char",
            Type::Array(_) | Type::Bytes => "bytes",
            Type::Digest(_) => "a digest or bytes",
            Type::Uuid => "a uuid",
            Type::Text => "text",
            Type::Key(_) => "the fields of a key",
            Type::List(_) => "a list",
            Type::TagPairs { .. } => "tags",
            _ => A_NUMBER,
        })),
    }
}

fn tags(
    max: usize,
    halves: (&Type, &Type),
    pairs: &[(Value, Value)],
    row: &mut RowBuf,
) -> Result<(), ValueError> {
    let attributes = Attributes::default();
    let mut sorted: Vec<(RowBuf, &Value)> = Vec::new();
    for (at, (key, value)) in pairs.iter().enumerate() {
        let mut bytes = RowBuf::new();
        of_type(halves.0, &attributes, key, &mut bytes)?;
        match sorted.binary_search_by(|(other, _)| other.cmp(&bytes)) {
            Ok(_) => return Err(FieldErrorKind::Duplicate { at }.into()),
            Err(_) if at == max => return Err(FieldErrorKind::TooMany { max }.into()),
            Err(place) => sorted.insert(place, (bytes, value)),
        }
    }
    for (key, value) in sorted {
        row.put(&key);
        of_type(halves.1, &attributes, value, row)?;
    }
    Ok(())
}

fn exact(bytes: &[u8], len: usize, row: &mut RowBuf) -> Result<(), ValueError> {
    match bytes.len() {
        found if found > len => Err(FieldErrorKind::TooLong { found, width: len }.into()),
        found if found < len => Err(FieldErrorKind::TooShort { found, width: len }.into()),
        _ => {
            row.put(bytes);
            Ok(())
        }
    }
}

/// Writes the hash of an unhashed value, or a digest.
fn hashed(ty: &Type, part: DigestPart, value: &Value, row: &mut RowBuf) -> Result<(), ValueError> {
    if let Value::Digest(hex) = value {
        if part.hex {
            let lower = crate::encoding::digest::is_hex(hex.as_bytes());
            let digits = if lower {
                hex.as_bytes()
            } else {
                return Err(out_of_range("lower-case hex digits"));
            };
            return exact(digits, part.len, row);
        }
        let bytes = show::from_hex(hex).map_err(|_| out_of_range("hex digits, two a byte"))?;
        return exact(&bytes, part.len, row);
    }
    // A value that the type would refuse is not hashed.
    let clear = Attributes::default();
    of_type(ty, &clear, value, &mut RowBuf::new())?;
    let mut state = Md5State::default();
    with_plain_bytes(ty, value, |bytes| state.feed(bytes));
    let mut front = [0; 32];
    if let Some(front) = front.get_mut(..part.len) {
        put_md5(state.finish(), part.hex, front);
        row.put(front);
    }
    Ok(())
}

fn id(len: usize, value: &Value, row: &mut RowBuf) -> Result<(), ValueError> {
    let number = match whole_number(&Attributes::default(), value)? {
        WholeNumber::Unsigned(number) => u64::try_from(number).ok(),
        WholeNumber::Signed(number) => u64::try_from(number).ok(),
    };
    let fits = |number: &u64| len >= 8 || *number >> (8 * len) == 0;
    let number = number
        .filter(fits)
        .ok_or_else(|| out_of_range("a number that fits the bytes of the id"))?;
    for _ in 8..len {
        row.put(&[0]);
    }
    let mut bytes = [0; 8];
    if let Some(bytes) = bytes.get_mut(..len.min(8)) {
        put_id(number, bytes);
        row.put(bytes);
    }
    Ok(())
}

fn ended(bytes: &[u8], attributes: &Attributes, row: &mut RowBuf) -> Result<(), ValueError> {
    if let Some(set) = attributes.chars {
        check_chars(bytes, set)?;
    }
    match attributes.end() {
        End::Native => Native::put(bytes, row)?,
        End::Escaped => Escaped::put(bytes, row)?,
        End::Byte(end) => {
            check_absent(bytes, end)?;
            row.put(bytes);
            row.put(&[end]);
        }
        End::Width { width, pad } => {
            check_fixed(bytes, width, pad)?;
            row.put(bytes);
            for _ in bytes.len()..width {
                row.put(&[pad]);
            }
        }
    }
    Ok(())
}
