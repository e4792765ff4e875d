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
    /// A member of the type, where the text has no length of its own.
    pub(super) text: Option<TokenStream>,
    /// The check against the lock file.
    pub(super) lock: Option<TokenStream>,
}

pub(super) fn expand(layout: &Layout<'_>) -> Parts {
    let Layout { key, private, .. } = layout;
    let (head, lines) = (describe::head(key), describe::fields(key, private));
    let schema = own_schema(layout);
    let fingerprint = quote! {
        const FINGERPRINT: #private::u64 = #private::schema_fingerprint(#schema);
    };
    let lines = quote!(&[#private::Line::Words(#head), #(#lines),*]);
    if !key.params.is_empty() {
        // The length of an array cannot depend on parameters, so there is room for any schema.
        let own = key.path(Lifetimes::Own);
        let constants = quote! {
            const SCHEMA: &'static #private::str =
                #private::schema_str(&#private::SchemaRoom::text(&<#own>::__SCHEMA));
            #fingerprint
        };
        let text = quote! {
            const __SCHEMA: #private::SchemaRoom = #private::SchemaRoom::new(#lines);
        };
        return Parts { constants, text: Some(text), lock: None };
    }
    let constants = quote! {
        const SCHEMA: &'static #private::str = {
            const LINES: &[#private::Line] = #lines;
            const TEXT: [#private::u8; #private::schema_len(LINES)] = #private::schema_text(LINES);
            #private::schema_str(&TEXT)
        };
        #fingerprint
    };
    Parts { constants, text: None, lock: lock(layout) }
}

/// Returns the constant that holds the schema of the key.
pub(super) fn own_schema(layout: &Layout<'_>) -> TokenStream {
    let private = &layout.private;
    let stat = layout.row_key(Lifetimes::Static);
    quote!(<#stat as #private::RowKey>::SCHEMA)
}

fn lock(layout: &Layout<'_>) -> Option<TokenStream> {
    let Layout { key, private, .. } = layout;
    let lock = key.attr.lock.as_ref()?;
    let path = lock.value.value();
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let file = std::path::Path::new(&root).join(&path);
    // A file that is not there yet holds nothing; the message shows what to write into it.
    let name = key.name();
    let (held, head) = match file.to_str().filter(|file| std::path::Path::new(file).is_file()) {
        Some(file) => (
            quote!(::core::include_bytes!(#file)),
            format!(
                "the layout of {name} is not the one locked in {path}: rows already stored could not be read. \
                 Undo the change; or, if it is meant, raise `version`, and write into the file:\n\n"
            ),
        ),
        None => (
            quote!(b""),
            format!(
                "there is no {path} in the package yet; to lock the layout of {name}, write into it:\n\n"
            ),
        ),
    };
    let schema = own_schema(layout);
    let check = quote! {
        const _: () = {
            const TEXT: &[#private::u8] = #schema.as_bytes();
            const MESSAGE: [#private::u8; TEXT.len() + #head.len()] = #private::joined(#head, TEXT);
            if !#private::unchanged(TEXT, #held) {
                #private::layout_changed(&MESSAGE);
            }
        };
    };
    Some(respan(check, lock.span))
}
