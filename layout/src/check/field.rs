//! The rules for a single field.

use alloc::format;

use super::context::{FieldContext, digest, too_long_message};
use super::tags::check_tags;
use super::{list, number, text};
use crate::attributes::{Attribute, CompatTarget, DigestPart, RevTsKind};
use crate::field::{Guess, Limit, Type};
use crate::model::MAX_ROW_LEN;
use crate::order::OrderClass;
use crate::violation::{Place, Violations};

/// The attributes that choose how a value is written.
const ENCODINGS: [Attribute; 12] = [
    Attribute::Escaped,
    Attribute::Reverse,
    Attribute::Desc,
    Attribute::RawBe,
    Attribute::Width,
    Attribute::Digits,
    Attribute::Floor,
    Attribute::NulTerminated,
    Attribute::Pad,
    Attribute::Sep,
    Attribute::Chars,
    Attribute::Terminated,
];

pub(super) fn check(field: FieldContext<'_>, violations: &mut Violations) {
    let attributes = field.attributes();
    size(field, violations);
    time(field, violations);
    tags(field, violations);
    if attributes.compat.is_some()
        && let Some(place) = field.first_of(&[Attribute::Md5, Attribute::RevTs])
    {
        violations.add(place, "a hash or a reverse timestamp has no compatibility encoding");
        return;
    }
    if let Type::Foreign(word) = field.innermost()
        && !field.is_compat()
    {
        let text = format!(
            "`{word}` has only compatibility encodings: add `compat = phoenix` or `compat = \
             hbase_ordered`"
        );
        violations.add(field.ty(), text);
        return;
    }
    if let Some(part) = attributes.md5 {
        md5(field, part, violations);
        return;
    }
    if attributes.rev_ts.is_some() {
        rev_ts(field, violations);
    }
    list::check(field, violations);
    text::check(field, violations);
    number::check(field, violations);
    order(field, violations);
    last(field, violations);
}

fn size(field: FieldContext<'_>, violations: &mut Violations) {
    if let Type::Array(len) | Type::Uid(len) | Type::Digest(len) = *field.innermost()
        && len > MAX_ROW_LEN
    {
        violations.add(field.ty(), too_long_message());
    }
}

/// Checks that `display_time` is set on a number of up to 64 bits, or on a type that may be such a
/// number.
fn time(field: FieldContext<'_>, violations: &mut Violations) {
    // The type of a reverse timestamp is checked by `rev_ts`.
    if field.attributes().display_time.is_none() || field.attributes().rev_ts.is_some() {
        return;
    }
    let counts = match field.innermost() {
        Type::Int(int) => int.bytes <= 8,
        Type::Unknown(guess) => *guess != Guess::Array,
        _ => false,
    };
    if !counts || field.attributes().md5.is_some() {
        violations.add(
            field.attribute(Attribute::DisplayTime),
            "`display_time` is for numbers that count time since 1970; this field is not one",
        );
    }
}

fn tags(field: FieldContext<'_>, violations: &mut Violations) {
    let Some(tags) = field.field.tags() else { return };
    for (_, message) in check_tags(tags, field.field.ty()) {
        violations.add(field.ty(), message);
    }
    if field.attributes().display_time.is_some() {
        violations.add(
            field.attribute(Attribute::DisplayTime),
            "`display_time` is for numbers that count time since 1970; this field is an enum",
        );
    }
}

fn md5(field: FieldContext<'_>, part: DigestPart, violations: &mut Violations) {
    let mixed = field.first_of(&ENCODINGS).or(field.first_of(&[Attribute::RevTs]));
    if let Some(place) = mixed {
        violations.add(
            place,
            "an `md5` field holds a digest, which has its own encoding: remove this attribute or \
             the `md5`",
        );
    }
    if !field.field.ty().is_hashable() {
        violations.add(
            field.attribute(Attribute::Md5),
            "`md5` is for text, bytes and integers, whose plain bytes are the same in every client",
        );
    }
    digest(part, Place::Digest(field.at), violations);
}

