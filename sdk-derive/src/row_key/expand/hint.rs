//! Hints: warnings on a field, which stable macros can only give as the use of something deprecated.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::layout::Layout;
use crate::row_key::{check, message};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Some(field) = check::named_as_time(layout.key) else { return TokenStream::new() };
    let (text, hint) = (message::HOTSPOT_BY_NAME, Ident::new("hotspot", field.ident.span()));
    quote! {
        const _: () = {
            #[deprecated(note = #text)]
            const fn hotspot() {}
            #hint()
        };
    }
}
