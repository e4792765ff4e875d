//! The schema of a key, and the code that compares it with the lock file or writes it to this file.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tallrow_layout::Type;

use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::message;
use crate::row_key::model::{Key, Lifetimes};

/// The number of bytes that are reserved for the schema of a key with parameters, because the
/// length of an array cannot depend on parameters.
const CAPACITY: usize = 4096;

/// Returns the constants for the schema, which belong to the implementation of a trait of the
/// library.
pub(super) fn schema(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    if is_known(key) {
        let text = tallrow_layout::print(&key.layout);
        return quote!(const SCHEMA: &'static #private::str = #text;);
    }
    let lines = lines(layout);
    let stat = key.path(Lifetimes::Static);
    let len = if key.params.has_no_type_or_const_params() {
        quote!({ #private::schema_len(<#stat as #private::DerivedKey>::LINES) })
    } else {
        quote!(#CAPACITY)
    };
    quote! {
        const LINES: &'static [#private::SchemaLine] = #lines;
        const SCHEMA: &'static #private::str = #private::schema_of::<#stat, #len>();
    }
}

/// Returns whether the syntax shows the types of all fields, so that the derive can print the
/// schema.
fn is_known(key: &Key) -> bool {
    let unknown = |field: &Field| matches!(field.kind.innermost(), Type::Unknown(_));
    !key.fields.iter().any(|field| field.generic || unknown(field))
}

/// Returns the code for the lines of the schema.
fn lines(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let head = key.layout.head();
    let line = |(field, described): (&Field, &tallrow_layout::Field), indent: usize| {
        let (name, encoding) = (&field.name, described.attributes().to_string());
        let ty = field.written_type(private);
        let kind = respan(quote!(<#ty as #private::Field>::TYPE_NAME), field.span());
        quote! {
            #private::SchemaLine::Field { indent: #indent, name: #name, kind: #kind, attributes: #encoding }
        }
    };
    let shared = key.leading_fields().iter().zip(&key.layout.fields).map(|one| line(one, 0));
    let records = key.records.iter().flat_map(|records| &records.list).zip(&key.layout.records);
    let records = records.flat_map(|(record, described)| {
        let words = described.line(key.layout.tag_width);
        let own = key.fields.get(record.fields.clone()).unwrap_or_default();
        let lines = own.iter().zip(described.fields()).map(|one| line(one, 2));
        [quote!(#private::SchemaLine::Words(#words))].into_iter().chain(lines).collect::<Vec<_>>()
    });
    let lines = shared.chain(records);
    quote!(&[#private::SchemaLine::Words(#head), #(#lines),*])
}

/// Returns the constant that contains the schema of the key.
pub(super) fn own_schema(layout: &Layout<'_>, private: &TokenStream) -> TokenStream {
    let stat = layout.row_key_type(Lifetimes::Static);
    quote!(<#stat as #private::RowKey>::SCHEMA)
}

/// Returns the code that compares the schema with the lock file or, if an environment variable
/// requests it, the code that writes the file.
///
/// A test of the package writes the file, because the text of the schema may be known only after
/// the compiler has evaluated the types of the fields.
pub(super) fn lock_file_check(layout: &Layout<'_>) -> Option<TokenStream> {
    let Layout { key, library: private, .. } = layout;
    let lock = key.attr.lock_file.as_ref().filter(|_| key.params.has_no_type_or_const_params())?;
    let path = lock.value.value();
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let file = std::path::Path::new(&root).join(&path);
    let file = file.to_string_lossy();
    let (name, schema) = (key.name(), own_schema(layout, private));
    let code = if std::env::var(message::LOCK_VARIABLE).is_ok_and(|value| value == "overwrite") {
        overwrite(layout, &file, &schema)
    } else if std::path::Path::new(&*file).is_file() {
        let (head, middle, tail) = message::lock_changed(&name, &path);
        quote! {
            const _: () = {
                const CHANGE: #private::Option<#private::ChangedLine> =
                    #private::find_lock_change(#schema.as_bytes(), ::core::include_bytes!(#file));
                const PARTS: &[&[#private::u8]] = match CHANGE {
                    #private::Option::Some(change) => &[
                        #head.as_bytes(), change.locked, #middle.as_bytes(), change.now, #tail.as_bytes(),
                    ],
                    #private::Option::None => &[],
                };
                const MESSAGE: [#private::u8; #private::concat_len(PARTS)] = #private::concat(PARTS);
                if CHANGE.is_some() {
                    #private::panic_layout_changed(&MESSAGE);
                }
            };
        }
    } else {
        syn::Error::new(lock.span, message::lock_missing(&name, &path)).into_compile_error()
    };
    let variable = message::LOCK_VARIABLE;
    // Cargo builds the package again when an environment variable that its code reads has changed.
    let code = quote! {
        #code
        const _: #private::Option<&#private::str> = ::core::option_env!(#variable);
    };
    Some(respan(code, lock.span))
}

fn overwrite(layout: &Layout<'_>, file: &str, schema: &TokenStream) -> TokenStream {
    let test = format_ident!("__{}_lock_is_overwritten", layout.key.ident);
    quote! {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[allow(non_snake_case, unnameable_test_items)]
        fn #test() {
            extern crate std as __std;

            let file = __std::path::Path::new(#file);
            let folder = file.parent().map_or(__std::result::Result::Ok(()), |folder| {
                __std::fs::create_dir_all(folder)
            });
            if let __std::result::Result::Err(error) =
                folder.and_then(|()| __std::fs::write(file, #schema))
            {
                __std::panic!("write {}: {}", file.display(), error);
            }
        }
    }
}
