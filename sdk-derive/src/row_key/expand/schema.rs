//! The schema, the fingerprint and the lock.

use proc_macro2::TokenStream;
use quote::quote;

use super::layout::Layout;
use crate::row_key::describe;
use crate::row_key::model::{Lifetimes, respan};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let vis = &key.vis;
    let (schema, words) = (describe::schema(key), describe::layout(key));
    let start = quote!(#private::shape(#words));
    let fingerprint = key.fields.iter().fold(start, |all, field| {
        let ty = field.ty(Lifetimes::Static);
        let shape = respan(quote!(<#ty as #private::Field>::SHAPE), field.span());
        quote!(#private::shape_with(#all, #shape))
    });
    let lock = key.attr.lock.as_ref().map(|lock| {
        let path = lock.value.value();
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        let file = std::path::Path::new(&root).join(&path);
        // A file that is not there yet holds nothing; the message shows what to write into it.
        let held = match file.to_str() {
            Some(file) if std::path::Path::new(file).is_file() => {
                quote!(::core::include_bytes!(#file))
            }
            _ => quote!(b""),
        };
        let head = format!(
            "the layout of {} is not the one locked in {path}: rows already stored could not be read. \
             Undo the change; or, if it is meant, raise `version`, and write into the file:\n\n",
            key.name()
        );
        let len = quote!(#private::lock_len(<#stat>::SCHEMA));
        let check = quote! {
            const _: () = {
                const TEXT: [#private::u8; #len] =
                    #private::lock::<{ #len }>(<#stat>::SCHEMA, <#stat>::FINGERPRINT);
                const MESSAGE: [#private::u8; #len + #head.len()] =
                    #private::joined(#head, &TEXT);
                if !#private::unchanged(&TEXT, #held) {
                    #private::layout_changed(&MESSAGE);
                }
            };
        };
        respan(check, lock.span)
    });
    quote! {
        #[automatically_derived]
        impl #generics #own {
            /// The layout of the row key in words, a line for each part.
            #vis const SCHEMA: &'static #private::str = #schema;

            /// A number that stands for the layout of the row key: its fields' types and forms in
            /// order and what stands in front, but no names.
            #vis const FINGERPRINT: #private::u64 = #fingerprint;
        }

        #lock
    }
}
