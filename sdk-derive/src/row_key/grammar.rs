//! The shape all attributes share: `name`, `name = value`, `name(items)`, separated by commas.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Token, token};

use super::message;
use crate::errors::Errors;
use crate::group::ungrouped;
use crate::suggest::nearest;

/// One entry of an attribute.
pub(super) struct Item {
    pub(super) name: Ident,
    pub(super) value: Value,
}

/// What follows the name of an entry.
pub(super) enum Value {
    None,
    Eq(Expr),
    List(TokenStream),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Eq(ungrouped(input.parse()?))
        } else if input.peek(token::Paren) {
            let list;
            syn::parenthesized!(list in input);
            Value::List(list.parse()?)
        } else {
            Value::None
        };
        Ok(Self { name, value })
    }
}

/// Returns the entries of all attributes called `name`.
pub(super) fn items(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Item> {
    let mut all = Vec::new();
    for attr in attrs.iter().filter(|a| a.path().is_ident(name)) {
        match attr.parse_args_with(Punctuated::<Item, Token![,]>::parse_terminated) {
            Ok(items) => all.extend(items),
            Err(error) => errors.add(error),
        }
    }
    all
}

/// Returns the entries inside the parentheses of an entry.
pub(super) fn inner(list: &TokenStream, errors: &mut Errors) -> Vec<Item> {
    match Punctuated::<Item, Token![,]>::parse_terminated.parse2(list.clone()) {
        Ok(items) => items.into_iter().collect(),
        Err(error) => {
            errors.add(error);
            Vec::new()
        }
    }
}

/// A value and where it was written.
#[derive(Clone)]
pub(super) struct Spanned<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

impl Item {
    pub(super) fn span(&self) -> Span {
        self.name.span()
    }

    /// Reports an entry that is none of `known`.
    pub(super) fn unknown(&self, place: &str, known: &[&str], errors: &mut Errors) {
        let name = self.name.unraw().to_string();
        errors.at(self.span(), message::unknown(&name, place, nearest(&name, known), known));
    }

    /// Stores `value` in `slot`, which must be empty.
    pub(super) fn store<T>(
        &self,
        slot: &mut Option<Spanned<T>>,
        value: Option<T>,
        errors: &mut Errors,
    ) {
        let Some(value) = value else { return };
        if slot.is_some() {
            errors.at(self.span(), message::twice(&self.name.unraw().to_string()));
        } else {
            *slot = Some(Spanned { value, span: self.span() });
        }
    }

    /// Expects the bare name.
    pub(super) fn flag(&self, errors: &mut Errors) -> Option<()> {
        match &self.value {
            Value::None => Some(()),
            _ => self.wrong("nothing behind it", errors),
        }
    }

    /// Expects `name = 16`.
    pub(super) fn number(&self, errors: &mut Errors) -> Option<u64> {
        match &self.value {
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Int(int), .. })) => match int.base10_parse() {
                Ok(number) => Some(number),
                Err(error) => {
                    errors.add(error);
                    None
                }
            },
            _ => self.wrong("a whole number, as in `= 16`", errors),
        }
    }

    /// Expects a number that may be written as the byte it stands for: `name = 1` or `name = b'1'`.
    pub(super) fn number_or_byte(&self, errors: &mut Errors) -> Option<u64> {
        match &self.value {
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. })) => {
                Some(u64::from(byte.value()))
            }
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Int(_), .. })) => self.number(errors),
            _ => self.wrong("a whole number or a byte, as in `= 1` or `= b'a'`", errors),
        }
    }

    /// Expects `name = "text"`.
    pub(super) fn text(&self, errors: &mut Errors) -> Option<syn::LitStr> {
        match &self.value {
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.clone()),
            _ => self.wrong("a text in quotes, as in `= \"..\"`", errors),
        }
    }

    /// Expects one ASCII character or byte: `name = '|'` or `name = 0x1f`.
    pub(super) fn byte(&self, errors: &mut Errors) -> Option<u8> {
        let byte = match &self.value {
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Char(c), .. })) => u8::try_from(c.value()).ok(),
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Byte(b), .. })) => Some(b.value()),
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Str(s), .. })) if s.value().len() == 1 => {
                s.value().bytes().next()
            }
            Value::Eq(Expr::Lit(ExprLit { lit: Lit::Int(i), .. })) => i.base10_parse().ok(),
            _ => None,
        };
        match byte {
            Some(byte) if byte.is_ascii() => Some(byte),
            _ => self.wrong("one ASCII character, as in `= '|'`", errors),
        }
    }

    /// Expects one of the words in `known`: `name = word`.
    pub(super) fn word<'w>(&self, known: &[&'w str], errors: &mut Errors) -> Option<&'w str> {
        if let Value::Eq(Expr::Path(path)) = &self.value
            && let Some(word) = path.path.get_ident()
        {
            let word = word.to_string();
            if let Some(found) = known.iter().find(|k| **k == word) {
                return Some(found);
            }
        }
        self.wrong(&format!("one of {}", message::list(known)), errors)
    }

    /// Expects the names or numbers of fields: `name = (a, b)`.
    pub(super) fn fields(&self, errors: &mut Errors) -> Option<Vec<Ident>> {
        let name = |expr: &Expr| match expr {
            Expr::Path(path) => path.path.get_ident().cloned(),
            Expr::Lit(ExprLit { lit: Lit::Int(i), .. }) => {
                Some(Ident::new(&format!("field_{}", i.base10_digits()), i.span()))
            }
            _ => None,
        };
        let names = match &self.value {
            Value::Eq(Expr::Tuple(tuple)) if !tuple.elems.is_empty() => {
                tuple.elems.iter().map(name).collect()
            }
            Value::Eq(Expr::Paren(one)) => name(&one.expr).map(|n| vec![n]),
            Value::Eq(one) => name(one).map(|n| vec![n]),
            _ => None,
        };
        match names {
            Some(names) => Some(names),
            None => self.wrong("names of fields, as in `= (tenant, user)`", errors),
        }
    }

    /// Reports a value of the wrong kind.
    pub(super) fn wrong<T>(&self, expected: &str, errors: &mut Errors) -> Option<T> {
        let span = match &self.value {
            Value::None => self.span(),
            Value::Eq(expr) => syn::spanned::Spanned::span(expr),
            Value::List(list) if list.is_empty() => self.span(),
            Value::List(list) => syn::spanned::Spanned::span(list),
        };
        errors.at(span, message::expects(&self.name.unraw().to_string(), expected));
        None
    }
}
