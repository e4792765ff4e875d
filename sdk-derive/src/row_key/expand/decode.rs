//! `decode`, where every field can be read back.

use quote::quote;

use super::code::Code;
use super::layout::{Layout, Width};
use super::read::{lead_code, members, read};
use super::{nested, record};
use crate::row_key::generics;
use crate::row_key::model::Lifetimes;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, lead, .. } = layout;
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let (name, vis) = (key.name(), &key.vis);
    let reads_clause = layout.clause_with(layout.reads());
    let read_bounds = generics::clause(&layout.reads());
    if !key.decodes() {
        // It cannot be called; the bound makes the compiler say why.
        let members = quote! {
            #[doc(hidden)]
            #vis fn decode(_: &[#private::u8]) -> #private::Result<Self, #private::DecodeError>
            where
                for<'row> Self: #private::Readable<'row>,
            {
                #private::never()
            }
        };
        return Code { members, ..Code::default() };
    }
    let bytes = match &key.params.lifetime {
        Some(lifetime) => quote!(&#lifetime [#private::u8]),
        None => quote!(&[#private::u8]),
    };
    let front_fields = key.front();
    let reads = front_fields.iter().enumerate().map(|(index, field)| read(layout, index, field));
    let (front, check) = lead_code(layout);
    // More may follow where the key is nested in another.
    let (whole, check) = match nested::can_be(key) {
        true => (Some(quote!(, whole: #private::bool)), quote!(if whole { #check })),
        false => (None, check),
    };
    let (read_row, call) = match whole {
        Some(_) => (quote!(|input| __read(input, true)), quote!(__read(&mut input, true))),
        None => (quote!(__read), quote!(__read(&mut input))),
    };
    let made = match &key.records {
        Some(records) => record::decode(layout, records),
        None => {
            let (ident, members) = (&key.ident, members(front_fields, 0));
            quote! {
                #check
                #private::Result::Ok(#ident { #members })
            }
        }
    };
    let lifetime = key.params.lifetime.as_ref().map_or_else(|| quote!('row), |own| quote!(#own));
    let read_generics = key.params.declared(Some(lifetime.clone()), None);
    let mut items = quote! {
        #[inline(always)]
        fn __read #read_generics(
            input: &mut #private::Input<#lifetime>
            #whole
        ) -> #private::Result<#own, #private::Failed>
        #reads_clause
        {
            #front
            #(#reads)*
            #made
        }
    };
    if key.params.lifetime.is_none() {
        items.extend(if key.is_random() {
            quote! {
                #[automatically_derived]
                impl #generics #private::DecodeRandomSalted for #own #reads_clause {
                    fn decode_salted(
                        bytes: &[#private::u8],
                    ) -> #private::Result<#private::RandomSalted<Self>, #private::DecodeError> {
                        let key = Self::decode(bytes)?;
                        let bucket = <#lead>::read(bytes).unwrap_or_default();
                        #private::Result::Ok(#private::RandomSalted::new(key, bucket))
                    }
                }
            }
        } else {
            quote! {
                #[automatically_derived]
                impl #generics #private::DecodeRowKey for #own #reads_clause {
                    #[inline]
                    fn decode_key(
                        bytes: &[#private::u8],
                    ) -> #private::Result<Self, #private::DecodeError> {
                        Self::decode(bytes)
                    }
                }
            }
        });
    }
    let body = match &layout.width {
        // With the length known, the compiler drops every check of the reading itself.
        Width::Known(_) | Width::Fixed(_) => quote! {
            if bytes.len() != Self::LEN {
                return #private::Result::Err(#private::explain(bytes, #name, #read_row));
            }
            // Not by a function of the library, which would move the key once more.
            let mut input = #private::Input::new(bytes);
            match #call {
                #private::Result::Ok(key) => #private::Result::Ok(key),
                #private::Result::Err(_) => #private::Result::Err(input.error(#name)),
            }
        },
        Width::Varies | Width::ByType(_) => quote!(#private::decode(bytes, #name, #read_row)),
    };
    let doc = "Returns the key whose bytes these are.\n\n# Errors\nWhen they are not exactly what encoding that key \
               gives; the error names the field and the byte.";
    let members = quote! {
        #[doc = #doc]
        #[inline]
        #vis fn decode(bytes: #bytes) -> #private::Result<Self, #private::DecodeError>
        #read_bounds
        {
            #body
        }
    };
    Code { members, items, ..Code::default() }
}
