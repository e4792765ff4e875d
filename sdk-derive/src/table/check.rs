//! The rules that concern several parts of a row type.

use quote::ToTokens;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Type};

use super::code::inside_option;
use super::family::Family;
use super::field::{CellPart, Column};
use super::message;
use super::model::{Enum, FieldKind, Key, RowField, Struct, TableSource};
use super::names::{CONSTANTS_OF_GROUPS, CONSTANTS_OF_ROWS, constant_name};
use crate::kernel::{Errors, backticked_list, did_you_mean};

pub(super) fn check_struct(row: &Struct, errors: &mut Errors) {
    if let TableSource::Own(name) = &row.home {
        table_name(name, errors);
        families(&row.ident, &row.families, errors);
        known_families(row, errors);
    }
    keys(row, errors);
    columns(row, errors);
    constants(row, errors);
    // A wrong attribute has been reported already.
    if row.count == row.keys.len() && row.fields.is_empty() {
        let group = matches!(row.home, TableSource::Group);
        errors.report_at_tokens(
            &row.ident,
            if group { message::EMPTY_GROUP } else { message::NO_CELLS },
        );
    }
}

pub(super) fn check_enum(rows: &Enum, errors: &mut Errors) {
    table_name(&rows.name, errors);
    families(&rows.ident, &rows.families, errors);
}

/// Checks the name of a table if it is a string; generated code checks a name that is a constant.
fn table_name(name: &Expr, errors: &mut Errors) {
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = name else { return };
    let text = text.value();
    let (namespace, qualifier) = text.split_once(':').unwrap_or(("default", &text));
    let in_namespace = |c: char| c.is_alphanumeric() || c == '_';
    let in_qualifier = |c: char| in_namespace(c) || c == '-' || c == '.';
    let good = !namespace.is_empty()
        && !qualifier.is_empty()
        && namespace.chars().all(in_namespace)
        && qualifier.chars().all(in_qualifier)
        && !qualifier.starts_with(['-', '.']);
    if !good {
        errors.report_at_tokens(name, message::BAD_NAME);
    }
}

fn families(ident: &Ident, families: &[Family], errors: &mut Errors) {
    // A wrong attribute has been reported already.
    if families.is_empty() && errors.is_empty() {
        errors.report_at_tokens(ident, message::NO_FAMILY);
    }
    for (at, family) in families.iter().enumerate() {
        let name = family.name.value();
        let control = |c: char| c.is_control() || matches!(c, ':' | '/' | '\\');
        let reserved = name.is_empty() || name.starts_with('.') || name == "recovered.edits";
        if reserved || name.contains(control) || name.len() > 127 {
            errors.report_at_tokens(&family.name, message::BAD_FAMILY);
        }
        for own in [Some(&family.name), family.alias.as_ref()].into_iter().flatten() {
            let is_own = |text: &LitStr| text.value() == own.value();
            let taken = |f: &Family| is_own(&f.name) || f.alias.as_ref().is_some_and(is_own);
            if families.iter().take(at).any(taken) {
                errors.report_at_tokens(own, message::same_family(&own.value()));
            }
        }
    }
}

fn known_families(row: &Struct, errors: &mut Errors) {
    let families: Vec<String> = row.families.iter().map(|f| f.name.value()).collect();
    let known: Vec<&str> = families.iter().map(String::as_str).collect();
    let mut check = |family: &str, span| {
        if !known.is_empty() && !known.contains(&family) {
            let otherwise = message::unknown_family_advice(family, &backticked_list(&known));
            let advice = did_you_mean(family, &known, &otherwise);
            errors.report_at_span(span, message::unknown_family(family, &advice));
        }
    };
    for field in &row.fields {
        match &field.kind {
            FieldKind::Cell(column, _) | FieldKind::Cells(column, _) => {
                check(&column.family, column.span)
            }
            FieldKind::Flatten { family: Some(family), .. } => {
                check(&family.value(), family.span())
            }
            FieldKind::Flatten { family: None, .. } | FieldKind::Projected(_) => {}
        }
    }
}

fn keys(row: &Struct, errors: &mut Errors) {
    let first = row.keys.first();
    if let (TableSource::Own(_), Some(key)) = (&row.home, first)
        && let Some(family_and_qualifier) = non_key_type_text(&key.ty)
    {
        if let Type::Reference(_) = &key.ty {
            errors.report_at_tokens(&key.ty, message::KEY_IS_REFERENCE);
            return;
        }
        let fields = key_fields(row);
        errors.report_at_tokens(
            &key.ty,
            message::key_needs_own_type(&fields, &family_and_qualifier, &row.ident),
        );
        return;
    }
    match (&row.home, first) {
        (TableSource::Own(_), None) if errors.is_empty() => {
            errors.report_at_tokens(&row.ident, message::NO_KEY)
        }
        (TableSource::Group, Some(key)) => {
            errors.report_at_tokens(&key.field, message::GROUP_HAS_NO_KEY)
        }
        (TableSource::Own(_) | TableSource::Projection(_), _) => {
            for second in row.keys.iter().skip(1) {
                errors.report_at_tokens(&second.field, message::SECOND_KEY);
            }
        }
        _ => {}
    }
}

