//! The errors of one derive, which are reported together, each at the token that it is about; the
//! check for attributes in the wrong place; and the spans at which the compiler reports errors
//! about generated code.
//!
//! # Invariants
//!
//! - Generated code compiles whatever names the user defines and whatever lints the user enables.
//!   Tests: `codec/tests/derives/hygiene.rs::user_names_do_not_affect_generated_code`,
//!   `codec/tests/derives/strict_crate.rs::strict_lints_are_quiet`, `tests/suites/strict`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field};

/// The errors of a type that have been found, each with the span of the token that it is about.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error at the span of `tokens`.
    pub(crate) fn report_at_tokens(
        &mut self,
        tokens: &impl Spanned,
        message: impl std::fmt::Display,
    ) {
        self.report_at_span(tokens.span(), message);
    }

    /// Adds an error at `span`.
    pub(crate) fn report_at_span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Returns the number of errors.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no errors.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the code that makes the compiler report all errors.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// The names of attributes, and a text that says where they belong.
pub(crate) struct AttrPlacement<'a>(pub(crate) &'a [&'a str], pub(crate) &'a str);

/// Reports attributes `of_fields` that are on the type, and attributes `of_type` that are inside
/// the type. The compiler accepts attributes in these places, but they would have no effect.
pub(crate) fn report_misplaced_attrs(
    input: &DeriveInput,
    of_fields: &AttrPlacement<'_>,
    of_type: &AttrPlacement<'_>,
    errors: &mut Errors,
) {
    of_fields.refuse(&input.attrs, errors);
    let field = |field: &Field, errors: &mut Errors| of_type.refuse(&field.attrs, errors);
    match &input.data {
        Data::Struct(data) => data.fields.iter().for_each(|one| field(one, errors)),
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|variant| &variant.fields);
            fields.for_each(|one| field(one, errors));
            data.variants.iter().for_each(|variant| of_type.refuse(&variant.attrs, errors));
        }
        Data::Union(_) => {}
    }
}

impl AttrPlacement<'_> {
    fn refuse(&self, attrs: &[Attribute], errors: &mut Errors) {
        let Self(names, place) = self;
        for attr in attrs {
            if let Some(name) = names.iter().find(|name| attr.path().is_ident(name)) {
                let text = format!("#[{name}] has no effect here: it belongs on {place}");
                errors.report_at_tokens(attr.path(), text);
            }
        }
    }
}

/// Returns a span with the location of `span` and the hygiene of the derive.
///
/// A type or expression that a `macro_rules` macro passes on has that macro's hygiene. If a local
/// variable is generated with its span, the compiler looks this variable up among the variables of
/// the macro. Generated code therefore takes only the location from the user's tokens, and the
/// hygiene from the derive.
pub(crate) fn with_derive_hygiene(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Makes the compiler report errors about `tokens` at `span`. Each token keeps its own hygiene.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), respan(group.stream(), span));
            new.set_span(span);
            TokenTree::Group(new)
        }
        mut other => {
            other.set_span(other.span().located_at(span));
            other
        }
    };
    tokens.into_iter().map(one).collect()
}
