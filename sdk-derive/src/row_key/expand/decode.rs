//! The method `decode`, for a key whose fields can all be read back.

use quote::quote;

use super::code::Code;
use super::layout::Layout;
use super::read::{members, prefix_code, read};
use super::{nested, record};
use crate::row_key::generics;
use crate::row_key::model::Lifetimes;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let (own, vis) = (key.path(Lifetimes::Own), &key.vis);
    let reads_clause = layout.clause_with(layout.read_bounds());
    let read_bounds = generics::where_clause(&layout.read_bounds());
    if !key.is_decodable() {
        // This method cannot be called: its bound makes the compiler report why the key cannot be
        // decoded.
        let members = quote! {
            #[doc(hidden)]
            #vis fn decode(_: &[#private::u8]) -> #private::Result<Self, #private::DecodeError>
            where
                for<'row> Self: #private::DecodableKey<'row>,
            {
                #private::unreachable_value()
            }
        };
        return Code { members, ..Code::default() };
    }
    let bytes = match &key.params.lifetime {
        Some(lifetime) => quote!(&#lifetime [#private::u8]),
        None => quote!(&[#private::u8]),
    };
    let front_fields = key.leading_fields();
    let reads = front_fields.iter().enumerate().map(|(index, field)| read(layout, index, field));
    let (start, check) = prefix_code(layout);
    // More bytes may follow the last field if the key is nested in another key.
    let check = if nested::is_nestable(key) { quote!(if whole { #check }) } else { check };
    let made = match &key.records {
        Some(records) => record::decode(layout, records, &check),
        None => {
            let (ident, members) = (&key.ident, members(front_fields, 0));
            quote! {
                #check
                #private::Result::Ok(#ident { #members })
            }
        }
    };
    let lifetime = key.params.lifetime.as_ref().map_or_else(|| quote!('row), |own| quote!(#own));
    let read_generics = key.params.declaration(Some(lifetime.clone()), None);
    let items = quote! {
        #[automatically_derived]
        impl #read_generics #private::ReadFields<#lifetime> for #own #reads_clause {
            #[inline(always)]
            fn read_fields(
                input: &mut #private::Input<#lifetime>,
                whole: #private::bool,
            ) -> #private::Result<Self, #private::Failed> {
                #start
                #(#reads)*
                #made
            }
        }
    };
    let doc = "Returns the key whose bytes these are.\n\n# Errors\nWhen they are not exactly what encoding that key \
               gives; the error names the field and the byte.";
    let members = quote! {
        #[doc = #doc]
        #[inline]
        #vis fn decode(bytes: #bytes) -> #private::Result<Self, #private::DecodeError>
        #read_bounds
        {
            #private::decode(bytes)
        }
    };
    Code { members, items, ..Code::default() }
}
