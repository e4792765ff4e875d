//! The code that writes one field.

use proc_macro2::TokenStream;
use quote::quote;

use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;

/// Returns the code that appends `value` as the field at position `index`.
pub(super) fn put(
    layout: &Layout<'_>,
    index: usize,
    field: &Field,
    value: &TokenStream,
) -> TokenStream {
    let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Own));
    let (label, feed, at) = (&field.name, layout.feed_function(field), layout.offset(index));
    let put = match feed {
        Some(feed) => quote!(row.put_and_feed::<#encoding, #arg>(#label, #at, #value, #feed);),
        None => quote!(row.put::<#encoding, #arg>(#label, #at, #value);),
    };
    let put = respan(put, field.span());
    let seal = (layout.key.last_hashed() == Some(index)).then(|| quote!(row.put_key_prefix();));
    quote! {
        #put
        #seal
    }
}
