//! Generated code, separated by the place where it is inserted, and the type of a key in generated
//! code.

use proc_macro2::TokenStream;
use quote::quote;

use crate::row_key::model::{Key, Lifetimes};

/// Generated code for one purpose, separated by the place where it is inserted.
#[derive(Default)]
pub(super) struct Code {
    /// Types that users can name, which are inserted next to the key.
    pub(super) types: TokenStream,
    /// Members of the inherent `impl` of the key.
    pub(super) members: TokenStream,
    /// All other items, which are inserted in a block where the names of the library are in scope.
    pub(super) items: TokenStream,
}

impl Code {
    pub(super) fn from_items(items: TokenStream) -> Self {
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
    /// Returns the type of the key with the lifetime that `lifetime` selects.
    pub(super) fn path(&self, lifetime: Lifetimes) -> TokenStream {
        let ident = &self.ident;
        let lifetime = self.params.lifetime.as_ref().map(|own| match lifetime {
            Lifetimes::Own => quote!(#own),
            Lifetimes::Static => quote!('static),
            Lifetimes::Row => quote!('row),
        });
        let arguments = self.params.arguments(lifetime, None);
        quote!(#ident #arguments)
    }

    /// Returns the parameters that an `impl` for the key declares, as in `<'a, T>`; empty if there
    /// are none.
    pub(super) fn generics(&self) -> TokenStream {
        self.params.declaration(self.params.lifetime.as_ref().map(|own| quote!(#own)), None)
    }

    /// Returns the parameters that an `impl` for the key with the lifetime `'static` declares, as
    /// in `<T>`; empty if there are none.
    pub(super) fn static_generics(&self) -> TokenStream {
        self.params.declaration(None, None)
    }
}
