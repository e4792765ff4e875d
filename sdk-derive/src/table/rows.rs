//! The implementations that the derive generates for an enum of rows.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use super::code::LibraryCode;
use super::family::Family;
use super::model::Enum;
use super::names::join_lists;
use crate::kernel::with_derive_hygiene;

pub(super) fn expand(rows: &Enum, krate: &Path) -> TokenStream {
    let code = LibraryCode { krate };
    let private = code.private(Span::call_site());
    let Enum { ident, name, families, variants } = rows;
    let named: Vec<String> = families.iter().map(|f| f.name.value()).collect();
    let aggregates = Family::aggregates(families, &private);
    let families: Vec<_> = families.iter().map(|f| f.describe(&private)).collect();
    let Some((_, first)) = variants.first() else { return TokenStream::new() };
    let list = |what: TokenStream| -> Vec<TokenStream> {
        variants.iter().map(|(_, ty)| quote!(<#ty as #private::Table>::#what)).collect()
    };
    let columns = join_lists(&private, &list(quote!(COLUMNS)));
    let ranges = join_lists(&private, &list(quote!(RANGES)));
    let versions = list(quote!(VERSIONS))
        .into_iter()
        .fold(quote!(1), |most, own| quote!(#private::larger_version_count(#most, #own)));
    let reads = variants.iter().map(|(variant, ty)| {
        let private = code.private(ty.span());
        quote_spanned! {with_derive_hygiene(ty.span())=>
            if <#ty as #private::RecordRow>::is_key_of_record(&key) {
                return <#ty as #private::Table>::from_row(row).map(Self::#variant);
            }
        }
    });
    let variant_names: Vec<_> = variants.iter().map(|(variant, _)| variant).collect();
    let checks = variants.iter().map(|(_, ty)| {
        let private = code.private(ty.span());
        quote_spanned! {with_derive_hygiene(ty.span())=>
            #private::assert_in_families(&[#(#named),*], <#ty as #private::Table>::COLUMNS);
            #private::assert_in_families(&[#(#named),*], <#ty as #private::Table>::RANGES);
        }
    });
    let constant = super::expand::table_name_check(name, &code);
    quote! {
        #constant

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #private::Table for #ident {
            type Key = <#first as #private::Table>::Key;
            const TABLE: &'static #private::str = #name;
            const COLUMNS: &'static [#private::ColumnName] = #columns;
            const RANGES: &'static [#private::ColumnName] = #ranges;
            const VERSIONS: #private::u32 = #versions;
            #aggregates

            fn families() -> #private::Vec<#private::FamilyDescriptor> {
                #private::Vec::from([#(#families),*])
            }

            fn from_row(row: &#private::TableCells) -> #private::TableResult<Self> {
                let key = #private::read_key::<<Self as #private::Table>::Key>(row)?;
                #(#reads)*
                #private::wrong_record(row)
            }
        }

        #[automatically_derived]
        impl #private::WriteRow for #ident {
            fn version(&self) -> #private::Option<(#private::ColumnName, #private::u64)> {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::version(row),)*
                }
            }

            fn increment_version(&mut self) {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::increment_version(row),)*
                }
            }

            fn key(&self) -> #private::KeyOf<'_, <Self as #private::Table>::Key> {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::key(row),)*
                }
            }

            fn to_put(&self, options: #private::WriteOptions) -> #private::TableResult<#private::Put> {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::to_put(row, options),)*
                }
            }
        }

        const _: () = { #(#checks)* };
    }
}
