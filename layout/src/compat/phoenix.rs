//! `compat = "phoenix"`: the encodings of the columns of a Phoenix primary key.

use alloc::boxed::Box;

use super::context::{Choice, Chosen, ColumnContext, EncodingDescription};
use crate::attributes::{Attribute, End};
use crate::encoding::{Encoding, Fallibility};
use crate::field::{Guess, Int, Limit, Type};
use crate::key_prefix::{SaltFunction, SaltOrHash};
use crate::model::Layout;
use crate::violation::{Part, Place, Violation, Violations};

/// Chooses the encoding of a field of a key with `compat = "phoenix"`, or refuses the field.
pub(super) fn choose(context: &ColumnContext<'_>) -> Chosen {
    let (field, attributes) = (context.field, context.attributes());
    context.allow_only(
        &[
            Attribute::Desc,
            Attribute::Width,
            Attribute::Pad,
            Attribute::NulTerminated,
            Attribute::RevTs,
            Attribute::Md5,
            Attribute::RawBe,
            Attribute::Digits,
            Attribute::Floor,
        ],
        "a text is a VARCHAR, which ends with 0x00, or with `width` a CHAR; remove this attribute",
    )?;
    let own = [Attribute::RevTs, Attribute::Md5, Attribute::RawBe, Attribute::Digits];
    if attributes.first_of(&own).is_some() {
        return Ok(None);
    }
    let ascending_last = context.is_last && !attributes.desc;
    match field.ty() {
        Type::Text => text(context).map(Some),
        Type::Bytes => match attributes.end() {
            End::Width { .. } if attributes.pad.is_none() => Ok(None),
            End::Native if ascending_last && !context.after_open => {
                Ok(Some(same(column(context, Encoding::PhoenixColumn, Fallibility::Infallible))))
            }
            _ => context.refuse(
                "bytes here",
                "a VARBINARY is the last column, ascending, and not after a VARCHAR; use [u8; N] \
                 or `width`, which are a BINARY",
            ),
        },
        Type::Optional(some) => optional(context, some).map(Some),
        Type::Int(Int { bytes: 16, .. }) => context.refuse("128 bits", "use 64 bits or a Decimal"),
        Type::Char => context.refuse("char", "use a text with `width`, which is a CHAR"),
        Type::List(_) => context.refuse("lists", "use separate fields for the items"),
        Type::Unknown(Guess::Decimal) => {
            Ok(Some(column(context, decimal(context), Fallibility::Fallible)))
        }
        ty => {
            let fallibility = match ty {
                Type::Int(int) if int.signed && int.limit == Limit::Any => Fallibility::Infallible,
                Type::Int(_) => Fallibility::ByType,
                _ => Fallibility::infallible_if_known(field),
            };
            let mut choice = column(context, Encoding::PhoenixColumn.floored(field), fallibility);
            choice.plan.width = ty.width();
            let differs = match ty {
                Type::Float(_) => true,
                Type::Unknown(guess) => !matches!(guess, Guess::NonNeg | Guess::Array),
                _ => false,
            };
            Ok(Some(if differs { choice } else { same(choice) }))
        }
    }
}

/// Returns the choice for a column without a fixed width: `encoding`, inverted if the field has
/// `desc`.
fn column(context: &ColumnContext<'_>, encoding: Encoding, fallibility: Fallibility) -> Choice {
    let encoding = encoding.directed(context.field);
    context.choice(encoding, None, fallibility, context.attributes().desc)
}

/// Returns `choice` with another description: this library's own encoding, which writes the same
/// bytes.
fn same(choice: Choice) -> Choice {
    Choice { description: EncodingDescription::Own, ..choice }
}

/// Returns an encoding like `inner` that refuses empty texts, because Phoenix treats an empty text
/// as null.
fn filled(inner: Encoding) -> Encoding {
    Encoding::PhoenixNonEmpty(Box::new(inner))
}

