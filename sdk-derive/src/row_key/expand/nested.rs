//! The implementations by which a key can be a field of another key.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::Code;
use super::layout::{Layout, Width};
use crate::kernel::respan;
use crate::row_key::check;
use crate::row_key::field::Field;
use crate::row_key::model::{Key, Lifetimes};

/// Returns whether the key can be a field of another key.
pub(super) fn is_nestable(key: &Key) -> bool {
    key.has_no_prefix() && key.records.is_none()
}

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    if !is_nestable(key) {
        return Code::default();
    }
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let encoding_of = |field: &Field| {
        let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Static));
        respan(quote!(<#encoding as #private::Encoding<#arg>>), field.span())
    };
    let mut orders = key.fields.iter().map(|f| {
        if f.encoding_assertion.is_none() {
            let encoding = encoding_of(f);
            return quote!(#encoding::Order);
        }
        // A constant selects the order class, because a public key must not name private types of
        // its fields here.
        let (encoding, arg) = (layout.encoding(f), layout.arg(f, Lifetimes::Static));
        let class = respan(quote!(#private::order_class::<#encoding, #arg>()), f.span());
        quote!(<#private::OrderClassNumber<{ #class }> as #private::ToEncodingOrder>::Order)
    });
    let first = orders.next();
    let order = orders
        .fold(quote!(#first), |all, one| quote!(<#all as #private::EncodingOrder>::Then<#one>));
    // Any other key has the width of its row. Here, the width is computed from the fields, so that
    // an error in a field is reported only once: the compiler reports nothing about code that
    // depends on a constant with an error.
    let by_fields =
        !key.params.has_no_type_or_const_params() || matches!(layout.width, Width::ByType(_));
    let width = by_fields.then(|| {
        let widths = key.fields.iter().map(|field| {
            let encoding = encoding_of(field);
            quote!(#encoding::WIDTH)
        });
        quote! {
            const WIDTH: #private::Option<#private::usize> = #private::total_width(&[#(#widths),*]);
        }
    });
    // The last field decides whether the key is prefix-free: every field before it marks its end,
    // or the key does not compile.
    let last = key.fields.last().map(encoding_of);

    let clause = layout.clause();
    let grows = grows_constant(layout);
    Code::from_items(quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #generics #private::Field for #own #clause {
            type Arg = Self;
            const TYPE_NAME: #private::TypeName = #private::type_name_of::<#own>();
            #grows

            #[inline]
            fn as_arg(&self) -> &Self {
                self
            }
        }

        #[automatically_derived]
        impl #generics #private::NestableKey for #own #clause {
            type Order = #order;
            #width
            const PREFIX_FREE: #private::bool = #last::PREFIX_FREE;
        }
    })
}

/// Returns the constant that says whether the values of a newtype grow with time; `None` if the
/// values certainly do not grow, and for any other key.
pub(super) fn grows_constant(layout: &Layout<'_>) -> Option<TokenStream> {
    let Layout { key, private, .. } = layout;
    let grows = match check::possible_hotspot_field(key) {
        _ if check::is_hotspot(key) => quote!(true),
        Some(first) => {
            let ty = first.checked_type(&first.ty(Lifetimes::Static), private);
            quote!(<#ty as #private::Field>::GROWS)
        }
        None => return None,
    };
    check::is_newtype(key).then(|| quote!(const GROWS: #private::bool = #grows;))
}
