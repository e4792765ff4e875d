//! The type of a key with its parameters.

use proc_macro2::TokenStream;
use quote::quote;

use crate::row_key::model::{Key, Lifetimes};

impl Key {
    /// Returns the type with its lifetime, or with another in its place.
    pub(super) fn path(&self, lifetime: Lifetimes) -> TokenStream {
        let ident = &self.ident;
        let lifetime = self.params.lifetime.as_ref().map(|own| match lifetime {
            Lifetimes::Own => quote!(#own),
            Lifetimes::Static => quote!('static),
            Lifetimes::Row => quote!('row),
        });
        let arguments = self.params.named(lifetime, None);
        quote!(#ident #arguments)
    }

    /// Returns the `<'a, T>` of an `impl<'a, T>`, or nothing.
    pub(super) fn generics(&self) -> TokenStream {
        self.params.declared(self.params.lifetime.as_ref().map(|own| quote!(#own)), None)
    }

    /// Returns the same for the key that borrows nothing.
    pub(super) fn static_generics(&self) -> TokenStream {
        self.params.declared(None, None)
    }
}
