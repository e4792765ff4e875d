//! `decode`, where every field can be read back.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::layout::Layout;
use crate::row_key::model::{Lead, Lifetimes, respan};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, lead, .. } = layout;
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let (name, vis) = (key.name(), &key.vis);
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
        let read = quote!(let #value = input.field(#name, #label, #decode)?;);
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
            let front = #private::read_lead::<#lead>(&mut input, #name)?;
        }
    });
    let check = has_lead.then(|| quote!(#private::check_lead(&lead, front, #name)?;));

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
                let mut input = #private::Input::new(bytes);
                #front
                #(#reads)*
                input.end(#name)?;
                #check
                #private::Result::Ok(Self { #(#members),* })
            }
        }

        #whole
    }
}
