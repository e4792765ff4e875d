//! The type and const parameters of a key.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime, WherePredicate};

use super::message;
use crate::kernel::Errors;

/// The generic parameters of a key.
#[derive(Default)]
pub(super) struct Params {
    /// The lifetime of what the key borrows; a key may have only one.
    pub(super) lifetime: Option<Lifetime>,
    /// Type and const parameters with their bounds, without defaults.
    list: Vec<GenericParam>,
    /// The predicates of the user's `where` clause.
    clause: Vec<WherePredicate>,
}

impl Params {
    /// Returns `None` if there is more than one lifetime, and reports it.
    pub(super) fn new(generics: &Generics, errors: &mut Errors) -> Option<Self> {
        let mut this = Self::default();
        let mut good = true;
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(l) if this.lifetime.is_none() => {
                    this.lifetime = Some(l.lifetime.clone());
                }
                GenericParam::Lifetime(l) => {
                    errors.on(l, message::SECOND_LIFETIME);
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

    /// Returns whether there are type or const parameters.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether `tokens` name one of the type or const parameters.
    pub(super) fn in_tokens(&self, tokens: TokenStream) -> bool {
        let named = |ident: &Ident| {
            self.list.iter().any(|param| match param {
                GenericParam::Type(ty) => ty.ident == *ident,
                GenericParam::Const(number) => number.ident == *ident,
                GenericParam::Lifetime(_) => false,
            })
        };
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => named(&ident),
            TokenTree::Group(group) => self.in_tokens(group.stream()),
            _ => false,
        })
    }

    /// Returns `<before, T: Bound, const N: usize, after>` to declare the parameters, or nothing.
    pub(super) fn declared(
        &self,
        before: Option<TokenStream>,
        after: Option<TokenStream>,
    ) -> TokenStream {
        let list = self.list.iter().map(ToTokens::to_token_stream);
        angled(before.into_iter().chain(list).chain(after))
    }

    /// Returns `<before, T, N, after>` to name the parameters, or nothing.
    pub(super) fn named(
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

    /// Returns the user's predicates, and for each type parameter the predicate that it borrows
    /// nothing.
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

/// Returns `where a, b`, or nothing.
pub(super) fn clause(predicates: &[TokenStream]) -> TokenStream {
    if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) }
}
