//! `compat = "hbase_ordered"`: the encodings of HBase's class `OrderedBytes`.

use alloc::boxed::Box;

use super::context::{Chosen, ColumnContext};
use crate::attributes::Attribute;
use crate::encoding::{Encoding, Fallibility};
use crate::field::{Guess, Int, Limit, Type};
use crate::violation::Violation;

/// Chooses the encoding of a field of a key with `compat = "hbase_ordered"`, or refuses the field.
pub(super) fn choose(context: &ColumnContext<'_>) -> Chosen {
    let (field, attributes) = (context.field, context.attributes());
    context.allow_only(
        &[Attribute::Desc, Attribute::Floor, Attribute::Md5],
        "each value has its own end, and `desc` inverts it; remove this attribute",
    )?;
    if attributes.md5.is_some() {
        return Ok(None);
    }
    let number = context.is_guess(Guess::Decimal) || context.is_guess(Guess::Number);
    let encoding = if number { Encoding::OrderedNumeric } else { Encoding::Ordered };
    let (encoding, width, fallibility) = match field.ty() {
        Type::Optional(some) => {
            optional(context, some, number)?;
            let encoding = Box::new(encoding);
            let encoding = if context.is_last {
                Encoding::OrderedNullableLast(encoding)
            } else {
                Encoding::OrderedNullable(encoding)
            };
            let fallible = number || **some == Type::Text;
            let fallibility =
                if fallible { Fallibility::Fallible } else { Fallibility::Infallible };
            (encoding, None, fallibility)
        }
        ty => {
            plain(context, ty)?;
            let fallibility = if number || *ty == Type::Text {
                Fallibility::Fallible
            } else {
                Fallibility::infallible_if_known(field)
            };
            // One byte before the value identifies its type.
            (encoding.floored(field), ty.width().map(|width| width + 1), fallibility)
        }
    };
    let blob = match field.ty() {
        Type::Optional(some) => **some == Type::Bytes,
        ty => *ty == Type::Bytes,
    };
    let is_text_transformed = blob || attributes.desc;
    Ok(Some(context.choice(encoding.directed(field), width, fallibility, is_text_transformed)))
}

/// Refuses the types that `OrderedBytes` cannot write.
fn plain(context: &ColumnContext<'_>, ty: &Type) -> Result<(), Violation> {
    match ty {
        Type::Int(Int { signed: true, bytes: ..=8, limit: Limit::Any }) | Type::Float(_) => Ok(()),
        Type::Text | Type::Bytes => Ok(()),
        Type::Unknown(Guess::Array) => context.refuse("byte arrays", "use Vec<u8> or &[u8]"),
        Type::Unknown(_) => Ok(()),
        Type::Int(_) => context.refuse("this integer", "use i8 to i64, or a Decimal"),
        Type::Bool | Type::Char => context.refuse("this type", "use an i8, an i32 or a text"),
        Type::Array(_) => context.refuse("byte arrays", "use Vec<u8> or &[u8]"),
        Type::List(_) => context.refuse("lists", "use separate fields for the items"),
        Type::Optional(_) => context.refuse("this Option", "use one Option"),
        _ => context.refuse("this type", "use a number, a text or bytes"),
    }
}

fn optional(context: &ColumnContext<'_>, some: &Type, number: bool) -> Result<(), Violation> {
    plain(context, some)?;
    if !some.is_text_or_bytes() && !number {
        context.refuse(
            "a missing number of a fixed width",
            "use an Option of text, bytes or Decimal",
        )?;
    }
    if context.missing_tail {
        context.refuse(
            "several values missing at the end",
            "its Struct omits nulls at the end, so only the last field can be null; add a field \
             that is never null after this one",
        )?;
    }
    if context.is_last && context.attributes().desc {
        context.refuse(
            "a descending Option in last place",
            "a missing value at the end is not written and sorts first: remove `desc`, or add a \
             field that is never null after this one",
        )?;
    }
    Ok(())
}
