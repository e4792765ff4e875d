//! `compat = "bigtable"`: the encodings that a key schema of Bigtable uses.

use alloc::boxed::Box;

use super::context::{Chosen, ColumnContext};
use crate::attributes::Attribute;
use crate::encoding::{Encoding, Fallibility};
use crate::field::{Guess, Int, Limit, Type};
use crate::key_prefix::SaltOrHash;
use crate::model::Layout;
use crate::violation::{Part, Place, Violations};

/// Chooses the encoding of a field of a key with `compat = "bigtable"`, or refuses the field.
pub(super) fn choose(context: &ColumnContext<'_>) -> Chosen {
    let (field, attributes) = (context.field, context.attributes());
    if context.has_text_sep {
        context.allow_only(
            &[Attribute::Chars, Attribute::Digits],
            "with `text_sep` the fields are texts and numbers with `digits`; remove this attribute",
        )?;
        return match field.ty() {
            Type::Text => Ok(None),
            Type::Int(_) if attributes.digits.is_some() && context.is_last => Ok(None),
            _ => context.refuse(
                "this field between separators",
                "its bytes may contain the separator; use a text, or remove `text_sep`",
            ),
        };
    }
    context.allow_only(
        &[Attribute::RawBe],
        "its fields are in ordered code, ascending; remove this attribute",
    )?;
    let choice =
        |encoding, fallibility| Ok(Some(context.choice(encoding, None, fallibility, true)));
    let part = |encoding: Encoding| match (context.is_alone, context.is_last) {
        (true, _) => encoding,
        (false, true) => Encoding::BigtableLastPart(Box::new(encoding)),
        (false, false) => Encoding::BigtablePart(Box::new(encoding)),
    };
    match field.ty() {
        Type::Text | Type::Bytes if context.is_alone => Ok(None),
        Type::Text | Type::Bytes if context.is_last => {
            choice(Encoding::BigtableLastText, Fallibility::Fallible)
        }
        Type::Text | Type::Bytes => choice(Encoding::BigtableText, Fallibility::Infallible),
        Type::Int(Int { bytes: 8, signed: true, limit: Limit::Any }) if attributes.raw_be => {
            choice(part(Encoding::RawBe), Fallibility::Fallible)
        }
        Type::Int(Int { bytes: 8, signed: true, limit: Limit::Any }) => {
            choice(part(Encoding::BigtableInt64), Fallibility::Infallible)
        }
        Type::Unknown(Guess::NonNeg) => choice(part(Encoding::Native), Fallibility::ByType),
        _ => context.refuse(
            "this type",
            "its fields are i64 (ordered code), NonNeg<i64> (big-endian), text and bytes",
        ),
    }
}

/// Reports a salt, which a key schema of Bigtable cannot have.
pub(super) fn prefix(layout: &Layout, violations: &mut Violations) {
    if matches!(layout.prefix, SaltOrHash::Salt { .. } | SaltOrHash::RandomSalt { .. }) {
        violations
            .add(Place::Prefix(Part::Whole), "a key schema of Bigtable has no salt: remove it");
    }
}
