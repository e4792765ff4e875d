//! The rules for optional values, lists and tag pairs.

use super::context::FieldContext;
use crate::attributes::{Attribute, End};
use crate::field::{Field, Type};
use crate::order::OrderClass;
use crate::violation::Violations;

pub(super) fn check(field: FieldContext<'_>, violations: &mut Violations) {
    let ty = field.field.ty();
    match ty {
        Type::List(item) => items(field, item, violations),
        Type::Optional(some) => optional(field, some, violations),
        Type::TagPairs { key, value, .. } => {
            let half = |ty: &Type| {
                ty.is_unknown()
                    || (ty.width().is_some_and(|w| w > 0) && !matches!(ty, Type::Key(_)))
            };
            if !half(key) || !half(value) || matches!(**key, Type::Float(_)) {
                violations.add(
                    field.ty(),
                    "tag pairs are of numbers, ids and other values of one width, not of text, \
                     keys or lists",
                );
            }
        }
        _ => {}
    }
    if field.attributes().terminated && !matches!(ty, Type::List(_)) {
        violations.add(
            field.attribute(Attribute::Terminated),
            "`terminated` is for lists; this field is not a `Vec<T>`",
        );
    }
}

fn optional(field: FieldContext<'_>, some: &Type, violations: &mut Violations) {
    match some {
        Type::List(_) => {
            violations.add(
                field.ty(),
                "a missing list cannot be distinguished from an empty one: \
                 use the list without `Option`",
            );
        }
        Type::Optional(_) | Type::TagPairs { .. } => violations.add(
            field.ty(),
            "an optional value holds no optional value and no tag pairs: use one `Option`, or the \
             tag pairs alone",
        ),
        _ => {}
    }
}

/// Checks that the end of each item and of the list can be found.
fn items(field: FieldContext<'_>, item: &Type, violations: &mut Violations) {
    let attributes = field.attributes();
    match item {
        Type::List(_) => violations.add(
            field.ty(),
            "a list of lists cannot be a field of a row key; put the inner list into a struct of \
             its own, with `terminated`, and derive RowKey for it",
        ),
        Type::TagPairs { .. } => {
            violations.add(field.ty(), "a list of tag pairs cannot be a field of a row key");
        }
        Type::Optional(some) => optional(field, some, violations),
        _ => {}
    }
    let one = Field::new(field.field.name().into(), item.clone(), attributes.clone());
    let nested = matches!(item, Type::List(_) | Type::TagPairs { .. });
    let open = attributes.end() == End::Native && !one.is_prefix_free();
    if !field.is_compat() && !nested && (open || one.width() == Some(0)) {
        violations.add(
            field.ty(),
            "the items of a list follow one another, so each needs an end: `escaped`, `width = N` or \
             `nul_terminated`",
        );
    }
    if matches!(item, Type::Optional(_)) && one.ascending_order() != OrderClass::Natural {
        violations.add(
            field.ty(),
            "an optional value needs an encoding that sorts as its values do, or a missing one \
             would not sort first",
        );
    }
    if attributes.floor.is_some() {
        violations.add(
            field.attribute(Attribute::Floor),
            "`floor` is for a single number; round the items before they are stored",
        );
    }
    if attributes.desc && !attributes.terminated && field.last {
        violations.add(
            field.attribute(Attribute::Desc),
            "`desc` needs an encoding in which no list is a prefix of another, or `[1]` would sort before `[1, 2]` in \
             descending order: add `terminated`",
        );
    }
}
