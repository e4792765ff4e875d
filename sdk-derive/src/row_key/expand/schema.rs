//! The schema, the fingerprint and the lock.

use proc_macro2::TokenStream;
use quote::quote;

use super::layout::Layout;
use crate::row_key::describe;
use crate::row_key::model::{Lifetimes, respan};

/// What the layout as a value needs of the code.
pub(super) struct Parts {
    /// The members of the trait of the library.
    pub(super) constants: TokenStream,
    /// The check against the lock file.
    pub(super) lock: Option<TokenStream>,
}

pub(super) fn expand(layout: &Layout<'_>) -> Parts {
    let Layout { key, private, .. } = layout;
    let stat = key.path(Lifetimes::Static);
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
        let len = quote!(#private::lock_len(<#stat as #private::RowKey>::SCHEMA));
        let check = quote! {
            const _: () = {
                const TEXT: [#private::u8; #len] =
                    #private::lock::<{ #len }>(
                        <#stat as #private::RowKey>::SCHEMA,
                        <#stat as #private::RowKey>::FINGERPRINT,
                    );
                const MESSAGE: [#private::u8; #len + #head.len()] =
                    #private::joined(#head, &TEXT);
                if !#private::unchanged(&TEXT, #held) {
                    #private::layout_changed(&MESSAGE);
                }
            };
        };
        respan(check, lock.span)
    });
    Parts {
        constants: quote! {
            const SCHEMA: &'static #private::str = #schema;
            const FINGERPRINT: #private::u64 = #fingerprint;
        },
        lock,
    }
}
