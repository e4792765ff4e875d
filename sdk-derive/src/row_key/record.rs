//! The record variants of an enum: their rows contain the shared fields, a tag, and then the fields
//! of the variant.

use std::ops::Range;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{DataEnum, Expr, ExprLit, Fields, Ident, Lit, Variant};

use super::attr::{self, RowKeyAttr};
use super::field::{self, Field};
use super::message;
use crate::kernel::{Errors, Spanned, ungrouped};

/// All record variants of an enum.
pub(super) struct Records {
    /// The number of fields that all variants share.
    pub(super) shared: usize,
    pub(super) list: Vec<Record>,
}

/// One record variant of an enum.
pub(super) struct Record {
    pub(super) ident: Ident,
    /// The tag of the variant, which follows the shared fields in its rows; `None` if the attribute
    /// is wrong.
    pub(super) tag: Option<Spanned<u64>>,
    /// The positions of the variant's own fields among all fields of the key.
    pub(super) fields: Range<usize>,
}

impl Record {
    /// Returns the name of the variant, without the `r#` of a raw identifier.
    pub(super) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// Reports variants whose names would hide the constants of the key.
pub(super) fn check_variant_names(data: &DataEnum, errors: &mut Errors) {
    for variant in &data.variants {
        let name = variant.ident.to_string();
        if ["SCHEMA", "FINGERPRINT", "SPLITS"].contains(&name.as_str()) {
            errors.report_at_tokens(&variant.ident, message::variant_hides_constant(&name));
        }
    }
}

/// Returns the name of the builder's method that chooses a variant: `order_rows` for `Order`.
pub(super) fn rows_method_name(variant: &Ident) -> Ident {
    let mut name = String::new();
    for c in variant.unraw().to_string().chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    Ident::new(&format!("{name}_rows"), variant.span())
}

impl Records {
    /// Returns the fields of all variants, and the variants. The shared fields are first, and the
    /// list contains them only once.
    pub(super) fn new(
        ident: &Ident,
        data: &DataEnum,
        attr: &RowKeyAttr,
        errors: &mut Errors,
    ) -> Option<(Vec<Field>, Self)> {
        if data.variants.is_empty() {
            errors.report_at_tokens(ident, message::NO_RECORDS);
            return None;
        }
        self::check_variant_names(data, errors);
        let names = attr.shared.as_ref().map_or(&[][..], |s| &s.value);
        if attr.salt.as_ref().is_some_and(|s| s.value.fields.is_none() && s.value.random.is_none())
        {
            let span = attr.salt.as_ref().map_or(ident.span(), |s| s.span);
            errors.report_at_span(span, message::SALT_OF_ENUM_WITHOUT_FIELDS);
        }
        let mut all = Vec::new();
        let mut list = Vec::new();
        for variant in &data.variants {
            if matches!(&variant.fields, Fields::Unnamed(_)) {
                errors.report_at_tokens(&variant.ident, message::RECORD_WITHOUT_NAMED_FIELDS);
                continue;
            }
            let tag = tag(variant, errors);
            let first = all.is_empty();
            if data.variants.first().is_some_and(|first| !shares(variant, first, names, errors)) {
                continue;
            }
            let mut fields = field::all(&variant.fields, errors);
            // A shared field is never the last field: the tag follows it.
            for field in fields.iter_mut().take(names.len()) {
                field.last = false;
            }
            let own = fields.split_off(names.len());
            if first && list.is_empty() {
                all.extend(fields);
            }
            let start = all.len();
            all.extend(own);
            let (ident, fields) = (variant.ident.clone(), start..all.len());
            list.push(Record { ident, tag, fields });
        }
        // An error has been reported for every variant.
        if list.is_empty() {
            return None;
        }
        Some((all, Self { shared: names.len(), list }))
    }
}

/// Returns the tag of a variant.
fn tag(variant: &Variant, errors: &mut Errors) -> Option<Spanned<u64>> {
    let before = errors.len();
    let Some(tag) = attr::tag(&variant.attrs, errors) else {
        if errors.len() == before {
            errors.report_at_tokens(&variant.ident, message::TAG_MISSING);
        }
        return None;
    };
    check_discriminant(variant, Some(tag.value), errors);
    Some(tag)
}

/// Reports a discriminant that differs from the tag.
pub(super) fn check_discriminant(variant: &Variant, tag: Option<u64>, errors: &mut Errors) {
    if let Some(lit) = discriminant(variant)
        && number(&lit) != tag
    {
        errors.report_at_tokens(&lit, message::TAG_AND_DISCRIMINANT);
    }
}

/// Returns the discriminant of a variant, if it is a literal.
pub(super) fn discriminant(variant: &Variant) -> Option<Lit> {
    match ungrouped(variant.discriminant.as_ref()?.1.clone()) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// Returns the value of a discriminant as a number.
pub(super) fn number(lit: &Lit) -> Option<u64> {
    match lit {
        Lit::Int(number) => number.base10_parse().ok(),
        Lit::Byte(byte) => Some(byte.value().into()),
        _ => None,
    }
}

/// Checks that a variant starts with the shared fields, with the same types and attributes as in
/// the first variant.
fn shares(variant: &Variant, first: &Variant, names: &[Ident], errors: &mut Errors) -> bool {
    let shape = |field: &syn::Field| {
        let attrs = field.attrs.iter().filter(|a| a.path().is_ident("key"));
        let attrs: String = attrs.map(|a| a.to_token_stream().to_string()).collect();
        (field.ty.to_token_stream().to_string(), attrs)
    };
    let mut good = true;
    for (index, name) in names.iter().enumerate() {
        let field = variant.fields.iter().nth(index);
        match field.filter(|f| f.ident.as_ref() == Some(name)) {
            None => {
                errors.report_at_tokens(
                    &variant.ident,
                    message::shared_field_missing(&name.to_string()),
                );
                return false;
            }
            Some(field) => {
                if first.fields.iter().nth(index).map(shape) != Some(shape(field)) {
                    errors.report_at_tokens(
                        &field.ident,
                        message::shared_field_differs(&name.to_string()),
                    );
                    good = false;
                }
            }
        }
    }
    good
}
