//! The implementation of `Ord`, which compares keys in the order in which their rows sort.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::code::Code;
use super::encoding;
use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;
use crate::row_key::record::Records;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let Some(ord) = &key.attr.ord else { return Code::default() };
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    // Different keys may have the same row, because a row may contain a digest or a rounded number
    // in place of a value, so the values are compared too.
    let values = match &key.records {
        Some(records) => of_records(layout, records),
        None => {
            let values = key.fields.iter().map(|field| {
                let member = &field.member;
                compare(field, &quote!(&self.#member), &quote!(&other.#member), private)
            });
            in_turn(values, private)
        }
    };
    let rows = if key.has_random_salt() {
        quote! {
            #private::compare_errors_last(
                #private::RandomSaltedKey::encode_in(self, 0),
                #private::RandomSaltedKey::encode_in(other, 0),
            )
        }
    } else {
        quote! {
            #private::compare_errors_last(
                #private::RowKey::encode_key(self),
                #private::RowKey::encode_key(other),
            )
        }
    };
    let more = key.generic_fields().map(|field| {
        let ty = &field.ty;
        quote!(#ty: #private::Ord)
    });
    let equal = (!key.params.has_no_type_or_const_params()).then(|| quote!(#own: #private::Eq));
    let clause = layout.clause_with(more.chain(equal));
    let ordered = respan(quote!(impl #generics #private::Ord for #own #clause), ord.span);
    let compared = respan(quote!(impl #generics #private::PartialOrd for #own #clause), ord.span);
    Code::from_items(quote! {
        #[automatically_derived]
        #ordered {
            /// Compares as the rows sort.
            fn cmp(&self, other: &Self) -> #private::Ordering {
                let rows = #rows;
                #private::Ordering::then_with(rows, || #values)
            }
        }

        #[automatically_derived]
        #compared {
            fn partial_cmp(&self, other: &Self) -> #private::Option<#private::Ordering> {
                #private::Option::Some(#private::Ord::cmp(self, other))
            }
        }
    })
}

/// Returns the code that compares two values of `field`.
fn compare(
    field: &Field,
    one: &TokenStream,
    other: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let ty = field.checked_type(&field.ty(Lifetimes::Own), private);
    respan(quote!(<#ty as #private::Ord>::cmp(#one, #other)), field.span())
}

/// Returns the code for the first result of `comparisons` that is not equal.
fn in_turn(comparisons: impl Iterator<Item = TokenStream>, private: &TokenStream) -> TokenStream {
    let equal = quote!(#private::Ordering::Equal);
    comparisons.fold(equal, |all, one| quote!(#private::Ordering::then_with(#all, || #one)))
}

fn of_records(layout: &Layout<'_>, records: &Records) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let ident = &key.ident;
    let arms = records.list.iter().map(|record| {
        let own = key.fields.get(record.fields.clone()).unwrap_or_default();
        let fields: Vec<_> = key.leading_fields().iter().chain(own).collect();
        let variant = &record.ident;
        let side = |side: &str| -> TokenStream {
            let bind = |(index, field): (usize, &&Field)| {
                let (member, value) = (&field.member, format_ident!("{}_{}", side, index));
                quote!(#member: #value,)
            };
            fields.iter().enumerate().map(bind).collect()
        };
        let (ours, theirs) = (side("own"), side("other"));
        let values = fields.iter().enumerate().map(|(index, field)| {
            let (one, other) = (format_ident!("own_{}", index), format_ident!("other_{}", index));
            compare(field, &quote!(#one), &quote!(#other), private)
        });
        let values = in_turn(values, private);
        quote!((#ident::#variant { #ours }, #ident::#variant { #theirs }) => #values,)
    });
    let tags = records.list.iter().map(|record| {
        let (variant, tag) = (&record.ident, encoding::tag(record));
        quote!(#ident::#variant { .. } => #tag,)
    });
    quote! {
        match (self, other) {
            #(#arms)*
            #[allow(unreachable_patterns)]
            (own, other) => {
                let tag = |key: &Self| -> #private::u32 {
                    match key {
                        #(#tags)*
                    }
                };
                #private::Ord::cmp(&tag(own), &tag(other))
            }
        }
    }
}
