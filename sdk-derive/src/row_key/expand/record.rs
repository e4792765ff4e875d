//! The parts of an enum that a struct does not have: the tag, and builders for each kind of rows.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::layout::Layout;
use super::{decode, key, prefix, scan};
use crate::row_key::model::{Field, KeyPrefix, Lifetimes};
use crate::row_key::record::{self, Record, Records};

/// Returns the own fields of a kind.
fn own<'k>(layout: &'k Layout<'_>, record: &Record) -> &'k [Field] {
    layout.key.fields.get(record.fields.clone()).unwrap_or_default()
}

/// Returns the code that writes the fields of whichever kind `self` is.
pub(super) fn encode(layout: &Layout<'_>, records: &Records) -> TokenStream {
    let private = &layout.private;
    let ident = &layout.key.ident;
    let shared = records.shared;
    let ty = records.tag.ty(private);
    let arms = records.list.iter().map(|record| {
        let (variant, tag) = (&record.ident, Literal::u32_unsuffixed(record.tag));
        let front = layout.key.front();
        let own = own(layout, record);
        let (pattern, rest) = (decode::members(front, 0), decode::members(own, shared + 1));
        let puts = |fields: &[Field], from: usize| -> TokenStream {
            let put = |(index, field)| {
                let value = decode::value(from + index);
                key::put(layout, from + index, field, &field.lent(private, &quote!(#value)))
            };
            fields.iter().enumerate().map(put).collect()
        };
        let (before, after) = (puts(front, 0), puts(own, shared + 1));
        quote! {
            #ident::#variant { #pattern #rest } => {
                #before
                row.put::<#private::Native, #ty>("tag", 0, &#tag, #private::feed_nothing);
                #after
            }
        }
    });
    quote! {
        match self {
            #(#arms)*
        }
    }
}

/// Returns the code that reads the tag and the fields of its kind, the shared fields being read.
pub(super) fn decode(layout: &Layout<'_>, records: &Records) -> TokenStream {
    let private = &layout.private;
    let ident = &layout.key.ident;
    let shared = records.shared;
    let (ty, bytes) = (records.tag.ty(private), records.tag.bytes());
    let check = (!matches!(layout.key.lead, KeyPrefix::None))
        .then(|| quote!(#private::check_key_prefix(&lead, front, input)?;));
    let arms = records.list.iter().map(|record| {
        let (variant, tag) = (&record.ident, Literal::u32_unsuffixed(record.tag));
        let own = own(layout, record);
        let reads = own.iter().enumerate().map(|(i, f)| decode::read(layout, shared + 1 + i, f));
        let front = decode::members(layout.key.front(), 0);
        let rest = decode::members(own, shared + 1);
        quote! {
            #tag => {
                #(#reads)*
                input.end()?;
                #check
                #private::Result::Ok(#ident::#variant { #front #rest })
            }
        }
    });
    quote! {
        let tag = input.field("tag", <#private::Native as #private::Decoding<'_, #ty>>::decode)?;
        match tag {
            #(#arms)*
            _ => #private::Result::Err(input.unknown_tag(#bytes)),
        }
    }
}

/// Returns the builders and prefix handles of every kind.
pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    match &layout.key.records {
        Some(records) => {
            records.list.iter().map(|record| builders(layout, records, record)).collect()
        }
        None => TokenStream::new(),
    }
}

fn builders(layout: &Layout<'_>, records: &Records, kind: &Record) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let (name, vis, stat) = (key.name(), &key.vis, key.path(Lifetimes::Static));
    let (variant, tag) = (&kind.ident, Literal::u32_unsuffixed(kind.tag));
    let ty = records.tag.ty(private);
    let method = record::method(variant);
    let (all_scan, all_prefix) =
        (format_ident!("{}Scan", key.ident), format_ident!("{}Prefix", key.ident));
    let (one_scan, one_prefix) = (
        format_ident!("{}{}Scan", key.ident, variant),
        format_ident!("{}{}Prefix", key.ident, variant),
    );
    let own = own(layout, kind);
    let (before, first) = (records.shared, records.shared + 1);
    let count = first + own.len();

    let scans = own.iter().enumerate().map(|(i, f)| scan::method(layout, &one_scan, first + i, f));
    let states =
        (first..=count).filter_map(|fixed| scan::state(layout, &one_scan, fixed, fixed == count));
    let prefixes = own.iter().enumerate().map(|(i, field)| {
        prefix::method(layout, &one_prefix, first + i, field, first + i + 1 == count)
    });
    let put_tag = quote! {
        row.put::<#private::Native, #ty>("tag", 0, &#tag, #private::feed_nothing);
    };
    let prefix_body = prefix::body(layout, &one_prefix, &put_tag, own.is_empty());
    let (prefix_type, prefix_struct) = if own.is_empty() {
        (layout.outcome(&layout.row), None)
    } else {
        let doc =
            format!("The first `FIXED` fields of a [`{name}::{variant}`], its tag among them.");
        let must_use = "a prefix handle does nothing until it makes a row key";
        let row = (&format_ident!("row"), &quote!(#private::PrefixTemplate<#stat>));
        let handle = layout.handle(&one_prefix, (&doc, must_use), row);
        (layout.handle_path(&one_prefix, &first), Some(handle))
    };
    let scan_doc = format!(
        "The rows of [`{name}::{variant}`] whose first `FIXED` fields are fixed, the tag among them."
    );
    let method_doc = format!("Keeps to the rows of [`{name}::{variant}`].");
    let must_use = "a scan builder reads nothing until a table scans it";
    let partial = (&format_ident!("partial"), &quote!(#private::Partial<#stat>));
    let scan_struct = layout.handle(&one_scan, (&scan_doc, must_use), partial);
    let (any, clause) = (key.static_generics(), layout.clause());
    let (from_scan, from_prefix) =
        (layout.handle_path(&all_scan, &before), layout.handle_path(&all_prefix, &before));
    let to_scan = layout.handle_path(&one_scan, &first);
    quote! {
        #scan_struct

        #[automatically_derived]
        impl #any #from_scan #clause {
            #[doc = #method_doc]
            #[inline]
            #vis fn #method(self) -> #to_scan {
                let step = self.partial.step("tag");
                let partial = step.fix::<#private::Native, #ty>(&#tag, #private::feed_nothing);
                #one_scan { partial }
            }
        }

        #(#scans)*
        #(#states)*

        #prefix_struct

        #[automatically_derived]
        impl #any #from_prefix #clause {
            #[doc = #method_doc]
            #[inline]
            #vis fn #method(&self) -> #prefix_type {
                #prefix_body
            }
        }

        #(#prefixes)*
    }
}
