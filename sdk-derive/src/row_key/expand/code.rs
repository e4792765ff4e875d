//! Generated code, separated by the place where it goes, and the type of a key as generated code
//! names it.

use proc_macro2::TokenStream;
use quote::quote;

use crate::row_key::model::{Key, Lifetimes};

/// The code of one concern, separated by the place where it goes.
#[derive(Default)]
pub(super) struct Code {
    /// Types that users name, next to the key.
    pub(super) types: TokenStream,
    /// Members of the `impl` of the key.
    pub(super) members: TokenStream,
    /// All other items, in a block that has the names of the library.
    pub(super) items: TokenStream,
}

impl Code {
    pub(super) fn items(items: TokenStream) -> Self {
        Self { items, ..Self::default() }
    }
}

impl Extend<Self> for Code {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, more: T) {
        for one in more {
            self.types.extend(one.types);
            self.members.extend(one.members);
            self.items.extend(one.items);
        }
    }
}

impl Key {
    /// Returns the type with its lifetime, or with another lifetime in its place.
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

    /// Returns the `<T>` of an `impl<T>` for the key that borrows nothing, or nothing.
    pub(super) fn static_generics(&self) -> TokenStream {
        self.params.declared(None, None)
    }
}
