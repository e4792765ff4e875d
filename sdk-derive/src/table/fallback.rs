//! The expansion of a row type with errors: it lets code that uses the type compile, so that only
//! the errors in the type itself are reported.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Path};

use super::check::{is_optional_counter, non_key_type_text};
use super::names::{CONSTANTS_OF_ROWS, constant_name};

/// Returns implementations that do nothing; they never run, because the errors stop the build.
pub(super) fn of_struct(
    input: &DeriveInput,
    is_group: bool,
    record: bool,
    krate: &Path,
) -> TokenStream {
    let private = quote!(#krate::__private::v1);
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let Data::Struct(data) = &input.data else { return TokenStream::new() };
    if is_group {
        return quote! {
            impl #generics #private::CellGroup for #ident #arguments #bounds {
                const COLUMNS: &'static [#private::ColumnName] = &[];
                const RANGES: &'static [#private::ColumnName] = &[];
                const VERSIONS: #private::u32 = 1;

                fn read_group(_: &mut #private::CellReader<'_>) -> #private::TableResult<Self> {
                    #private::unreachable_value()
                }

                fn write_group(&self, _: &mut #private::CellWriter) -> #private::TableResult<()> {
                    #private::unreachable_value()
                }
            }
        };
    }
    let is_key = |field: &&syn::Field| field.attrs.iter().any(|a| a.path().is_ident("key"));
    // In a record, the type of the field with `#[key]` is not the type of the key.
    let Some(key) = data.fields.iter().find(is_key).filter(|_| !record) else {
        return TokenStream::new();
    };
    let key = match non_key_type_text(&key.ty) {
        None => key.ty.to_token_stream(),
        Some(_) => quote!(#private::InvalidKey),
    };
    let plain = input.generics.params.is_empty();
    // If the attribute has options, the type of the field may not be the type of a value.
    let is_cell =
        |a: &syn::Attribute| a.path().is_ident("cell") && a.parse_args::<syn::LitStr>().is_ok();
    let cells = data
        .fields
        .iter()
        .filter(|f| plain && f.attrs.iter().any(is_cell) && !is_optional_counter(&f.ty));
    let mut taken: Vec<_> = Vec::new();
    let constants = cells.filter_map(|field| {
        let name = constant_name(field.ident.as_ref()?);
        if taken.contains(&name) || CONSTANTS_OF_ROWS.iter().any(|other| name == other) {
            return None;
        }
        taken.push(name.clone());
        let (vis, ty) = (&field.vis, &field.ty);
        Some(quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis const #name: #private::Column<Self, <#ty as #private::CellField>::Value> =
                #private::column::<Self, #ty>("", b"");
        })
    });
    quote! {
        impl #generics #private::Table for #ident #arguments #bounds {
            type Key = #key;
            const TABLE: &'static #private::str = "";
            const COLUMNS: &'static [#private::ColumnName] = &[];

            fn families() -> #private::Vec<#private::FamilyDescriptor> {
                #private::Vec::new()
            }

            fn from_row(_: &#private::TableCells) -> #private::TableResult<Self> {
                #private::unreachable_value()
            }
        }

        impl #generics #private::WriteRow for #ident #arguments #bounds {
            fn key(&self) -> #private::KeyOf<'_, <Self as #private::Table>::Key> {
                #private::unreachable_value()
            }

            fn to_put(&self, _: #private::WriteOptions) -> #private::TableResult<#private::Put> {
                #private::unreachable_value()
            }
        }

        impl #generics #ident #arguments #bounds {
            #(#constants)*
        }
    }
}
