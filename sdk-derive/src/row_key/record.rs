//! The kinds of rows of an enum: shared fields, a tag, then the fields of the kind.

use std::ops::Range;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{DataEnum, Expr, ExprLit, Fields, Ident, Lit, Variant};

use super::attr::{self, TypeAttr};
use super::message;
use super::model::{Field, Key};
use crate::kernel::{Errors, ungrouped};

/// All kinds of rows.
pub(super) struct Records {
    /// How many fields they share.
    pub(super) shared: usize,
    pub(super) tag: Tag,
    pub(super) list: Vec<Record>,
}

/// The type of the tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    U8,
    U16,
    U32,
}

impl Tag {
    fn new(attr: &TypeAttr) -> Self {
        match attr.tag_type.as_ref().map(|tag| tag.value) {
            Some("u16") => Self::U16,
            Some("u32") => Self::U32,
            _ => Self::U8,
        }
    }

    /// Returns how many bytes it takes in a row.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
        }
    }

    /// Returns the type in generated code.
    pub(super) fn ty(self, private: &TokenStream) -> TokenStream {
        match self {
            Self::U8 => quote!(#private::u8),
            Self::U16 => quote!(#private::u16),
            Self::U32 => quote!(#private::u32),
        }
    }

    fn holds(self, tag: u64) -> Option<u32> {
        let most = match self {
            Self::U8 => u64::from(u8::MAX),
            Self::U16 => u64::from(u16::MAX),
            Self::U32 => u64::from(u32::MAX),
        };
        u32::try_from(tag).ok().filter(|_| tag <= most)
    }
}

/// One kind of rows.
pub(super) struct Record {
    pub(super) ident: Ident,
    pub(super) tag: u32,
    /// Its own fields, among those of the key.
    pub(super) fields: Range<usize>,
}

impl Record {
    /// Returns the name without what makes a keyword a name.
    pub(super) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// Reports variants that would hide the constants of the key.
pub(super) fn names(data: &DataEnum, errors: &mut Errors) {
    for variant in &data.variants {
        let name = variant.ident.to_string();
        if ["SCHEMA", "FINGERPRINT", "SPLITS"].contains(&name.as_str()) {
            errors.on(&variant.ident, message::name_of_a_constant(&name));
        }
    }
}

/// Returns the name of the builder's method that chooses a kind: `order_rows` for `Order`.
pub(super) fn method(variant: &Ident) -> Ident {
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
    /// Returns the fields of all kinds, the shared ones first and once, and the kinds.
    pub(super) fn new(
        ident: &Ident,
        data: &DataEnum,
        attr: &TypeAttr,
        errors: &mut Errors,
    ) -> Option<(Vec<Field>, Self)> {
        if data.variants.is_empty() {
            errors.on(ident, message::NO_RECORDS);
            return None;
        }
        self::names(data, errors);
        let names = attr.shared.as_ref().map_or(&[][..], |s| &s.value);
        if attr.salt.as_ref().is_some_and(|s| s.value.fields.is_none() && s.value.random.is_none())
        {
            let span = attr.salt.as_ref().map_or(ident.span(), |s| s.span);
            errors.at(span, message::SALT_OF_RECORDS);
        }
        let mut all = Vec::new();
        let mut list = Vec::new();
        let width = Tag::new(attr);
        let mut taken: Vec<(u64, &Ident)> = Vec::new();
        for variant in &data.variants {
            let tag = tag(variant, width, &mut taken, errors).unwrap_or_default();
            if matches!(&variant.fields, Fields::Unnamed(_)) {
                errors.on(&variant.ident, message::RECORD_NAMED);
                continue;
            }
            let first = all.is_empty();
            if data.variants.first().is_some_and(|first| !shares(variant, first, names, errors)) {
                continue;
            }
            let mut fields = Key::fields(&variant.fields, attr, errors);
            // What the rows share is never last: the tag follows it.
            for field in fields.iter_mut().take(names.len()) {
                field.last = false;
            }
            let own = fields.split_off(names.len());
            if first && list.is_empty() {
                all.extend(fields);
            }
            let start = all.len();
            all.extend(own);
            list.push(Record { ident: variant.ident.clone(), tag, fields: start..all.len() });
        }
        Some((all, Self { shared: names.len(), tag: width, list }))
    }
}

/// Returns the tag of a variant.
fn tag<'v>(
    variant: &'v Variant,
    width: Tag,
    taken: &mut Vec<(u64, &'v Ident)>,
    errors: &mut Errors,
) -> Option<u32> {
    let before = errors.len();
    let Some(tag) = attr::tag(&variant.attrs, errors) else {
        if errors.len() == before {
            errors.on(&variant.ident, message::TAG_MISSING);
        }
        return None;
    };
    if let Some((_, other)) = taken.iter().find(|(t, _)| *t == tag.value) {
        errors.at(tag.span, message::tag_twice(tag.value, &other.to_string()));
    }
    taken.push((tag.value, &variant.ident));
    let discriminant = variant.discriminant.as_ref().map(|(_, expr)| ungrouped(expr.clone()));
    if let Some(Expr::Lit(ExprLit { lit, .. })) = discriminant {
        let discriminant = match &lit {
            Lit::Int(number) => number.base10_parse::<u64>().ok(),
            Lit::Byte(byte) => Some(u64::from(byte.value())),
            _ => None,
        };
        if discriminant != Some(tag.value) {
            errors.on(&lit, message::TAG_AND_DISCRIMINANT);
        }
    }
    let held = width.holds(tag.value);
    if held.is_none() {
        errors.at(tag.span, message::tag_too_large(tag.value, width.bytes()));
    }
    held
}

/// Checks that a variant starts with the shared fields, as the first one does.
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
                errors.on(&variant.ident, message::shared_missing(&name.to_string()));
                return false;
            }
            Some(field) => {
                if first.fields.iter().nth(index).map(shape) != Some(shape(field)) {
                    errors.on(&field.ident, message::shared_differs(&name.to_string()));
                    good = false;
                }
            }
        }
    }
    good
}
