//! The grammar of what stands on the type: `#[table(name = "..")]`, `#[family("d", versions = 3)]`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

use super::message;
use crate::errors::Errors;
use crate::group::ungrouped;
use crate::suggest::nearest;

/// One `name = value` of a family.
pub(super) struct Setting {
    pub(super) name: Ident,
    pub(super) value: Lit,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        input.parse::<Token![=]>()?;
        match ungrouped(input.parse()?) {
            Expr::Lit(ExprLit { lit, .. }) => Ok(Self { name, value: lit }),
            other => Err(syn::Error::new(other.span(), message::NOT_A_LITERAL)),
        }
    }
}

/// One `name` or `name = value` of any other attribute.
pub(super) struct Setter {
    pub(super) name: Ident,
    pub(super) value: Option<Expr>,
}

impl Parse for Setter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(ungrouped(input.parse()?)),
            None => None,
        };
        Ok(Self { name, value })
    }
}

/// What stands on the type.
#[derive(Default)]
pub(super) struct TypeAttr {
    pub(super) name: Option<LitStr>,
    pub(super) krate: Option<Path>,
    pub(super) projection_of: Option<Path>,
    pub(super) part_of: Option<Path>,
    pub(super) record: Option<Path>,
    pub(super) check: Option<Path>,
    pub(super) families: Vec<FamilyAttr>,
}

/// One `#[family("d", versions = 3)]`.
pub(super) struct FamilyAttr {
    pub(super) name: LitStr,
    pub(super) options: Vec<Setting>,
}

impl FamilyAttr {
    /// Another name that the cells of this type may use for it.
    pub(super) fn alias(&self) -> Option<String> {
        self.options.iter().find_map(|setting| match &setting.value {
            Lit::Str(text) if setting.name == "alias" => Some(text.value()),
            _ => None,
        })
    }
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
                match attr.parse_args_with(Punctuated::<Setter, Token![,]>::parse_terminated) {
                    Ok(options) => options.into_iter().for_each(|o| this.take(o, errors)),
                    Err(error) => errors.add(error),
                }
            }
        }
        this
    }

    fn take(&mut self, option: Setter, errors: &mut Errors) {
        const KNOWN: [&str; 6] = ["name", "crate", "projection_of", "part_of", "record", "check"];
        let name = option.name.unraw().to_string();
        let slot = match name.as_str() {
            "name" => {
                return match (text(option.value.as_ref()), &self.name) {
                    (Some(text), None) => self.name = Some(text),
                    (Some(_), Some(_)) => errors.on(&option.name, message::twice(&name)),
                    (None, _) => expects(&option, "a text in quotes", errors),
                };
            }
            "crate" => {
                return match (text(option.value.as_ref()), &self.krate) {
                    (Some(text), None) => match text.parse() {
                        Ok(path) => self.krate = Some(path),
                        Err(error) => errors.add(error),
                    },
                    (Some(_), Some(_)) => errors.on(&option.name, message::twice(&name)),
                    (None, _) => expects(&option, "a text in quotes", errors),
                };
            }
            "projection_of" => &mut self.projection_of,
            "part_of" => &mut self.part_of,
            "record" => &mut self.record,
            "check" => &mut self.check,
            _ => {
                let text = message::unknown(&name, "table", nearest(&name, &KNOWN), &KNOWN);
                return errors.on(&option.name, text);
            }
        };
        match (path(option.value.as_ref()), &slot) {
            (Some(path), None) => *slot = Some(path),
            (Some(_), Some(_)) => errors.on(&option.name, message::twice(&name)),
            (None, _) => expects(&option, "a path, without quotes", errors),
        }
    }
}

/// Says what an option takes, on what it was given.
pub(super) fn expects(option: &Setter, what: &str, errors: &mut Errors) {
    let text = message::expects(&option.name.unraw().to_string(), what);
    match &option.value {
        Some(value) => errors.on(value, text),
        None => errors.on(&option.name, text),
    }
}

/// The text an option was given.
pub(super) fn text(value: Option<&Expr>) -> Option<LitStr> {
    match value {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.clone()),
        _ => None,
    }
}

/// The path an option was given.
pub(super) fn path(value: Option<&Expr>) -> Option<Path> {
    match value {
        Some(Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
        _ => None,
    }
}
