//! The implementations that the derive generates for an enum of rows.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use super::code::LibraryCode;
use super::model::Enum;
use super::names::joined;
use crate::kernel::here;

pub(super) fn expand(rows: &Enum, krate: &Path) -> TokenStream {
    let code = LibraryCode { krate };
    let private = code.private(Span::call_site());
    let Enum { ident, name, families, variants } = rows;
    let named: Vec<String> = families.iter().map(|f| f.name.value()).collect();
    let families: Vec<_> = families.iter().map(|f| f.describe(&private)).collect();
    let Some((_, first)) = variants.first() else { return TokenStream::new() };
    let list = |what: TokenStream| -> Vec<TokenStream> {
        variants.iter().map(|(_, ty)| quote!(<#ty as #private::Table>::#what)).collect()
    };
    let columns = joined(&private, &list(quote!(COLUMNS)));
    let ranges = joined(&private, &list(quote!(RANGES)));
    let versions = list(quote!(VERSIONS))
        .into_iter()
        .fold(quote!(1), |most, own| quote!(#private::most(#most, #own)));
    let reads = variants.iter().map(|(variant, ty)| {
        let private = code.private(ty.span());
        quote_spanned! {here(ty.span())=>
            if <#ty as #private::RecordRow>::is_record(&key) {
                return <#ty as #private::Table>::read(row).map(Self::#variant);
            }
        }
    });
    let variant_names: Vec<_> = variants.iter().map(|(variant, _)| variant).collect();
    let checks = variants.iter().map(|(_, ty)| {
        let private = code.private(ty.span());
        quote_spanned! {here(ty.span())=>
            #private::in_families(&[#(#named),*], <#ty as #private::Table>::COLUMNS);
            #private::in_families(&[#(#named),*], <#ty as #private::Table>::RANGES);
        }
    });
    let constant = super::expand::checked_name(name, &code);
    quote! {
        #constant

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #private::Table for #ident {
            type Key = <#first as #private::Table>::Key;
            const TABLE: &'static #private::str = #name;
            const COLUMNS: &'static [#private::Name] = #columns;
            const RANGES: &'static [#private::Name] = #ranges;
            const VERSIONS: #private::u32 = #versions;

            fn families() -> #private::Vec<#private::FamilyDescriptor> {
                #private::Vec::from([#(#families),*])
            }

            fn read(row: &#private::TableCells) -> #private::TableResult<Self> {
                let key = #private::read_key::<<Self as #private::Table>::Key>(row)?;
                #(#reads)*
                #private::other_record(row)
            }
        }

        #[automatically_derived]
        impl #private::WriteRow for #ident {
            fn version(&self) -> #private::Option<(#private::Name, #private::u64)> {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::version(row),)*
                }
            }

            fn after_put(&mut self) {
                match self {
                    #(Self::#variant_names(row) => #private::WriteRow::after_put(row),)*
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