/// Returns the text of the type `ty`, if it is known not to be a row key.
pub(super) fn non_key_type_text(ty: &Type) -> Option<String> {
    const PLAIN: [&str; 17] = [
        "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "f32", "f64", "bool",
        "char", "String", "usize", "isize",
    ];
    const WRAPPERS: [&str; 4] = ["Vec", "Option", "Box", "Cow"];
    if matches!(ty, Type::Tuple(_) | Type::Reference(_) | Type::Array(_) | Type::Slice(_)) {
        return Some(shown(ty));
    }
    let Type::Path(path) = ty else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    let plain = path.path.get_ident().is_some() && PLAIN.contains(&&name[..]);
    (plain || WRAPPERS.contains(&&name[..])).then(|| shown(ty))
}

/// Returns the names and types of the fields of the key type that a message proposes: the fields
/// of the row that are marked as the key, or `a`, `b`, .. for the elements of a tuple.
fn key_fields(row: &Struct) -> Vec<(String, String)> {
    match &row.keys[..] {
        [Key { ty: Type::Tuple(tuple), .. }] => {
            let part = |(name, ty): (char, &Type)| (name.to_string(), shown(ty));
            ('a'..='z').zip(&tuple.elems).map(part).collect()
        }
        keys => keys.iter().map(|key| (key.field.to_string(), shown(&key.ty))).collect(),
    }
}

/// Returns the text of a type, with spaces as they are usually written.
fn shown(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace(" ,", ",")
        .replace(" ;", ";")
        .replace("& ", "&")
        .replace(" < ", "<")
        .replace(" >", ">")
}

/// Returns whether a type is an `Option<Counter>`.
pub(super) fn is_optional_counter(ty: &Type) -> bool {
    let last = |ty: &Type| match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    let inner = inside_option(ty);
    last(ty).is_some_and(|name| name == "Option")
        && last(inner).is_some_and(|name| name == "Counter")
}

/// Reports fields whose constants would hide the constants of the traits, or would have the same
/// name as the constant of an earlier field.
fn constants(row: &Struct, errors: &mut Errors) {
    let of_trait = match row.home {
        TableSource::Group => &CONSTANTS_OF_GROUPS[..],
        _ => &CONSTANTS_OF_ROWS[..],
    };
    let mut taken: Vec<(Ident, &RowField)> = Vec::new();
    for field in row.fields.iter().filter(|field| field.kind.has_constant()) {
        let (name, ident) = (constant_name(&field.ident), &field.ident);
        if of_trait.iter().any(|other| name == other) {
            errors
                .report_at_tokens(ident, message::constant_hides_trait_constant(&row.ident, &name));
        } else if let Some((_, other)) = taken.iter().find(|(other, _)| *other == name) {
            errors.report_at_tokens(ident, message::same_constant(&other.ident, &name));
        }
        taken.push((name, field));
    }
}

fn columns(row: &Struct, errors: &mut Errors) {
    let mut taken: Vec<(&RowField, &Column)> = Vec::new();
    let mut ranges: Vec<(&RowField, &Column)> = Vec::new();
    let mut version = None;
    for field in &row.fields {
        match &field.kind {
            FieldKind::Cell(column, role) => {
                let number = matches!(&field.ty, Type::Path(ty) if ty.path.is_ident("u64"));
                if matches!(role, CellPart::Value(_)) && is_optional_counter(&field.ty) {
                    errors.report_at_tokens(&field.ty, message::COUNTER_IN_OPTION);
                }
                if matches!(role, CellPart::RowVersion) && !number {
                    errors.report_at_tokens(&field.ty, message::ROW_VERSION_NOT_U64);
                }
                if matches!(role, CellPart::RowVersion) && version.replace(column).is_some() {
                    errors.report_at_span(column.span, message::SECOND_ROW_VERSION);
                }
                if matches!(
                    (role, &row.home),
                    (CellPart::RowVersion, TableSource::Group | TableSource::Projection(_))
                ) {
                    errors.report_at_span(column.span, message::ROW_VERSION_ON_PART_OF_ROW);
                }
                if row.empty_column.as_ref().is_some_and(|empty| {
                    empty.family_and_qualifier() == column.family_and_qualifier()
                }) {
                    errors.report_at_span(column.span, message::IS_EMPTY_COLUMN);
                }
                if !role.is_written() {
                    continue;
                }
                if let Some((first, _)) = taken
                    .iter()
                    .find(|(_, c)| c.family_and_qualifier() == column.family_and_qualifier())
                {
                    errors.report_at_span(
                        column.span,
                        message::same_column(&first.ident.to_string()),
                    );
                }
                taken.push((field, column));
            }
            FieldKind::Cells(range, _) => {
                let overlaps = |other: &Column| {
                    other.family == range.family
                        && (other.qualifier.starts_with(&range.qualifier)
                            || range.qualifier.starts_with(&other.qualifier))
                };
                if let Some((first, _)) = ranges.iter().find(|(_, c)| overlaps(c)) {
                    errors.report_at_span(
                        range.span,
                        message::overlapping_cells(&first.ident.to_string()),
                    );
                }
                ranges.push((field, range));
            }
            FieldKind::Flatten { .. } | FieldKind::Projected(_) => {}
        }
    }
}