fn text(context: &ColumnContext<'_>) -> Result<Choice, Violation> {
    let attributes = context.attributes();
    if let End::Width { width, pad } = attributes.end() {
        if attributes.pad.is_some_and(|_| pad != b' ') {
            return Err(Violation {
                place: Place::Attribute(context.at, Attribute::Pad),
                message: "Phoenix pads a CHAR with spaces: remove `pad`".into(),
            });
        }
        let mut choice = column(context, Encoding::PhoenixChar(width), Fallibility::Fallible);
        choice.plan.width = Some(width);
        return Ok(Choice { description: EncodingDescription::Spaces, ..choice });
    }
    let ascending_last = context.is_last && !attributes.desc;
    if ascending_last {
        refuse_end(context)?;
    }
    let encoding = match (attributes.desc, context.is_last) {
        (true, _) => filled(Encoding::NulTerminated),
        (false, false) => Encoding::PhoenixSeparated,
        (false, true) if context.after_open => filled(Encoding::Native),
        (false, true) => Encoding::PhoenixColumn,
    };
    let fallibility = if ascending_last && !context.after_open {
        Fallibility::Infallible
    } else {
        Fallibility::Fallible
    };
    let choice = column(context, encoding, fallibility);
    let ends = attributes.end() == End::Native && !ascending_last;
    Ok(if ends {
        Choice { description: EncodingDescription::NulTerminated, ..choice }
    } else {
        same(choice)
    })
}

/// Refuses an end mark after the last VARCHAR, because Phoenix does not write an end mark there.
fn refuse_end(context: &ColumnContext<'_>) -> Result<(), Violation> {
    if !context.attributes().nul_terminated {
        return Ok(());
    }
    Err(Violation {
        place: Place::Attribute(context.at, Attribute::NulTerminated),
        message: "Phoenix does not end the last VARCHAR of a key: remove `nul_terminated`".into(),
    })
}

fn decimal(context: &ColumnContext<'_>) -> Encoding {
    if context.is_last && !context.attributes().desc {
        Encoding::PhoenixColumn
    } else {
        Encoding::PhoenixSeparated
    }
}

fn optional(context: &ColumnContext<'_>, some: &Type) -> Result<Choice, Violation> {
    let attributes = context.attributes();
    let inner = match some {
        Type::Text if !matches!(attributes.end(), End::Width { .. }) => {
            let open = context.is_last && !attributes.desc;
            if open {
                refuse_end(context)?;
            }
            filled(if open { Encoding::Native } else { Encoding::NulTerminated })
        }
        _ if context.is_guess(Guess::Decimal) => decimal(context),
        _ => context
            .refuse("this missing value", "only a VARCHAR and a DECIMAL of a key can be null")?,
    };
    if context.is_last && context.after_open {
        context.refuse(
            "a value missing at the end here",
            "Phoenix then also omits the end of the column before it; add a number between them, \
             or make that column `desc`",
        )?;
    }
    let inner = Box::new(inner.directed(context.field));
    let encoding = if context.is_last {
        Encoding::PhoenixNullableLast(inner)
    } else {
        Encoding::PhoenixNullable(inner)
    };
    Ok(context.choice(encoding, None, Fallibility::Fallible, attributes.desc))
}

/// Reports a salt that differs from the salt of Phoenix.
pub(super) fn prefix(layout: &Layout, violations: &mut Violations) {
    let mut add = |part, text: &'static str| violations.add(Place::Prefix(part), text);
    const ITS_OWN: &str = "the salt of Phoenix is one byte, computed from the row key, and starts at 0: remove this \
         attribute";
    match &layout.prefix {
        SaltOrHash::RandomSalt { .. } => add(Part::Whole, ITS_OWN),
        SaltOrHash::Salt { bucket_offset, width, hash, fields, .. } => {
            if fields.len() < layout.fields.len() {
                add(
                    Part::Fields,
                    "Phoenix salts the whole row key, not chosen fields: remove `fields`, or use \
                     another `compat`",
                );
            }
            if *hash != SaltFunction::JavaArraysHash {
                add(Part::Hash, "the salt of Phoenix uses `java_arrays_hash`: remove `hash`");
            }
            if *width != 1 {
                add(Part::Width, ITS_OWN);
            } else if *bucket_offset != 0 {
                add(Part::BucketOffset, ITS_OWN);
            }
        }
        _ => {}
    }
}
