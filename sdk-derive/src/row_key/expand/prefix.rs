//! The prefix handle: first fields fixed once, many row keys made.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::model::{Field, Lifetimes};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, lead, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let (name, vis) = (key.name(), &key.vis);
    let handle = format_ident!("{}Prefix", key.ident);
    let doc = format!(
        "The first `FIXED` fields of a [`{name}`], ready to make row keys; made by [`{name}::prefix`]."
    );
    let front = key.front();
    let methods = front.iter().enumerate().map(|(index, field)| {
        let last = key.records.is_none() && index + 1 == front.len();
        method(layout, &handle, index, field, last)
    });
    let (take, start) = if key.lead.is_random() {
        (
            quote!(pick: #private::u32),
            quote!(#private::PrefixTemplate::in_bucket(<#lead>::index(pick))),
        )
    } else {
        (quote!(), quote!(#private::PrefixTemplate::new()))
    };
    let about = if key.lead.is_random() {
        "Starts a prefix in the bucket that `pick`, modulo the buckets, chooses: fix fields in key \
         order; the last one gives the bytes of a row key."
    } else {
        "Starts a prefix: fix fields in key order; the last one gives the bytes of a row key.\n\n\
         Salt and hash are computed once, however many row keys follow."
    };
    let row = (&format_ident!("row"), &quote!(#private::PrefixTemplate<#stat>));
    let must_use = "a prefix handle does nothing until it makes a row key";
    let made = layout.handle(&handle, (&doc, must_use), row);
    let (clause, checks) = (layout.clause(), layout.late_checks());
    let first = layout.handle_path(&handle, &quote!(0));
    quote! {
        #made

        #[automatically_derived]
        impl #generics #own #clause {
            #[doc = #about]
            #[inline]
            #vis fn prefix(#take) -> #first {
                #checks
                #handle { row: #start }
            }
        }

        #(#methods)*
    }
}

/// Returns the method of the field that comes after `index` others.
pub(super) fn method(
    layout: &Layout<'_>,
    handle: &Ident,
    index: usize,
    field: &Field,
    last: bool,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let vis = &key.vis;
    let (form, arg) = (layout.form(field), layout.arg(field, Lifetimes::Static));
    let (method, label, feed) = (&field.ident, &field.name, layout.feed(field));
    let at = layout.offset(index);
    let seal = (key.last_feeding() == Some(index)).then(|| quote!(row.seal();));
    let (doc, outcome) = if last {
        let doc = format!("Returns the bytes of the row key that ends in `{label}`.");
        (doc, layout.outcome(&layout.row))
    } else {
        let next = index + 1;
        (format!("Fixes `{label}`."), layout.handle_path(handle, &next))
    };
    let put = respan(quote!(row.put::<#form, #arg>(#label, #at, value, #feed);), field.span());
    let body = body(layout, handle, &quote!(#put #seal), last);
    let this = layout.handle_path(handle, &index);
    let (any, clause) = (key.static_generics(), layout.clause());
    quote! {
        #[automatically_derived]
        impl #any #this #clause {
            #[doc = #doc]
            #[inline]
            #vis fn #method(&self, value: impl #private::Value<#arg>) -> #outcome {
                let value = #private::Value::<#arg>::value(&value);
                #body
            }
        }
    }
}

/// Returns the code that copies the row of a handle, writes to it, and makes a row key of it, or
/// else another `handle`.
pub(super) fn body(
    layout: &Layout<'_>,
    handle: &Ident,
    puts: &TokenStream,
    last: bool,
) -> TokenStream {
    let private = &layout.private;
    if last {
        return quote! {
            let mut bytes = self.row.row();
            let mut tally = self.row.tally();
            let mut row = tally.fill(&mut bytes);
            #puts
            tally.done(bytes)
        };
    }
    quote! {
        let mut next = #private::Clone::clone(&self.row);
        let mut row = next.fill();
        #puts
        #handle { row: next }
    }
}
