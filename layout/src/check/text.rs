//! The rules for text and bytes: how such a field ends, and which characters a text may contain.

use alloc::format;

use super::context::{FieldContext, too_long_message};
use crate::attributes::{Attribute, End};
use crate::field::Type;
use crate::model::MAX_ROW_LEN;
use crate::violation::Violations;

const ENDS: [Attribute; 4] =
    [Attribute::Escaped, Attribute::NulTerminated, Attribute::Width, Attribute::Sep];

pub(super) fn check(field: FieldContext<'_>, violations: &mut Violations) {
    ends(field, violations);
    chars(field, violations);
}

fn ends(field: FieldContext<'_>, violations: &mut Violations) {
    let attributes = field.attributes();
    let mut given = attributes.given().filter(|attribute| ENDS.contains(attribute));
    if let (Some(_), Some(second)) = (given.next(), given.next()) {
        violations.add(
            field.attribute(second),
            "a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`",
        );
    }
    let innermost = field.innermost();
    if !innermost.is_text_or_bytes() && !field.is_unknown() && attributes.rev_ts.is_none() {
        let others = [Attribute::Pad, Attribute::Chars];
        if let Some(place) = field.first_of(&ENDS).or(field.first_of(&others)) {
            violations.add(
                place,
                "`escaped`, `nul_terminated`, `width`, `sep`, `pad` and `chars` are for text and \
                 bytes; a number has a fixed width",
            );
        }
        return;
    }
    match attributes.width {
        Some(0) => violations.add(field.attribute(Attribute::Width), "the minimum width is 1"),
        Some(width) if width > MAX_ROW_LEN => {
            violations.add(field.attribute(Attribute::Width), too_long_message());
        }
        None if attributes.pad.is_some() => {
            violations
                .add(field.attribute(Attribute::Pad), "`pad` is for a field with `width`; add one");
        }
        _ => {}
    }
    for (attribute, byte) in [(Attribute::Pad, attributes.pad), (Attribute::Sep, attributes.sep)] {
        if byte.is_some_and(|byte| !byte.is_ascii()) {
            violations
                .add(field.attribute(attribute), "padding and separators are ASCII, up to 0x7f");
        }
    }
    if attributes.sep.is_some() && *innermost == Type::Bytes {
        violations.add(
            field.attribute(Attribute::Sep),
            "a separator is for text; bytes may contain any value, so use `escaped` or `width`",
        );
    }
}

fn chars(field: FieldContext<'_>, violations: &mut Violations) {
    let (attributes, place) = (field.attributes(), field.attribute(Attribute::Chars));
    let Some(set) = attributes.chars else { return };
    let holds = |byte: u8| byte.is_ascii() && set >> byte & 1 == 1;
    if *field.innermost() == Type::Bytes {
        violations.add(place, "`chars` is for text");
    }
    if set == 0 {
        violations.add(place, "`chars` is empty");
    }
    match attributes.end() {
        End::Byte(end) if holds(end) => {
            let text = format!(
                "`chars` allows {:?}, which ends the text, so the row key could not be decoded; \
                 remove it",
                char::from(end)
            );
            violations.add(place, text);
        }
        End::Width { pad, .. } if (0..pad).any(holds) => {
            let text = format!(
                "the padding {:?} sorts above characters in `chars`; use one below them, or none \
                 for 00",
                char::from(pad)
            );
            violations.add(field.attribute(Attribute::Pad), text);
        }
        _ => {}
    }
}
