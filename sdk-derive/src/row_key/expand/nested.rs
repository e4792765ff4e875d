//! The key as a field of another key.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::Code;
use super::layout::{Layout, Width};
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::{Key, Lifetimes};

/// Says whether the key can be a field of another.
pub(super) fn can_be(key: &Key) -> bool {
    key.has_no_prefix() && key.records.is_none()
}

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    if !can_be(key) {
        return Code::default();
    }
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let form_of = |field: &Field| {
        let (form, arg) = (layout.form(field), layout.arg(field, Lifetimes::Static));
        respan(quote!(<#form as #private::Encoding<#arg>>), field.span())
    };
    let mut orders = key.fields.iter().map(|f| {
        if f.proof.is_none() {
            let form = form_of(f);
            return quote!(#form::Order);
        }
        // By a constant: a public key must not name private types of its fields here.
        let (form, arg) = (layout.form(f), layout.arg(f, Lifetimes::Static));
        let class = respan(quote!(#private::order_class::<#form, #arg>()), f.span());
        quote!(<#private::Classed<{ #class }> as #private::OrderOf>::Order)
    });
    let first = orders.next();
    let order = orders
        .fold(quote!(#first), |all, one| quote!(<#all as #private::EncodingOrder>::Then<#one>));
    let width = match &layout.width {
        Width::Known(width) => quote!(#private::Option::Some(#width)),
        Width::Fixed(width) => quote!(#private::Option::Some(#width)),
        Width::Varies if key.params.is_empty() => quote!(#private::Option::None),
        Width::Varies | Width::ByType(_) => {
            let widths = key.fields.iter().map(|f| {
                let form = form_of(f);
                quote!(#form::WIDTH)
            });
            quote!(#private::total_width(&[#(#widths),*]))
        }
    };
    let prefix_free = key.fields.iter().map(|f| {
        let form = form_of(f);
        quote!(#form::PREFIX_FREE)
    });

    let decode = decode(layout);
    let clause = layout.clause();
    let fields = key.layout.head().len();

    Code::items(quote! {
        #[automatically_derived]
        impl #generics #private::Field for #own #clause {
            type Arg = Self;
            const KIND: #private::Kind = #private::key_kind::<#stat>(#fields);

            #[inline]
            fn arg(&self) -> &Self {
                self
            }
        }

        #[automatically_derived]
        impl #generics #private::Item for #own #clause {}

        #[automatically_derived]
        impl #generics #private::Encoding<#own> for #private::Native #clause {
            type Order = #order;
            type Error = <#stat as #private::Derived>::Error;
            const WIDTH: #private::Option<#private::usize> = #width;
            const PREFIX_FREE: #private::bool = #(#prefix_free)&&*;

            #[inline]
            fn encode<__Sink: #private::Sink>(
                value: &#own,
                out: &mut __Sink,
            ) -> #private::Result<(), <#stat as #private::Derived>::Error> {
                #private::put_nested(value, out)
            }
        }

        #decode
    })
}

fn decode(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    if !key.decodes() {
        return TokenStream::new();
    }
    let own = key.path(Lifetimes::Own);
    let lifetime = key.params.lifetime.as_ref().map_or_else(|| quote!('row), |own| quote!(#own));
    let generics = key.params.declared(Some(lifetime.clone()), None);
    let clause = layout.clause_with(layout.reads());
    quote! {
        #[automatically_derived]
        impl #generics #private::Decoding<#lifetime, #own> for #private::Native #clause {
            #[inline]
            fn decode(
                input: &mut #private::Input<#lifetime>,
            ) -> #private::Result<#own, #private::Failed> {
                match __read(input, false) {
                    #private::Result::Ok(key) => #private::Result::Ok(key),
                    #private::Result::Err(_) => #private::Result::Err(input.failed_inside()),
                }
            }
        }
    }
}
