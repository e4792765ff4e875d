//! All errors of one derive, reported together.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;

/// Collects the errors of a type, each on its token.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error on `tokens`.
    pub(crate) fn on(&mut self, tokens: &impl Spanned, message: impl std::fmt::Display) {
        self.at(tokens.span(), message);
    }

    /// Adds an error at `span`.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the code that makes the compiler report all of them.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
