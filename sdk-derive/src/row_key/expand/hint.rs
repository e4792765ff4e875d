//! Hints: warnings on a field, which stable macros can only give as the use of something deprecated.

use proc_macro2::Ident;
use quote::quote;

use super::code::Code;
use super::layout::Layout;
use crate::row_key::{check, message};

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Some(field) = check::named_as_time(layout.key) else { return Code::default() };
    let (text, hint) = (message::HOTSPOT_BY_NAME, Ident::new("hotspot", field.ident.span()));
    Code::items(quote! {
        #[deprecated(note = #text)]
        const fn hotspot() {}
        const _: () = #hint();
    })
}
