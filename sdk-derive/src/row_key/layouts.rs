//! The expansion of an enum with `#[row_key(layouts)]`, whose variants are the layouts that a table
//! has had.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Field, Fields, Ident, Path, Type};

use super::attr::RowKeyAttr;
use super::{message, record};
use crate::kernel::{Errors, respan};

/// One layout: the variant, and the type of the key that the variant holds.
struct LayoutVariant<'i> {
    variant: &'i Ident,
    ty: &'i Type,
}

/// Returns the code for an enum with `#[row_key(layouts)]`, or reports its errors and returns
/// `None`.
pub(super) fn expand(
    input: &DeriveInput,
    attr: &RowKeyAttr,
    krate: &Path,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let tag_type = attr.tag_type.as_ref().map(|tag_type| tag_type.span);
    for span in attr.spans_of_whole_key_entries().into_iter().chain(tag_type) {
        errors.report_at_span(span, message::ATTRIBUTE_NEXT_TO_LAYOUTS);
    }
    if !input.generics.params.is_empty() {
        errors.report_at_tokens(&input.generics, message::LAYOUTS_GENERIC);
    }
    let layouts = all(input, attr, errors)?;
    errors.is_empty().then(|| write(input, &layouts, krate))
}

fn all<'i>(
    input: &'i DeriveInput,
    attr: &RowKeyAttr,
    errors: &mut Errors,
) -> Option<Vec<LayoutVariant<'i>>> {
    let Data::Enum(data) = &input.data else {
        let span = attr.layouts.as_ref().map_or(input.ident.span(), |layouts| layouts.span);
        errors.report_at_span(span, message::LAYOUTS_ON_STRUCT);
        return None;
    };
    if data.variants.is_empty() {
        errors.report_at_tokens(&input.ident, message::NO_LAYOUTS);
        return None;
    }
    record::check_variant_names(data, errors);
    let mut all = Vec::new();
    for variant in &data.variants {
        for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("key")) {
            errors.report_at_tokens(attr.path(), message::KEY_ON_LAYOUT);
        }
        let mut fields = variant.fields.iter();
        match (&variant.fields, fields.next(), fields.next()) {
            (Fields::Unnamed(_), Some(Field { ty, .. }), None) => {
                all.push(LayoutVariant { variant: &variant.ident, ty });
            }
            _ => errors.report_at_tokens(&variant.ident, message::LAYOUT_HOLDS_ONE_KEY),
        }
    }
    Some(all)
}

fn write(input: &DeriveInput, layouts: &[LayoutVariant<'_>], krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private::v1);
    let (ident, vis) = (&input.ident, &input.vis);
    let name = ident.to_string();
    let checks = layouts.iter().enumerate().flat_map(|(index, later)| {
        let private = &private;
        layouts.iter().take(index).map(move |before| {
            let (a, b) = (before.ty, later.ty);
            let span = syn::spanned::Spanned::span(b);
            respan(quote!(#private::assert_disjoint::<#a, #b>();), span)
        })
    });
    let encodes = layouts
        .iter()
        .map(|LayoutVariant { variant, .. }| quote!(Self::#variant(key) => #private::row_of(key),));
    let decodes = layouts.iter().map(|LayoutVariant { variant, ty }| {
        quote! {
            if #private::has_layout::<#ty>(bytes) {
                return match <#ty as #private::DecodeRowKey>::decode_key(bytes) {
                    #private::Result::Ok(key) => #private::Result::Ok(Self::#variant(key)),
                    #private::Result::Err(error) => #private::Result::Err(error),
                };
            }
        }
    });
    let lines = layouts.iter().map(
        |LayoutVariant { ty, .. }| quote!(#private::SchemaLine::Words(<#ty as #private::RowKey>::SCHEMA)),
    );
    let members = layouts.iter().map(|LayoutVariant { variant, ty }| {
        let rows = record::rows_method_name(variant);
        let doc = format!("Returns the rows of [`{name}::{variant}`] that a scan of it holds.");
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #vis fn #rows<R>(rows: R) -> #private::LayoutRows<Self, R>
            where
                R: #private::RowRanges<Key = #ty>,
            {
                #private::LayoutRows::new(rows)
            }
        }
    });
    quote! {
        const _: () = { #(#checks)* };

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #private::RowKey for #ident {
            type Encoded = #private::RowBuf;
            const SCHEMA: &'static #private::str = {
                const LINES: &[#private::SchemaLine] = &[#(#lines),*];
                const TEXT: [#private::u8; #private::schema_len(LINES)] = #private::schema_text(LINES);
                #private::schema_str(&TEXT)
            };
            const FINGERPRINT: #private::u64 =
                #private::schema_fingerprint(<#ident as #private::RowKey>::SCHEMA);

            fn encode_key(&self) -> #private::Result<#private::RowBuf, #private::EncodeError> {
                match self {
                    #(#encodes)*
                }
            }
        }

        #[automatically_derived]
        impl #private::DecodeRowKey for #ident {
            fn decode_key(bytes: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                #(#decodes)*
                #private::Result::Err(#private::no_layout(#name))
            }
        }

        impl #ident {
            /// Returns the bytes of the row key, in its layout.
            ///
            /// # Errors
            /// If a value does not fit the encoding of its field.
            #vis fn encode(&self) -> #private::Result<#private::RowBuf, #private::EncodeError> {
                #private::RowKey::encode_key(self)
            }

            /// Returns the key that `bytes` encode, in any of the layouts.
            ///
            /// # Errors
            /// If no key of any layout encodes to exactly these bytes.
            #vis fn decode(bytes: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                #private::DecodeRowKey::decode_key(bytes)
            }

            /// Starts a scan of the rows of all layouts, in the order of their bytes.
            #[allow(dead_code)]
            #vis fn scan() -> #private::AllLayouts<Self> {
                #private::AllLayouts::new()
            }

            #(#members)*
        }
    }
}
