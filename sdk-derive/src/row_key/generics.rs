//! The generic parameters of a key, and the code that declares and names them.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime, WherePredicate};

use super::message;
use crate::kernel::Errors;

/// The generic parameters of a key.
#[derive(Default)]
pub(super) struct Params {
    /// The lifetime of the bytes that the key borrows; a key may have only one lifetime.
    pub(super) lifetime: Option<Lifetime>,
    /// Type and const parameters with their bounds, without defaults.
    list: Vec<GenericParam>,
    /// The predicates of the user's `where` clause.
    clause: Vec<WherePredicate>,
}

impl Params {
    /// Returns the parameters. If there is more than one lifetime, reports this and returns `None`.
    pub(super) fn new(generics: &Generics, errors: &mut Errors) -> Option<Self> {
        let mut this = Self::default();
        let mut good = true;
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(l) if this.lifetime.is_none() => {
                    this.lifetime = Some(l.lifetime.clone());
                }
                GenericParam::Lifetime(l) => {
                    errors.report_at_tokens(l, message::SECOND_LIFETIME);
                    good = false;
                }
                GenericParam::Type(ty) => {
                    let mut ty = ty.clone();
                    (ty.eq_token, ty.default) = (None, None);
                    this.list.push(GenericParam::Type(ty));
                }
                GenericParam::Const(number) => {
                    let mut number = number.clone();
                    (number.eq_token, number.default) = (None, None);
                    this.list.push(GenericParam::Const(number));
                }
            }
        }
        this.clause.extend(generics.where_clause.iter().flat_map(|c| c.predicates.clone()));
        good.then_some(this)
    }

    /// Returns whether there are no type and const parameters.
    pub(super) fn has_no_type_or_const_params(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether `tokens` contain one of the type or const parameters.
    pub(super) fn is_used_in(&self, tokens: TokenStream) -> bool {
        let named = |ident: &Ident| {
            self.list.iter().any(|param| match param {
                GenericParam::Type(ty) => ty.ident == *ident,
                GenericParam::Const(number) => number.ident == *ident,
                GenericParam::Lifetime(_) => false,
            })
        };
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => named(&ident),
            TokenTree::Group(group) => self.is_used_in(group.stream()),
            _ => false,
        })
    }

    /// Returns the parameters as they are declared, `<before, T: Bound, const N: usize, after>`.
    /// Returns no tokens if the list is empty.
    pub(super) fn declaration(
        &self,
        before: Option<TokenStream>,
        after: Option<TokenStream>,
    ) -> TokenStream {
        let list = self.list.iter().map(ToTokens::to_token_stream);
        angled(before.into_iter().chain(list).chain(after))
    }

    /// Returns the parameters as arguments of a type, `<before, T, N, after>`. Returns no tokens if
    /// the list is empty.
    pub(super) fn arguments(
        &self,
        before: Option<TokenStream>,
        after: Option<TokenStream>,
    ) -> TokenStream {
        let list = self.list.iter().map(|param| match param {
            GenericParam::Type(ty) => ty.ident.to_token_stream(),
            GenericParam::Const(number) => number.ident.to_token_stream(),
            GenericParam::Lifetime(l) => l.lifetime.to_token_stream(),
        });
        angled(before.into_iter().chain(list).chain(after))
    }

    /// Returns the predicates of the user's `where` clause and, for each type parameter `T`, the
    /// predicate `T: 'static`.
    pub(super) fn predicates(&self) -> Vec<TokenStream> {
        let own = self.clause.iter().map(ToTokens::to_token_stream);
        let owned = self.list.iter().filter_map(|param| match param {
            GenericParam::Type(ty) => {
                let ident = &ty.ident;
                Some(quote!(#ident: 'static))
            }
            _ => None,
        });
        own.chain(owned).collect()
    }
}

fn angled(list: impl Iterator<Item = TokenStream>) -> TokenStream {
    let list: Vec<_> = list.collect();
    if list.is_empty() { TokenStream::new() } else { quote!(<#(#list),*>) }
}

/// Returns the clause `where a, b` for the predicates `a` and `b`; empty if there are none.
pub(super) fn where_clause(predicates: &[TokenStream]) -> TokenStream {
    if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) }
}
