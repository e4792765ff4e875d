//! The rules for fields that hold the ids of names: `#[key(lookup = "host")]`.

use proc_macro2::Span;
use tallrow_layout::{Int, Limit, Type};

use super::attr::KeyAttr;
use super::field::Field;
use super::message;
use super::model::Key;
use crate::kernel::{Errors, span};

/// Reports fields with `lookup` that do not hold an id, or whose id is not in the row.
pub(super) fn check(key: &Key, errors: &mut Errors) {
    for field in &key.fields {
        let Some(lookup) = &field.attr.lookup else { continue };
        if !key.params.has_no_type_or_const_params() {
            errors.report_at_span(lookup.span, message::LOOKUP_GENERIC);
        }
        match changing(&field.attr) {
            Some((name, span)) => errors.report_at_span(span, message::lookup_of_changed_id(name)),
            None if !may_be_id(field) => {
                errors.report_at_tokens(&field.ty, message::LOOKUP_WITHOUT_ID)
            }
            None => {}
        }
    }
}

/// Returns whether the field may hold an id, as far as the syntax shows its type. The library
/// checks the rest.
fn may_be_id(field: &Field) -> bool {
    match &field.kind {
        Type::Int(Int { bytes, signed, limit }) => !signed && *bytes <= 8 && *limit == Limit::Any,
        kind => matches!(kind, Type::Unknown(_)),
    }
}

/// Returns the name and span of the first attribute that `lookup` does not allow, because the row
/// would not contain the id of the field unchanged.
fn changing(attr: &KeyAttr) -> Option<(&'static str, Span)> {
    let all = [
        ("md5", span(&attr.md5)),
        ("floor", span(&attr.floor)),
        ("rev_ts", span(&attr.rev_ts)),
        ("display_time", span(&attr.display_time)),
        ("unit", span(&attr.unit)),
        ("via", span(&attr.via)),
    ];
    all.into_iter().find_map(|(name, span)| Some((name, span?)))
}
