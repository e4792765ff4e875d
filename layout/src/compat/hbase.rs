//! `compat = "hbase"`: the encodings of HBase's class `Bytes`.

use super::context::{Choice, Chosen, ColumnContext, EncodingDescription};
use crate::attributes::{Attribute, End};
use crate::encoding::{Encoding, Fallibility};
use crate::field::{Guess, Int, Type};

/// Chooses the encoding of a field of a key with `compat = "hbase"`, or refuses the field.
pub(super) fn choose(context: &ColumnContext<'_>) -> Chosen {
    let (field, attributes) = (context.field, context.attributes());
    let way = if attributes.desc {
        "use `rev_ts` for newest first, or `compat = \"hbase_ordered\"`"
    } else {
        "end a text with `nul_terminated`, `sep` or `width`, as its RawStringTerminated and \
         RawStringFixedLength do"
    };
    context.allow_only(
        &[
            Attribute::NulTerminated,
            Attribute::Width,
            Attribute::Sep,
            Attribute::Chars,
            Attribute::Reverse,
            Attribute::RevTs,
            Attribute::Md5,
            Attribute::RawBe,
            Attribute::Digits,
            Attribute::Floor,
        ],
        way,
    )?;
    match field.ty() {
        Type::Optional(_) => {
            context.refuse("a missing value", "use `compat = \"hbase_ordered\"`")?;
        }
        Type::List(_) => context.refuse("lists", "use separate fields for the items")?,
        Type::Char => context.refuse("char", "use a text or a u32")?,
        Type::Int(Int { bytes: 16, .. }) => {
            context.refuse("128 bits", "use [u8; 16] or 64 bits")?;
        }
        _ => {}
    }
    let own = attributes.first_of(&[
        Attribute::RevTs,
        Attribute::Md5,
        Attribute::RawBe,
        Attribute::Digits,
        Attribute::Chars,
        Attribute::Reverse,
    ]);
    let sep = context.has_text_sep && *field.ty() == Type::Text && !context.is_last;
    if own.is_some() || attributes.end() != End::Native || sep {
        return Ok(None);
    }
    let choice = context.choice(
        Encoding::HbaseBytes.floored(field),
        field.ty().width(),
        Fallibility::infallible_if_known(field),
        false,
    );
    // For signed numbers, floats and bools, and perhaps for unknown types, the bytes differ from
    // the bytes of this library's own encodings.
    let differs = match field.ty() {
        Type::Int(int) => int.signed,
        Type::Float(_) | Type::Bool => true,
        Type::Unknown(guess) => !matches!(guess, Guess::NonNeg | Guess::Array),
        _ => false,
    };
    Ok(Some(if differs {
        choice
    } else {
        Choice { description: EncodingDescription::Own, ..choice }
    }))
}
