//! The expansion of a key with errors: it lets code that uses the key compile, so that only the
//! errors in the key itself are reported.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Ident, Path};

use super::record;

/// Returns implementations that do nothing; they never run, because the errors stop the build.
pub(super) fn stub(input: &DeriveInput, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private::v1);
    let (ident, vis) = (&input.ident, &input.vis);
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let stub = format_ident!("{}Scan", ident);
    let methods = fields(input).into_iter().map(|field| {
        quote! {
            #[doc(hidden)]
            #vis fn #field<__Select>(self, _: __Select) -> Self {
                self
            }
        }
    });
    let choices = variants(input).into_iter().map(|variant| {
        quote! {
            #[doc(hidden)]
            #vis fn #variant(self) -> Self {
                self
            }
        }
    });
    // The builder here has no parameters, so these implementations exist only for a key without
    // parameters.
    let ranges = input.generics.params.is_empty().then(|| {
        quote! {
            impl #private::RowRanges for #stub {
                type Key = #ident;
                const SALT_LEN: #private::usize = 0;
                type Iter = [#private::RowRange; 0];

                fn row_ranges(self) -> #private::Result<Self::Iter, #private::EncodeError> {
                    #private::Result::Ok([])
                }
            }

            impl #private::DecodeRowKey for #ident {
                fn decode_key(bytes: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                    Self::decode(bytes)
                }
            }
        }
    });
    quote! {
        #[doc(hidden)]
        #vis struct #stub;

        impl #stub {
            #(#methods)*
            #(#choices)*
        }

        impl #generics #private::RowKey for #ident #arguments #bounds {
            type Encoded = [#private::u8; 0];
            const SCHEMA: &'static #private::str = "";
            const FINGERPRINT: #private::u64 = 0;

            fn encode_key(&self) -> #private::Result<Self::Encoded, #private::EncodeError> {
                #private::Result::Ok([])
            }
        }

        impl #generics #ident #arguments #bounds {
            #[doc(hidden)]
            #vis fn encode(&self) -> [#private::u8; 0] {
                []
            }

            #[doc(hidden)]
            #vis fn decode(_: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                #private::unreachable_value()
            }

            #[doc(hidden)]
            #vis fn scan() -> #stub {
                #stub
            }

            #[doc(hidden)]
            #vis fn prefix() -> #stub {
                #stub
            }
        }

        #ranges
    }
}

/// Returns the names that the builder's methods for fields would have.
fn fields(input: &DeriveInput) -> Vec<Ident> {
    let named = |fields: &Fields| fields.iter().filter_map(|f| f.ident.clone()).collect::<Vec<_>>();
    match &input.data {
        Data::Struct(data) => named(&data.fields),
        Data::Enum(data) => {
            let mut all: Vec<Ident> = Vec::new();
            for variant in &data.variants {
                let mut names = named(&variant.fields);
                names.retain(|name| !all.contains(name));
                all.extend(names);
            }
            all
        }
        Data::Union(_) => Vec::new(),
    }
}

/// Returns the names of the methods that would choose a variant.
fn variants(input: &DeriveInput) -> Vec<Ident> {
    match &input.data {
        Data::Enum(data) => {
            data.variants.iter().map(|v| record::rows_method_name(&v.ident)).collect()
        }
        _ => Vec::new(),
    }
}
