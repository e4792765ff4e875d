//! The order of values, computed without their bytes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::encoding::OrderClass;
use crate::schema::{End, Field, FieldValues, Schema, Type, Value};

/// Compares the first `len` fields of two keys as their rows must sort, without the key prefix.
pub(super) fn compare(schema: &Schema, a: &FieldValues, b: &FieldValues, len: usize) -> Ordering {
    let fields = |values: &FieldValues| fields_of(schema, values);
    let (ours, theirs) = (without_salt(schema, a), without_salt(schema, b));
    // Record variants differ in the tag, which is before their own fields.
    let parts = fields(a).into_iter().zip(fields(b));
    let pairs = parts.zip(ours.iter().zip(theirs)).take(len);
    pairs.fold(Ordering::Equal, |order, ((part, other), (x, y))| {
        order.then_with(|| match (part, other) {
            (KeyStep::Field(field), _) => by_encoding(field, &x.1, &y.1),
            (KeyStep::Tag(tag), KeyStep::Tag(other)) => tag.cmp(&other),
            (KeyStep::Tag(_), KeyStep::Field(_)) => Ordering::Equal,
        })
    })
}

/// Returns whether rows sort in the reverse order of the values of the field at index `fixed`.
pub(super) fn is_reversed(schema: &Schema, values: &FieldValues, fixed: usize) -> bool {
    match fields_of(schema, values).get(fixed) {
        Some(KeyStep::Field(field)) => field.order() == OrderClass::Reversed,
        Some(KeyStep::Tag(_)) | None => false,
    }
}

/// Returns the values of the fields, without the bucket of a random salt.
pub(super) fn without_salt<'f>(schema: &Schema, values: &'f FieldValues) -> &'f [(String, Value)] {
    let chosen = matches!(schema.salt_or_hash(), crate::schema::SaltOrHash::RandomSalt { .. });
    let values: &[(String, Value)] = values;
    values.get(usize::from(chosen)..).unwrap_or_default()
}

enum KeyStep<'s> {
    Field(&'s Field),
    Tag(u64),
}

fn fields_of<'s>(schema: &'s Schema, values: &FieldValues) -> Vec<KeyStep<'s>> {
    let mut parts: Vec<_> = schema.fields().iter().map(KeyStep::Field).collect();
    let name = values.iter().find_map(|(_, value)| match value {
        Value::Variant(name) => Some(name),
        _ => None,
    });
    if let Some(record) = schema.records().iter().find(|r| Some(r.name()) == name.map(|n| &**n)) {
        parts.push(KeyStep::Tag(record.tag()));
        parts.extend(record.fields().iter().map(KeyStep::Field));
    }
    parts
}

fn by_encoding(field: &Field, a: &Value, b: &Value) -> Ordering {
    let order = by_value(field, field.ty(), a, b);
    if field.attributes().desc != field.attributes().rev_ts.is_some() {
        order.reverse()
    } else {
        order
    }
}

fn by_value(field: &Field, ty: &Type, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::None, Value::None) => Ordering::Equal,
        (Value::None, _) => Ordering::Less,
        (_, Value::None) => Ordering::Greater,
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Unsigned(a), Value::Unsigned(b)) => match field.attributes().digits {
            Some(width) if field.attributes().reverse => {
                let back = |n: &u128| -> String {
                    let digits = n.to_string();
                    let zeros = width.saturating_sub(digits.len());
                    digits.chars().rev().chain(core::iter::repeat_n('0', zeros)).collect()
                };
                back(a).cmp(&back(b))
            }
            _ => a.cmp(b),
        },
        (Value::Signed(a), Value::Signed(b)) => a.cmp(b),
        (Value::Float32(a), Value::Float32(b)) => a.total_cmp(b),
        (Value::Float64(a), Value::Float64(b)) => a.total_cmp(b),
        (Value::Text(a), Value::Text(b)) => {
            let stored = |text: &str| -> Vec<u8> {
                let text: String = if field.attributes().reverse {
                    text.chars().rev().collect()
                } else {
                    text.into()
                };
                ended(field, text.into_bytes())
            };
            stored(a).cmp(&stored(b))
        }
        (Value::Bytes(a), Value::Bytes(b)) => ended(field, a.clone()).cmp(&ended(field, b.clone())),
        (Value::Uuid(a), Value::Uuid(b)) => a.cmp(b),
        (Value::Digest(a), Value::Digest(b)) => a.cmp(b),
        (Value::Time(a), Value::Time(b)) => a.count.cmp(&b.count),
        (Value::List(a), Value::List(b)) => {
            let items = a.iter().zip(b).map(|(a, b)| by_value(field, within(ty), a, b));
            items.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
        }
        (Value::TagPairs(a), Value::TagPairs(b)) => {
            let pairs = a.iter().zip(b).map(|((key, value), (other_key, other_value))| {
                by_value(field, ty, key, other_key)
                    .then_with(|| by_value(field, ty, value, other_value))
            });
            pairs.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
        }
        (Value::Key(a), Value::Key(b)) => {
            let fields = match within(ty) {
                Type::Key(fields) => &fields[..],
                _ => &[],
            };
            let pairs = fields.iter().zip(a.iter().zip(b.iter()));
            pairs.fold(Ordering::Equal, |order, (field, (a, b))| {
                order.then_with(|| by_encoding(field, &a.1, &b.1))
            })
        }
        _ => Ordering::Equal,
    }
}

/// Returns the type of the values in an optional value or a list.
fn within(ty: &Type) -> &Type {
    match ty {
        Type::Optional(some) => within(some),
        Type::List(item) => item,
        other => other,
    }
}

/// Adds the separator, which is part of the comparison.
fn ended(field: &Field, mut value: Vec<u8>) -> Vec<u8> {
    if let End::Byte(byte) = field.attributes().end() {
        value.push(byte);
    }
    value
}
