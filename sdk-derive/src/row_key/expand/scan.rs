//! The scan builder: one state for each number of fixed fields.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::model::{Field, KeyPrefix, Lifetimes};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let (name, vis) = (key.name(), &key.vis);
    let builder = format_ident!("{}Scan", key.ident);
    let front = key.front();
    let whole = key.records.is_none();
    let methods = front.iter().enumerate().map(|(i, field)| method(layout, &builder, i, field));
    let states = (0..=front.len())
        .filter_map(|fixed| state(layout, &builder, fixed, whole && fixed == front.len()));
    let doc = format!(
        "The rows of [`{name}`] whose first `FIXED` fields are fixed; made by [`{name}::scan`], taken by a table's scan."
    );
    let must_use = "a scan builder reads nothing until a table scans it";
    let partial = (&format_ident!("partial"), &quote!(#private::Partial<#stat>));
    let handle = layout.handle(&builder, (&doc, must_use), partial);
    let (clause, checks) = (layout.clause(), layout.late_checks());
    let start = layout.handle_path(&builder, &quote!(0));
    quote! {
        #handle

        #[automatically_derived]
        impl #generics #own #clause {
            /// Starts a scan: fix fields in key order, end with a range of one of them or not at all.
            #[inline]
            #vis fn scan() -> #start {
                #checks
                #builder { partial: #private::Partial::new() }
            }
        }

        #(#methods)*
        #(#states)*
    }
}

/// Returns the method of the field that comes after `index` others.
pub(super) fn method(
    layout: &Layout<'_>,
    builder: &Ident,
    index: usize,
    field: &Field,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let (stat, vis) = (key.path(Lifetimes::Static), &key.vis);
    let (form, arg) = (layout.form(field), layout.arg(field, Lifetimes::Static));
    let (method, label, feed) = (&field.ident, &field.name, layout.feed(field));
    let (this, next) =
        (layout.handle_path(builder, &index), layout.handle_path(builder, &(index + 1)));
    let (any, clause) = (key.static_generics(), layout.clause());
    let spread = ranges(layout, index);
    let ranges = spread.unwrap_or(1);
    // While a hash prefix is not complete, rows of a range are all over the table.
    let selected = match key.lead {
        KeyPrefix::Hash { .. } if spread.is_none() => {
            quote!(#private::WholeOnly<#form>)
        }
        _ => form.clone(),
    };
    let select = respan(quote!(#private::Select<#selected, #arg>), field.span());
    let fix = respan(quote!(step.fix::<#form, #arg>(value, #feed)), field.span());
    let doc = format!("Fixes `{label}` to one value, or ends the builder with a range of values.");
    quote! {
        #[automatically_derived]
        impl #any #this #clause {
            #[doc = #doc]
            #vis fn #method<__Select>(
                self,
                select: __Select,
            ) -> <__Select as #select>::Next<
                #next,
                #private::KeyRanges<#stat, #ranges>,
            >
            where
                __Select: #select,
            {
                #private::Select::apply::<#stat, _, #ranges>(
                    select,
                    self.partial.step(#label),
                    |step, value| #builder { partial: #fix },
                )
            }
        }
    }
}

/// Returns how many ranges a scan reads when the first `fixed` fields are fixed, or nothing when
/// they are no ranges at all.
pub(super) fn ranges(layout: &Layout<'_>, fixed: usize) -> Option<usize> {
    if layout.key.lead.is_random() {
        return Some(layout.key.lead.buckets());
    }
    let complete = layout.key.last_feeding().is_none_or(|last| last < fixed);
    match layout.key.lead {
        KeyPrefix::None => Some(1),
        KeyPrefix::Salt { .. } if complete => Some(1),
        KeyPrefix::Salt { .. } => Some(layout.key.lead.buckets()),
        KeyPrefix::Hash { .. } => complete.then_some(1),
    }
}

/// Returns the ranges of the builder with `fixed` fields, `row` being all of them; nothing when its
/// rows are no ranges.
pub(super) fn state(
    layout: &Layout<'_>,
    builder: &Ident,
    fixed: usize,
    row: bool,
) -> Option<TokenStream> {
    let Layout { key, private, lead, .. } = layout;
    let whole_key = layout.row_key(Lifetimes::Static);
    let this = layout.handle_path(builder, &fixed);
    let (any, clause) = (key.static_generics(), layout.clause());
    let whole = fixed == 0 && matches!(key.lead, KeyPrefix::Hash { .. });
    let (ranges, made) = match ranges(layout, fixed) {
        _ if whole => (1, quote!(self.partial.table())),
        Some(1) if row => (1, quote!(self.partial.row())),
        Some(ranges) => (ranges, quote!(self.partial.prefix())),
        None => return None,
    };
    let salt = if ranges > 1 { quote!(<#lead as #private::KeyPrefix>::LEN) } else { quote!(0) };
    Some(quote! {
        #[automatically_derived]
        impl #any #private::RowRanges for #this #clause {
            type Key = #whole_key;
            const SALT_LEN: #private::usize = #salt;
            type Iter = [#private::RowRange; #ranges];

            #[inline]
            fn row_ranges(self) -> #private::Result<Self::Iter, #private::EncodeError> {
                #made
            }
        }
    })
}
