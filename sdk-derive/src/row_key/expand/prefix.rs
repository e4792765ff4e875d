//! The prefix handle, in which the first fields are fixed once, so that many row keys can be made
//! from it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;

/// The name of the library's type that a prefix handle contains.
pub(super) const INNER_TYPE: &str = "PrefixTemplate";

/// The warning about a handle that is not used.
pub(super) const MUST_USE: &str = "a prefix handle does nothing until it makes a row key";

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let (name, vis) = (key.name(), &key.vis);
    let handle = format_ident!("{}Prefix", key.ident);
    let doc = format!(
        "The first `FIXED` fields of a [`{name}`], ready to make row keys; made by \
         [`{name}::prefix`]."
    );
    let front = key.leading_fields();
    let (take, start) = if key.has_random_salt() {
        (quote!(pick: #private::u32), quote!(#private::PrefixTemplate::in_bucket(pick)))
    } else {
        (quote!(), quote!(#private::PrefixTemplate::new()))
    };
    let about = if key.has_random_salt() {
        "Starts a prefix in the bucket that `pick`, modulo the buckets, chooses: fix fields in key \
         order; the last one gives the bytes of a row key."
    } else {
        "Starts a prefix: fix fields in key order; the last one gives the bytes of a row key.\n\n\
         Salt and hash are computed once, however many row keys follow."
    };
    // In a struct, the method for the last field returns a row key instead of another handle.
    let last = front.len() - usize::from(key.records.is_none());
    let mut code = layout.builder_struct(&handle, (&doc, MUST_USE), INNER_TYPE, 0..=last);
    code.items.extend(front.iter().enumerate().map(|(index, field)| {
        method(layout, &handle, index, field, key.records.is_none() && index == last)
    }));
    let (checks, first) = (layout.late_checks(), layout.builder_type(&handle, 0));
    code.members = quote! {
        #[doc = #about]
        #[inline]
        #vis fn prefix(#take) -> #first {
            #checks
            #handle(#start)
        }
    };
    code
}

/// Returns the method of a handle that fixes the field at position `index`.
pub(super) fn method(
    layout: &Layout<'_>,
    handle: &Ident,
    index: usize,
    field: &Field,
    last: bool,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let vis = &key.vis;
    let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Static));
    let (method, label, feed) = (&field.ident, &field.name, layout.feed_function(field));
    let at = layout.offset(index);
    let seal = key.last_hashed() == Some(index);
    let (doc, outcome) = if last {
        let doc = format!("Returns the bytes of the row key that ends in `{label}`.");
        (doc, layout.encode_return_type(&layout.row))
    } else {
        (format!("Fixes `{label}`."), layout.builder_type(handle, index + 1))
    };
    let encoded = respan(quote!(<#encoding, #arg>), field.span());
    let with = match feed {
        Some(feed) => {
            quote!(self.0.with_fed::#encoded(#label, #at, value.value(), #feed, #seal))
        }
        None => quote!(self.0.with::#encoded(#label, #at, value.value())),
    };
    let made = if last { quote!(#with.finish()) } else { quote!(#handle(#with)) };
    let this = layout.builder_type(handle, index);
    let (any, clause) = (key.static_generics(), layout.clause());
    quote! {
        impl #any #this #clause {
            #[doc = #doc]
            #[inline]
            #vis fn #method(&self, value: impl #private::FieldValue<#arg>) -> #outcome {
                #made
            }
        }
    }
}
