//! Access to the fields, one by one, for the tests of `test_row_key!`.

use proc_macro2::TokenStream;
use quote::quote;
use tallrow_layout::SaltOrHash;

use super::code::Code;
use super::layout::Layout;
use super::{encoding, read, scan};
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;
use crate::row_key::record::Records;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let clause = layout.clause();
    let shown = match &key.records {
        Some(records) => of_records(layout, records),
        None => {
            let fields = key.fields.iter().enumerate().map(|(index, field)| {
                let member = &field.member;
                show(layout, index, field, &quote!(&self.#member))
            });
            let end = end(layout, key.fields.len());
            quote!(#(#fields)* #end)
        }
    };
    let splits = match key.layout.prefix {
        SaltOrHash::Salt { .. } | SaltOrHash::RandomSalt { .. } => {
            quote!(Self::SPLITS.iter().map(|split| split.to_vec()).collect())
        }
        _ => quote!(#private::Vec::new()),
    };
    Code::from_items(quote! {
        #[automatically_derived]
        impl #generics #private::VisitFields for #own #clause {
            type Derived = #stat;

            fn visit_fields<__Visitor: #private::Visitor<#stat>>(&self, visitor: &mut __Visitor) {
                #shown
            }

            fn splits() -> #private::Vec<#private::Vec<#private::u8>> {
                #splits
            }
        }
    })
}

/// Returns the number of ranges that a scan reads when the first `fixed` fields are fixed; 0 if the
/// rows do not form ranges.
fn ranges(layout: &Layout<'_>, fixed: usize) -> usize {
    scan::range_count(layout, fixed).unwrap_or(0)
}

fn show(layout: &Layout<'_>, index: usize, field: &Field, value: &TokenStream) -> TokenStream {
    let private = &layout.private;
    let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Own));
    let (name, feed, ranges) = (&field.name, layout.feed_function(field), ranges(layout, index));
    let feed = feed.unwrap_or_else(|| quote!(#private::feed_nothing));
    let borrowed = field.borrow_code(private, value);
    quote! {
        visitor.field::<#encoding, #arg, #ranges>(#name, #borrowed, #feed);
    }
}

fn end(layout: &Layout<'_>, fields: usize) -> TokenStream {
    let ranges = ranges(layout, fields);
    quote!(visitor.end::<#ranges>();)
}

fn of_records(layout: &Layout<'_>, records: &Records) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let (ident, front, shared) = (&key.ident, key.leading_fields(), records.shared);
    let ty = encoding::tag_type(layout.key.layout.tag_width, private);
    let tag_ranges = ranges(layout, shared);
    let arms = records.list.iter().map(|record| {
        let own = key.fields.get(record.fields.clone()).unwrap_or_default();
        let (variant, tag) = (&record.ident, encoding::tag(record));
        let (pattern, rest) = (read::members(front, 0), read::members(own, shared + 1));
        let shown = |fields: &[Field], from: usize| -> TokenStream {
            let one = |(index, field)| {
                let value = read::value_variable(from + index);
                show(layout, from + index, field, &quote!(#value))
            };
            fields.iter().enumerate().map(one).collect()
        };
        let (before, after) = (shown(front, 0), shown(own, shared + 1));
        let end = end(layout, shared + 1 + own.len());
        quote! {
            #ident::#variant { #pattern #rest } => {
                #before
                visitor.field::<#private::Native, #ty, #tag_ranges>("tag", &#tag, #private::feed_nothing);
                #after
                #end
            }
        }
    });
    quote! {
        match self {
            #(#arms)*
        }
    }
}
