//! The rules for fields that contain numbers.

use alloc::format;

use super::context::FieldContext;
use crate::attributes::Attribute;
use crate::field::{Int, Limit};
use crate::model::MAX_DIGITS;
use crate::violation::Violations;

pub(super) fn check(field: FieldContext<'_>, violations: &mut Violations) {
    let attributes = field.attributes();
    let int = field.int().filter(|int| int.limit == Limit::Any);
    if let Some(digits) = attributes.digits {
        let place = field.attribute(Attribute::Digits);
        if !field.is_unknown() && int.is_none_or(|int| int.signed) {
            violations.add(place, "`digits` is for unsigned numbers: use u8 to u128");
        }
        if !(1..=MAX_DIGITS).contains(&digits) {
            violations.add(place, format!("a number has 1 to {MAX_DIGITS} digits"));
        }
    }
    if attributes.raw_be {
        let place = field.attribute(Attribute::RawBe);
        if attributes.digits.is_some() {
            violations.add(place, "a number has one encoding: keep `digits` or `raw_be`");
        } else if !field.is_unknown() && !int.is_some_and(|int| int.signed) {
            violations.add(
                place,
                "`raw_be` is for signed numbers; an unsigned number is plain big-endian already",
            );
        }
    }
    if let Some(step) = attributes.floor {
        let place = field.attribute(Attribute::Floor);
        let fits =
            matches!(int, Some(Int { bytes: 4 | 8, .. } | Int { bytes: 1 | 2, signed: false, .. }));
        if !field.is_unknown() && !fits {
            violations
                .add(place, "`floor` is for times and other numbers: use u8 to u64, i32 or i64");
        }
        if !(1..=u64::from(u32::MAX)).contains(&step) {
            violations
                .add(place, "the step of `floor` is 1 to 4294967295; 3600 rounds seconds to hours");
        }
    }
}