fn rev_ts(field: FieldContext<'_>, violations: &mut Violations) {
    let fits = match field.field.ty() {
        Type::Int(int) if int.bytes == 8 && int.limit == Limit::Any => {
            field.attributes().rev_ts == Some(RevTsKind::Max) || !int.signed
        }
        Type::Unknown(guess) => *guess != Guess::Array,
        _ => false,
    };
    if !fits {
        let text = match field.attributes().rev_ts {
            Some(RevTsKind::Inverted) => {
                "`rev_ts = \"inverted\"` inverts a u64; use `rev_ts` for an i64 and `desc` for \
                 other types"
            }
            _ => {
                "a reverse timestamp is an i64 or u64 of milliseconds, because it is i64::MAX \
                 minus the time; use `desc` for other types"
            }
        };
        violations.add(field.ty(), text);
    }
    if field.attributes().desc {
        violations.add(
            field.attribute(Attribute::Desc),
            "`rev_ts` already sorts newest first; with `desc` it would sort oldest first again: \
             keep one",
        );
    }
    let others = ENCODINGS.into_iter().filter(|attribute| *attribute != Attribute::Desc);
    let others: alloc::vec::Vec<Attribute> = others.collect();
    if let Some(place) = field.first_of(&others) {
        violations.add(place, "a reverse timestamp has its own encoding: remove this attribute");
    }
}

fn order(field: FieldContext<'_>, violations: &mut Violations) {
    let (attributes, innermost) = (field.attributes(), field.innermost());
    let reverses = *innermost == Type::Text || attributes.digits.is_some() || field.is_unknown();
    if attributes.reverse && !reverses {
        violations.add(
            field.attribute(Attribute::Reverse),
            "`reverse` reverses the characters of text; a number needs `digits = N` with it, or use `desc` \
             (largest first)",
        );
    }
    let sorts = || field.field.ascending_order() == OrderClass::Natural;
    if matches!(field.field.ty(), Type::Optional(_)) && !field.is_compat() && !sorts() {
        violations.add(
            field.ty(),
            "an optional value needs an encoding that sorts as its values do, or a missing one \
             would not sort first",
        );
    }
    let list = matches!(field.field.ty(), Type::List(_));
    if attributes.desc && !list && !field.is_compat() && !field.field.is_prefix_free() {
        violations.add(
            field.attribute(Attribute::Desc),
            "`desc` needs an encoding in which no value is a prefix of another, or `a` would sort before `ab` in descending \
             order: add `escaped` or `width`",
        );
    }
}

/// Checks that only the last field is without an end mark. The check is skipped for the
/// compatibility targets that mark the end of texts themselves, or refuse texts.
fn last(field: FieldContext<'_>, violations: &mut Violations) {
    let open =
        matches!(field.compat, None | Some(CompatTarget::Hbase)) && !field.field.is_prefix_free();
    if field.last || !open || field.attributes().rev_ts.is_some() {
        return;
    }
    let name = field.field.name();
    let text = match (field.field.ty(), field.compat) {
        (Type::List(_), _) => format!(
            "only the last field of a row key may be a list without an end; add `terminated` to \
             `{name}`, which writes 01 before each item and 00 after the last"
        ),
        (Type::TagPairs { .. }, _) => {
            format!(
                "only the last field of a row key may be tag pairs, because nothing marks their \
                 end; move `{name}`"
            )
        }
        (Type::Key(_), _) => format!(
            "only the last field of a row key may be a key whose last field is open, because nothing marks its end; \
             give the last field of `{name}` one"
        ),
        (_, None) => format!(
            "only the last field of a row key may be plain text or bytes, because nothing marks its end; \
             give `{name}` one: `escaped` (any content), `width = N` or `nul_terminated`"
        ),
        (_, Some(_)) => format!(
            "only the last field of a row key may be plain text or bytes, because nothing marks its end; \
             give `{name}` one: `nul_terminated`, `sep` or `width`, or use `compat = \"hbase_ordered\"`"
        ),
    };
    violations.add(field.ty(), text);
}
