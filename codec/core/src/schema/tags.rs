//! Conversion between the tags of an enum, which a row holds, and the names of its variants, which
//! are the values.

use alloc::borrow::Cow;
use alloc::string::ToString;

use tallrow_layout::{Field, Tag, Tags};

use super::error::{ValueError, out_of_range};
use super::value::Value;
use crate::error::{FieldErrorKind, FoundTag};

/// Returns the value of a field with the names of variants instead of their tags.
pub(super) fn tags_to_names(field: &Field, value: Value) -> Result<Value, FieldErrorKind> {
    let Some(tags) = field.tags() else { return Ok(value) };
    match value {
        Value::List(items) => {
            let items = items.into_iter().map(|item| tags_to_names(field, item));
            items.collect::<Result<_, _>>().map(Value::List)
        }
        Value::None | Value::Digest(_) => Ok(value),
        value => {
            let found = known(tags, &value);
            found.ok_or_else(|| unknown(&value)).map(|(_, name)| Value::Text(name.to_string()))
        }
    }
}

/// Returns the value of a field with the tags of variants instead of their names.
pub(super) fn names_to_tags<'v>(
    field: &Field,
    value: &'v Value,
) -> Result<Cow<'v, Value>, ValueError> {
    let Some(tags) = field.tags() else { return Ok(Cow::Borrowed(value)) };
    match value {
        Value::List(items) => {
            let items = items.iter().map(|item| names_to_tags(field, item).map(Cow::into_owned));
            Ok(Cow::Owned(Value::List(items.collect::<Result<_, _>>()?)))
        }
        Value::Text(name) => {
            let tag = tags.tag(name).ok_or_else(|| out_of_range("the name of a variant"))?;
            Ok(Cow::Owned(match tag {
                Tag::Number(number) => Value::Unsigned((*number).into()),
                Tag::Bytes(bytes) => Value::Bytes(bytes.clone()),
            }))
        }
        Value::Unsigned(_) | Value::Signed(_) | Value::Bytes(_) if known(tags, value).is_none() => {
            Err(unknown(value).into())
        }
        value => Ok(Cow::Borrowed(value)),
    }
}

/// Returns the tag that `value` is, and the name of the variant with this tag.
fn known<'t>(tags: &'t Tags, value: &Value) -> Option<(Tag, &'t str)> {
    let tag = match value {
        Value::Unsigned(number) => Tag::Number(u64::try_from(*number).ok()?),
        Value::Signed(number) => Tag::Number(u64::try_from(*number).ok()?),
        Value::Bytes(bytes) => Tag::Bytes(bytes.clone()),
        _ => return None,
    };
    let name = tags.name(&tag)?;
    Some((tag, name))
}

fn unknown(value: &Value) -> FieldErrorKind {
    let found = match value {
        Value::Unsigned(number) => u32::try_from(*number).ok().map(FoundTag::from),
        Value::Bytes(bytes) => Some(FoundTag::from_bytes(bytes)),
        _ => None,
    };
    match found {
        Some(found) => FieldErrorKind::UnknownTag { found },
        None => FieldErrorKind::OutOfRange { allowed: "the name of a variant" },
    }
}
