//! The entries of an attribute, which are read by their names.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Lit, LitByteStr, LitStr, Meta, Token};

use super::entry::{Entry, Spanned, Value};
use super::errors::Errors;
use super::message;

/// The bytes of a string literal or of a byte string literal, with its span.
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) span: Span,
}

impl Parse for Bytes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitByteStr) {
            let text = input.parse::<LitByteStr>()?;
            return Ok(Self { bytes: text.value(), span: text.span() });
        }
        let text = input.parse::<LitStr>()?;
        Ok(Self { bytes: text.value().into_bytes(), span: text.span() })
    }
}

/// The entries of an attribute that have not been read yet. Each name that `read` was called with
/// is known; [`Entries::finish`] reports all entries with other names.
pub(crate) struct Entries<'e> {
    /// The attribute as errors show it.
    place: String,
    left: Vec<Entry>,
    known: Vec<&'static str>,
    errors: &'e mut Errors,
}

impl<'e> Entries<'e> {
    /// Returns the entries of all attributes called `name`.
    pub(crate) fn of(attrs: &[Attribute], name: &str, errors: &'e mut Errors) -> Self {
        let mut left = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
            match attr.parse_args_with(entries) {
                _ if matches!(attr.meta, Meta::Path(_)) => {
                    errors.report_at_tokens(attr.path(), message::empty(name))
                }
                Ok(entries) => left.extend(entries),
                Err(error) => errors.add(error),
            }
        }
        Self { place: format!("#[{name}(..)]"), left, known: Vec::new(), errors }
    }

    /// Returns the string at the start of an attribute, if there is one, and the entries after the
    /// string: `#[name("text", entry)]`.
    ///
    /// Reports `expected` as the error if the attribute has any other form.
    pub(crate) fn after_string(
        attr: &Attribute,
        expected: &str,
        errors: &'e mut Errors,
    ) -> Option<(Option<LitStr>, Self)> {
        Self::after(attr, |input| input.peek(LitStr), expected, errors)
    }

    /// Like [`after_string`](Self::after_string), but the string may be a byte string:
    /// `#[name(b"bytes", entry)]`.
    pub(crate) fn after_bytes(
        attr: &Attribute,
        expected: &str,
        errors: &'e mut Errors,
    ) -> Option<(Option<Bytes>, Self)> {
        let is_text = |input: ParseStream<'_>| input.peek(LitStr) || input.peek(LitByteStr);
        Self::after(attr, is_text, expected, errors)
    }

    fn after<T: Parse>(
        attr: &Attribute,
        is_text: impl Fn(ParseStream<'_>) -> bool,
        expected: &str,
        errors: &'e mut Errors,
    ) -> Option<(Option<T>, Self)> {
        let parse = |input: ParseStream<'_>| {
            let text = if is_text(input) { Some(input.parse()?) } else { None };
            if text.is_some() && !input.is_empty() {
                input.parse::<Token![,]>()?;
                if input.peek(Lit) {
                    return Err(input.error(expected));
                }
            }
            Ok((text, entries(input)?))
        };
        let place = match attr.path().get_ident() {
            Some(name) => format!("#[{name}(..)]"),
            None => String::new(),
        };
        match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => match attr.parse_args_with(parse) {
                Ok((text, left)) => {
                    return Some((text, Self { place, left, known: Vec::new(), errors }));
                }
                // After a string, the error of the parser is more helpful than `expected`.
                Err(error) => match list.tokens.clone().into_iter().next() {
                    Some(TokenTree::Literal(_)) => errors.add(error),
                    _ => errors.report_at_tokens(attr, expected),
                },
            },
            _ => errors.report_at_tokens(attr, expected),
        }
        None
    }

    /// Returns the entries in the parentheses of an entry; if the entry has no parentheses, reports
    /// an error that says what is `expected`.
    pub(crate) fn from_list_of(
        entry: &Entry,
        expected: &str,
        errors: &'e mut Errors,
    ) -> Option<Self> {
        let Value::List(list) = &entry.value else {
            return entry.report_wrong_value(expected, errors);
        };
        match entries.parse2(list.clone()) {
            Ok(left) => {
                let place = format!("{}(..)", entry.name.unraw());
                Some(Self { place, left, known: Vec::new(), errors })
            }
            Err(error) => {
                errors.add(error);
                None
            }
        }
    }

    /// Reads the entry called `name`, if there is one. A second entry with this name is an error.
    pub(crate) fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Entry, &mut Errors) -> Option<T>,
    ) -> Option<Spanned<T>> {
        self.known.push(name);
        let mut found: Option<Entry> = None;
        for entry in std::mem::take(&mut self.left) {
            match &found {
                _ if entry.name.unraw() != name => self.left.push(entry),
                None => found = Some(entry),
                Some(_) => self.errors.report_at_tokens(&entry.name, message::twice(name)),
            }
        }
        let entry = found?;
        let value = read(&entry, self.errors)?;
        Some(Spanned { value, span: entry.name.span() })
    }

    /// Reports an error about the attribute as a whole, in place of errors about its entries.
    pub(crate) fn reject_attr(self, attr: &Attribute, message: &str) {
        self.errors.report_at_tokens(attr.path(), message);
    }

    /// Returns whether there is an entry called `name` that was not read yet.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.left.iter().any(|entry| entry.name.unraw() == name)
    }

    /// Reports the entries whose names are among `names`, because entries with these names belong
    /// elsewhere.
    pub(crate) fn report_entries_named(
        &mut self,
        names: &[&str],
        message: impl Fn(&str) -> String,
    ) {
        let is_refused = |entry: &mut Entry| names.iter().any(|name| entry.name.unraw() == *name);
        for entry in self.left.extract_if(.., is_refused) {
            self.errors.report_at_tokens(&entry.name, message(&entry.name.unraw().to_string()));
        }
    }

    /// Returns the names of all entries, and reports entries with a value.
    pub(crate) fn names(self) -> Vec<Ident> {
        let errors = self.errors;
        let names = self.left.into_iter().filter_map(|e| e.flag(errors).map(|()| e.name));
        names.collect()
    }

    /// Reports the entries that were not read, and returns the errors so that more can be added.
    pub(crate) fn finish(self) -> &'e mut Errors {
        for entry in &self.left {
            let name = entry.name.unraw().to_string();
            self.errors
                .report_at_tokens(&entry.name, message::unknown(&name, &self.place, &self.known));
        }
        self.errors
    }
}

fn entries(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    let entries = Punctuated::<Entry, Token![,]>::parse_terminated(input)?;
    Ok(entries.into_iter().collect())
}
