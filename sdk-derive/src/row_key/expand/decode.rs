//! `decode`, where every field can be read back.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::layout::{Layout, Width};
use crate::row_key::model::{Lead, Lifetimes, respan};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, lead, .. } = layout;
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let (name, vis, ident) = (key.name(), &key.vis, &key.ident);
    if !key.decodes() {
        // It cannot be called; the bound makes the compiler say why.
        return quote! {
            #[automatically_derived]
            impl #generics #own {
                #[doc(hidden)]
                #vis fn decode(_: &[#private::u8]) -> #private::Result<Self, #private::DecodeError>
                where
                    for<'row> Self: #private::Readable<'row>,
                {
                    #private::never()
                }
            }
        };
    }
    let bytes = match &key.lifetime {
        Some(lifetime) => quote!(&#lifetime [#private::u8]),
        None => quote!(&[#private::u8]),
    };
    let has_lead = !matches!(key.lead, Lead::None);

    let reads = key.fields.iter().enumerate().map(|(index, field)| {
        let (form, ty, label) = (layout.form(field), &field.ty, &field.name);
        let value = format_ident!("value_{}", index);
        let decode = quote!(<#form as #private::DecodeForm<'_, #ty>>::decode);
        let decode = respan(decode, field.span());
        let read = quote!(let #value = input.field(#label, #decode)?;);
        if !field.feeds || !has_lead {
            return read;
        }
        let feed = layout.feed(field);
        quote! {
            let mark = input.position();
            #read
            #feed(&mut lead, #private::Field::arg(&#value), input.read_since(mark));
        }
    });
    let members = key.fields.iter().enumerate().map(|(index, field)| {
        let (member, value) = (&field.member, format_ident!("value_{}", index));
        quote!(#member: #value)
    });
    let front = has_lead.then(|| {
        quote! {
            let mut lead = <#lead as #private::Default>::default();
            let front = #private::read_lead::<#lead>(input)?;
        }
    });
    let check = has_lead.then(|| quote!(#private::check_lead(&lead, front, input)?;));

    let whole = key.lifetime.is_none().then(|| {
        quote! {
            #[automatically_derived]
            impl #private::DecodeRowKey for #own {
                #[inline]
                fn decode_key(bytes: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                    Self::decode(bytes)
                }
            }
        }
    });
    let lifetime = key.lifetime.as_ref().map_or_else(|| quote!('row), |own| quote!(#own));
    let read = quote! {
        #[inline(always)]
        fn read<#lifetime>(
            input: &mut #private::Input<#lifetime>,
        ) -> #private::Result<#own, #private::Failed> {
            #front
            #(#reads)*
            input.end()?;
            #check
            #private::Result::Ok(#ident { #(#members),* })
        }
    };
    let whole_row = quote! {
        let mut input = #private::Input::new(bytes);
        match read(&mut input) {
            #private::Result::Ok(key) => #private::Result::Ok(key),
            #private::Result::Err(_) => #private::Result::Err(input.error(#name)),
        }
    };
    let len = match &layout.width {
        Width::Known(width) => quote!(#width),
        Width::Fixed(width) => width.clone(),
        Width::Varies | Width::ByType(_) => TokenStream::new(),
    };
    // With the length known, the compiler drops every check of the reading itself.
    let body = if len.is_empty() {
        quote! {
            #read
            #whole_row
        }
    } else {
        quote! {
            #read

            #[cold]
            #[inline(never)]
            fn explain(bytes: &[#private::u8]) -> #private::DecodeError {
                let mut input = #private::Input::new(bytes);
                let _ = read(&mut input);
                input.error(#name)
            }

            if bytes.len() != #len {
                return #private::Result::Err(explain(bytes));
            }
            #whole_row
        }
    };
    quote! {
        #[automatically_derived]
        impl #generics #own {
            /// Returns the key whose bytes these are.
            ///
            /// # Errors
            /// When they are not exactly what encoding that key gives; the error names the field and
            /// the byte.
            #[inline]
            #vis fn decode(bytes: #bytes) -> #private::Result<Self, #private::DecodeError> {
                #body
            }
        }

        #whole
    }
}
