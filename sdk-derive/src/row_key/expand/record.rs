//! The code that only an enum needs: the code that writes and reads the tag, and the builders for
//! each variant.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use super::put::put;
use super::{encoding, prefix, read, scan};
use crate::row_key::field::Field;
use crate::row_key::record::{self, Record, Records};

/// Returns the fields of a variant that are not shared.
fn own<'k>(layout: &'k Layout<'_>, record: &Record) -> &'k [Field] {
    layout.key.fields.get(record.fields.clone()).unwrap_or_default()
}

/// Returns the code that writes the fields and the tag of `self`, according to its variant.
pub(super) fn encode(layout: &Layout<'_>, records: &Records) -> TokenStream {
    let private = &layout.private;
    let ident = &layout.key.ident;
    let shared = records.shared;
    let ty = encoding::tag_type(layout.key.layout.tag_width, private);
    let arms = records.list.iter().map(|record| {
        let (variant, tag) = (&record.ident, encoding::tag(record));
        let front = layout.key.leading_fields();
        let own = own(layout, record);
        let (pattern, rest) = (read::members(front, 0), read::members(own, shared + 1));
        let puts = |fields: &[Field], from: usize| -> TokenStream {
            let put = |(index, field)| {
                let value = read::value_variable(from + index);
                put(layout, from + index, field, &field.borrow_code(private, &quote!(#value)))
            };
            fields.iter().enumerate().map(put).collect()
        };
        let (before, after) = (puts(front, 0), puts(own, shared + 1));
        quote! {
            #ident::#variant { #pattern #rest } => {
                #before
                row.put::<#private::Native, #ty>("tag", 0, &#tag);
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

/// Returns the code that reads the tag, which follows the shared fields, and the fields of the
/// variant with this tag.
pub(super) fn decode(layout: &Layout<'_>, records: &Records, check: &TokenStream) -> TokenStream {
    let private = &layout.private;
    let ident = &layout.key.ident;
    let shared = records.shared;
    let (ty, bytes) =
        (encoding::tag_type(layout.key.layout.tag_width, private), layout.key.layout.tag_width);
    let arms = records.list.iter().map(|record| {
        let (variant, tag) = (&record.ident, encoding::tag(record));
        let own = own(layout, record);
        let reads = own.iter().enumerate().map(|(i, f)| read::read(layout, shared + 1 + i, f));
        let front = read::members(layout.key.leading_fields(), 0);
        let rest = read::members(own, shared + 1);
        quote! {
            #tag => {
                #(#reads)*
                #check
                #private::Result::Ok(#ident::#variant { #front #rest })
            }
        }
    });
    quote! {
        let tag = #private::read::<#private::Native, #ty>(input, "tag")?;
        match tag {
            #(#arms)*
            _ => #private::Result::Err(input.fail_unknown_tag(#bytes)),
        }
    }
}

/// Returns the builders and prefix handles of every variant.
pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let mut all = Code::default();
    if let Some(records) = &layout.key.records {
        all.extend(records.list.iter().map(|record| builders(layout, records, record)));
    }
    all
}

fn builders(layout: &Layout<'_>, records: &Records, record: &Record) -> Code {
    let Layout { key, private, .. } = layout;
    let (name, vis) = (key.name(), &key.vis);
    let (variant, tag) = (&record.ident, encoding::tag(record));
    let ty = encoding::tag_type(layout.key.layout.tag_width, private);
    let method = record::rows_method_name(variant);
    let (all_scan, all_prefix) =
        (format_ident!("{}Scan", key.ident), format_ident!("{}Prefix", key.ident));
    let (one_scan, one_prefix) = (
        format_ident!("{}{}Scan", key.ident, variant),
        format_ident!("{}{}Prefix", key.ident, variant),
    );
    let own = own(layout, record);
    let (before, first) = (records.shared, records.shared + 1);
    let count = first + own.len();

    let doc = format!(
        "The rows of [`{name}::{variant}`] whose first `FIXED` fields are fixed, the tag among \
         them."
    );
    let mut code =
        layout.builder_struct(&one_scan, (&doc, scan::MUST_USE), scan::INNER_TYPE, first..=count);
    let methods = own.iter().enumerate();
    code.items.extend(methods.map(|(i, f)| scan::method(layout, &one_scan, first + i, f)));
    code.items.extend(scan::row_ranges_impls(layout, &one_scan, first..=count, true));

    let with_tag = quote! {
        self.0.with::<#private::Native, #ty>("tag", 0, &#tag)
    };
    let (prefix_type, made) = if own.is_empty() {
        (layout.encode_return_type(&layout.row), quote!(#with_tag.finish()))
    } else {
        let doc =
            format!("The first `FIXED` fields of a [`{name}::{variant}`], its tag among them.");
        let about = (&*doc, prefix::MUST_USE);
        code.extend([layout.builder_struct(
            &one_prefix,
            about,
            prefix::INNER_TYPE,
            first..=count - 1,
        )]);
        code.items.extend(own.iter().enumerate().map(|(i, field)| {
            prefix::method(layout, &one_prefix, first + i, field, first + i + 1 == count)
        }));
        (layout.builder_type(&one_prefix, first), quote!(#one_prefix(#with_tag)))
    };

    let doc = format!("Restricts to the rows of [`{name}::{variant}`].");
    let (any, clause) = (key.static_generics(), layout.clause());
    let (from_scan, from_prefix) =
        (layout.builder_type(&all_scan, before), layout.builder_type(&all_prefix, before));
    let to_scan = layout.builder_type(&one_scan, first);
    code.items.extend(quote! {
        impl #any #from_scan #clause {
            #[doc = #doc]
            #[inline]
            #vis fn #method(self) -> #to_scan {
                let step = self.0.step("tag");
                #one_scan(step.set_value::<#private::Native, #ty>(&#tag, #private::feed_nothing))
            }
        }

        impl #any #from_prefix #clause {
            #[doc = #doc]
            #[inline]
            #vis fn #method(&self) -> #prefix_type {
                #made
            }
        }
    });
    code
}
