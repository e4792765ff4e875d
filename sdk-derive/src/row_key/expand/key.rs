//! `encode`, the constants and the trait of the library.

use proc_macro2::TokenStream;
use quote::quote;

use super::layout::{Layout, Width};
use super::{record, schema};
use crate::row_key::model::{Field, Lead, Lifetimes, Totality, respan};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, row, lead, fault, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let name = key.name();
    let vis = &key.vis;
    let outcome = layout.outcome();

    let puts = match &key.records {
        Some(records) => record::encode(layout, records),
        None => {
            let puts = key.fields.iter().enumerate().map(|(index, field)| {
                let member = &field.member;
                put(layout, index, field, &quote!(#private::Field::arg(&self.#member)))
            });
            quote!(#(#puts)*)
        }
    };

    let len = match &layout.width {
        Width::Known(width) => Some(quote!(#width)),
        Width::Fixed(width) => Some(width.clone()),
        Width::Varies | Width::ByType(_) => None,
    };
    let len = len.map(|len| {
        quote! {
            /// The number of bytes of every row key of this type.
            #vis const LEN: #private::usize = #len;
        }
    });
    let splits = match key.lead {
        Lead::Salt { buckets, width, first, .. } => {
            let buckets = usize::try_from(buckets).unwrap_or(usize::MAX);
            // Below a later space of buckets there are rows, of the layout before.
            let (splits, first) =
                if first == 0 { (buckets.saturating_sub(1), 1) } else { (buckets, first) };
            Some(quote! {
                /// The first row of each bucket, but not of the first in the table: where it is split.
                #vis const SPLITS: [[#private::u8; #width]; #splits] =
                    #private::splits::<#width, #splits>(#first);
            })
        }
        _ => None,
    };
    let failure = (layout.totality != Totality::Total).then(|| {
        quote! {
            ///
            /// # Errors
            /// Where a value does not fit the form of its field.
        }
    });
    let result = match layout.totality {
        Totality::Total => quote!(#private::Result::Ok(self.encode())),
        Totality::Fallible => quote!(self.encode()),
        Totality::ByType => quote! {
            <<#stat as #private::Derived>::Fault as #private::Outcome>::result::<
                <#stat as #private::Derived>::Row,
            >(self.encode())
        },
    };

    let schema::Parts { constants, lock } = schema::expand(layout);

    quote! {
        #[automatically_derived]
        impl #generics #own {
            #len
            #splits

            /// Returns the bytes of the row key.
            #failure
            #[inline]
            #vis fn encode(&self) -> #outcome {
                let mut row = #private::Stamp::<#stat>::new();
                #puts
                row.done()
            }
        }

        #[automatically_derived]
        impl #generics #private::RowKey for #own {
            type Encoded = <#stat as #private::Derived>::Row;
            #constants

            #[inline]
            fn encode_key(&self) -> #private::Result<Self::Encoded, #private::EncodeError> {
                #result
            }
        }

        #[automatically_derived]
        impl #private::Derived for #stat {
            type Lead = #lead;
            type Row = #row;
            type Fault = #fault;
            const NAME: &'static #private::str = #name;
        }

        #lock
    }
}

/// Returns the code that appends `value` as the field that comes after `index` others.
pub(super) fn put(
    layout: &Layout<'_>,
    index: usize,
    field: &Field,
    value: &TokenStream,
) -> TokenStream {
    let (form, arg) = (layout.form(field), layout.arg(field, Lifetimes::Own));
    let (label, feed, at) = (&field.name, layout.feed(field), layout.offset(index));
    let put = respan(quote!(row.put::<#form, #arg>(#label, #at, #value, #feed);), field.span());
    let seal = (layout.key.last_feeding() == Some(index)).then(|| quote!(row.seal();));
    quote! {
        #put
        #seal
    }
}
