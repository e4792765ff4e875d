//! One entry of an attribute: `name`, `name = value` or `name(..)`.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token, Type, token};

use super::errors::Errors;
use super::message;

/// The names of the entries whose values are types. They are parsed as types, because a type is in
/// general not an expression.
const TYPE_VALUED_ENTRIES: [&str; 1] = ["via"];

/// One entry of an attribute.
pub(crate) struct Entry {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// The part of an entry after its name.
pub(crate) enum Value {
    None,
    Expr(Expr),
    /// The value of an entry whose name is in [`TYPE_VALUED_ENTRIES`].
    Type(Type),
    List(TokenStream),
}

/// A value, and the span of its entry.
#[derive(Clone)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Returns the span of an entry, if the entry is given.
pub(crate) fn span<T>(given: &Option<Spanned<T>>) -> Option<Span> {
    given.as_ref().map(|given| given.span)
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            let literal: Lit = input.parse()?;
            return Err(syn::Error::new(literal.span(), message::not_a_name(&literal)));
        }
        let name = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if TYPE_VALUED_ENTRIES.iter().any(|word| name == word) {
                return Ok(Self { name, value: Value::Type(input.parse()?) });
            }
            Value::Expr(ungrouped(input.parse()?))
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

/// Returns the expression without invisible groups: a `macro_rules` macro passes `$name:literal`
/// and `$name:expr` to a derive inside such groups.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}

/// Functions that read the value of an entry. Each function reports a value of the wrong type, and
/// then returns `None`.
impl Entry {
    /// Reads an entry without a value: `name`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<()> {
        match &self.value {
            Value::None => Some(()),
            _ => self.report_wrong_value("no value", errors),
        }
    }

    /// Reads a whole number: `name = 16`.
    pub(crate) fn number(&self, errors: &mut Errors) -> Option<u64> {
        match self.literal() {
            Some(Lit::Int(int)) => match int.base10_parse() {
                Ok(number) => Some(number),
                Err(error) => {
                    errors.add(error);
                    None
                }
            },
            _ if self.is_path() => self.report_wrong_value(message::EXPECTED_LITERAL, errors),
            _ => self.report_wrong_value("a whole number, as in `= 16`", errors),
        }
    }

    /// Reads a number that may be written as a byte: `name = 1` or `name = b'1'`.
    pub(crate) fn number_or_byte(&self, errors: &mut Errors) -> Option<u64> {
        match self.literal() {
            Some(Lit::Byte(byte)) => Some(u64::from(byte.value())),
            Some(Lit::Int(_)) => self.number(errors),
            _ => {
                self.report_wrong_value("a whole number or a byte, as in `= 1` or `= b'a'`", errors)
            }
        }
    }

    /// Reads one ASCII character or byte: `name = '|'` or `name = 0x1f`.
    pub(crate) fn ascii(&self, errors: &mut Errors) -> Option<u8> {
        let byte = match self.literal() {
            Some(Lit::Char(c)) => u8::try_from(c.value()).ok(),
            Some(Lit::Byte(b)) => Some(b.value()),
            Some(Lit::Str(s)) if s.value().len() == 1 => s.value().bytes().next(),
            Some(Lit::Int(i)) => i.base10_parse().ok(),
            _ => None,
        };
        match byte {
            Some(byte) if byte.is_ascii() => Some(byte),
            _ => self.report_wrong_value("one ASCII character, as in `= '|'`", errors),
        }
    }

    /// Reads a string: `name = "text"`.
    pub(crate) fn string(&self, errors: &mut Errors) -> Option<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Some(text.clone()),
            _ => self.report_wrong_value("a string, as in `= \"..\"`", errors),
        }
    }

    /// Reads one of the words in `known`: `name = word`.
    pub(crate) fn word<'w>(&self, known: &[&'w str], errors: &mut Errors) -> Option<&'w str> {
        if let Value::Expr(Expr::Path(path)) = &self.value
            && let Some(word) = path.path.get_ident()
        {
            let word = word.to_string();
            if let Some(found) = known.iter().find(|k| **k == word) {
                return Some(found);
            }
        }
        self.report_wrong_value(&format!("one of {}", message::backticked_list(known)), errors)
    }

    /// Reads one of the words in `known` as a string: `name = "word"`.
    pub(crate) fn quoted_word<'w>(
        &self,
        known: &[&'w str],
        errors: &mut Errors,
    ) -> Option<&'w str> {
        let found = match self.literal() {
            Some(Lit::Str(text)) => known.iter().find(|word| **word == text.value()),
            _ => None,
        };
        match found {
            Some(word) => Some(word),
            None => self.report_wrong_value(
                &format!("one of {}, in quotes", message::backticked_list(known)),
                errors,
            ),
        }
    }

    /// Reads a path: `name = some::path`. The error for any other value says what is `expected`.
    pub(crate) fn path(&self, expected: &str, errors: &mut Errors) -> Option<Path> {
        match &self.value {
            Value::Expr(Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
            _ => self.report_wrong_value(expected, errors),
        }
    }

    /// Reads a path in a string: `name = "some::path"`.
    pub(crate) fn path_in_string(&self, errors: &mut Errors) -> Option<Path> {
        match self.string(errors)?.parse() {
            Ok(path) => Some(path),
            Err(error) => {
                errors.add(error);
                None
            }
        }
    }

    /// Returns whether the value after `=` is a path, which may be a constant.
    fn is_path(&self) -> bool {
        matches!(&self.value, Value::Expr(Expr::Path(_)))
    }

    /// Returns the value, if it is a literal.
    pub(crate) fn literal(&self) -> Option<&Lit> {
        match &self.value {
            Value::Expr(Expr::Lit(ExprLit { lit, .. })) => Some(lit),
            _ => None,
        }
    }

    /// Returns the span of the value, or of the name if there is no value.
    pub(crate) fn span(&self) -> Span {
        match &self.value {
            Value::Expr(expr) => expr.span(),
            Value::Type(ty) => ty.span(),
            Value::List(list) if !list.is_empty() => list.span(),
            Value::None | Value::List(_) => self.name.span(),
        }
    }

    /// Reports a value of the wrong type, and returns `None`.
    pub(crate) fn report_wrong_value<T>(&self, expected: &str, errors: &mut Errors) -> Option<T> {
        errors.report_at_span(
            self.span(),
            message::expects(&self.name.unraw().to_string(), expected),
        );
        None
    }
}
