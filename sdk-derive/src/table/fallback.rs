//! What a row type with errors expands to: enough that its users compile, so that only its own errors show.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Path};

/// Returns implementations that do nothing; they never run, because the errors beside them stop the build.
pub(super) fn stub(input: &DeriveInput, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let Data::Struct(data) = &input.data else { return TokenStream::new() };
    let is_key = |field: &&syn::Field| field.attrs.iter().any(|a| a.path().is_ident("key"));
    let Some(key) = data.fields.iter().find(is_key) else { return TokenStream::new() };
    let key = &key.ty;
    let plain = input.generics.params.is_empty();
    let constants = data.fields.iter().filter(|f| !is_key(f) && plain).filter_map(|field| {
        let name = field.ident.as_ref()?;
        let (vis, ty) = (&field.vis, &field.ty);
        let name = format_ident!("{}", name.unraw().to_string().to_uppercase(), span = name.span());
        Some(quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis const #name: #private::Column<Self, <#ty as #krate::CellField>::Value> =
                #private::column::<Self, #ty>("", "");
        })
    });
    quote! {
        impl #generics #private::TableRow for #ident #arguments #bounds {
            type Key = #key;
            const TABLE: &'static #private::str = "";
            const COLUMNS: &'static [(&'static #private::str, &'static #private::str)] = &[];

            fn families() -> #private::Vec<#private::Family> {
                #private::Vec::new()
            }

            fn row_key(&self) -> &Self::Key {
                #private::never()
            }

            fn write(&self, put: #private::Put) -> #private::Put {
                put
            }

            fn read(_: &#private::Row) -> #private::TableResult<Self> {
                #private::never()
            }
        }

        impl #generics #ident #arguments #bounds {
            #(#constants)*
        }
    }
}
