//! Hints: warnings on a field, which stable macros can only give as the use of something deprecated.

use proc_macro2::Ident;
use quote::quote;

use super::code::Code;
use super::layout::Layout;
use crate::row_key::check;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let (Some(text), Some(field)) = (check::hint(layout.key), layout.key.fields.first()) else {
        return Code::default();
    };
    let hint = Ident::new("hotspot", field.ident.span());
    Code::items(quote! {
        #[deprecated(note = #text)]
        const fn hotspot() {}
        const _: () = #hint();
    })
}
