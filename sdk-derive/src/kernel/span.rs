//! Where the compiler reports an error about generated code.
//!
//! # Invariants
//!
//! - Generated code compiles next to any name and under any lint of the user. Tests:
//!   `codec/tests/derives/hygiene.rs::user_names_do_not_affect_generated_code`,
//!   `codec/tests/derives/strict_crate.rs::strict_lints_are_quiet`, `tests/suites/strict`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// Returns the place of `span` with the names of the derive.
///
/// A type or expression that a `macro_rules` macro passes on has that macro's hygiene: a local variable written with its
/// span is looked up among the variables of the macro. Generated code therefore takes only the place from the user's
/// tokens, and the hygiene from the derive.
pub(crate) fn here(span: Span) -> Span {
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
