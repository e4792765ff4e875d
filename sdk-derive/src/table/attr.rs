//! The grammar: `#[table(name = "..")]`, `#[family("d", versions = 3)]`, `#[key]`, `#[cell("d:q")]`.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

use super::message;
use crate::errors::Errors;
use crate::suggest::nearest;

/// One `name = value` of an attribute.
pub(super) struct Setting {
    pub(super) name: Ident,
    pub(super) value: Lit,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        input.parse::<Token![=]>()?;
        match input.parse()? {
            Expr::Lit(ExprLit { lit, .. }) => Ok(Self { name, value: lit }),
            other => Err(syn::Error::new(other.span(), message::NOT_A_LITERAL)),
        }
    }
}

/// What stands on the type.
#[derive(Default)]
pub(super) struct TypeAttr {
    pub(super) name: Option<LitStr>,
    pub(super) krate: Option<Path>,
    pub(super) families: Vec<FamilyAttr>,
}

/// One `#[family("d", versions = 3)]`.
pub(super) struct FamilyAttr {
    pub(super) name: LitStr,
    pub(super) options: Vec<Setting>,
}

impl Parse for FamilyAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let options = Punctuated::<Setting, Token![,]>::parse_terminated(input)?;
        Ok(Self { name, options: options.into_iter().collect() })
    }
}

impl TypeAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for attr in attrs {
            if attr.path().is_ident("family") {
                match attr.parse_args() {
                    Ok(family) => this.families.push(family),
                    Err(error) => errors.add(error),
                }
            } else if attr.path().is_ident("table") {
                match attr.parse_args_with(Punctuated::<Setting, Token![,]>::parse_terminated) {
                    Ok(options) => options.into_iter().for_each(|o| this.take(o, errors)),
                    Err(error) => errors.add(error),
                }
            }
        }
        this
    }

    fn take(&mut self, option: Setting, errors: &mut Errors) {
        const KNOWN: [&str; 2] = ["name", "crate"];
        let name = option.name.unraw().to_string();
        match (name.as_str(), &option.value) {
            ("name", Lit::Str(text)) if self.name.is_none() => self.name = Some(text.clone()),
            ("crate", Lit::Str(text)) if self.krate.is_none() => match text.parse() {
                Ok(path) => self.krate = Some(path),
                Err(error) => errors.add(error),
            },
            ("name" | "crate", Lit::Str(_)) => errors.on(&option.name, message::twice(&name)),
            ("name" | "crate", other) => {
                errors.on(other, message::expects(&name, "a text in quotes"))
            }
            _ => errors
                .on(&option.name, message::unknown(&name, "table", nearest(&name, &KNOWN), &KNOWN)),
        }
    }
}

/// What stands on a field.
pub(super) enum FieldAttr {
    Key,
    Cell { family: String, qualifier: String, span: Span },
}

impl FieldAttr {
    /// The attribute of a field; none if it is missing or wrong, which is then reported.
    pub(super) fn parse(field: &syn::Field, errors: &mut Errors) -> Option<Self> {
        let mut found = Vec::new();
        for attr in &field.attrs {
            if attr.path().is_ident("key") {
                match attr.meta.require_path_only() {
                    Ok(_) => found.push(Some(Self::Key)),
                    Err(_) => {
                        errors.on(attr, message::KEY_TAKES_NOTHING);
                        found.push(None);
                    }
                }
            } else if attr.path().is_ident("cell") {
                found.push(Self::cell(attr, errors));
            }
            if found.len() > 1 {
                errors.on(attr, message::ONE_ATTRIBUTE);
                return None;
            }
        }
        if found.is_empty() {
            errors.on(field, message::NO_ATTRIBUTE);
        }
        found.pop().flatten()
    }

    fn cell(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        let text: LitStr = match attr.parse_args() {
            Ok(text) => text,
            Err(_) => {
                errors.on(attr, message::CELL_TAKES_A_COLUMN);
                return None;
            }
        };
        let value = text.value();
        match value.split_once(':') {
            Some((family, qualifier)) if !family.is_empty() => Some(Self::Cell {
                family: family.to_owned(),
                qualifier: qualifier.to_owned(),
                span: text.span(),
            }),
            _ => {
                errors.on(&text, message::CELL_TAKES_A_COLUMN);
                None
            }
        }
    }
}
