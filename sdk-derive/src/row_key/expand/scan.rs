//! The scan builder, which has one state for each number of fixed fields.

use std::ops::RangeInclusive;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use tallrow_layout::SaltOrHash;

use super::code::Code;
use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;

/// The name of the library's type that a scan builder contains.
pub(super) const INNER_TYPE: &str = "PartialKey";

/// The warning about a builder that is not used.
pub(super) const MUST_USE: &str = "a scan builder reads nothing until a table scans it";

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let (name, vis) = (key.name(), &key.vis);
    let builder = format_ident!("{}Scan", key.ident);
    let front = key.leading_fields();
    let doc = format!(
        "The rows of [`{name}`] whose first `FIXED` fields are fixed; made by [`{name}::scan`], \
         taken by a table's scan."
    );
    let mut code = layout.builder_struct(&builder, (&doc, MUST_USE), INNER_TYPE, 0..=front.len());
    code.items.extend(layout.rows_aliases());
    let methods = front.iter().enumerate().map(|(i, field)| method(layout, &builder, i, field));
    code.items.extend(methods);
    code.items.extend(row_ranges_impls(layout, &builder, 0..=front.len(), key.records.is_none()));
    let (checks, start) = (layout.late_checks(), layout.builder_type(&builder, 0));
    code.members = quote! {
        /// Starts a scan. Fix fields in the order of the key; the last one may be a range.
        #[inline]
        #vis fn scan() -> #start {
            #checks
            #builder(#private::PartialKey::new())
        }
    };
    code
}

/// Returns the builder's method that sets the value of the field at position `index`.
pub(super) fn method(
    layout: &Layout<'_>,
    builder: &Ident,
    index: usize,
    field: &Field,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let vis = &key.vis;
    let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Static));
    let (method, label, feed) = (&field.ident, &field.name, layout.feed_function(field));
    let (this, next) =
        (layout.builder_type(builder, index), layout.builder_type(builder, index + 1));
    let (any, clause) = (key.static_generics(), layout.clause());
    let spread = range_count(layout, index);
    let ranges = spread.unwrap_or(1);
    // Until the hash prefix is complete, the rows whose values are in a range are spread over the
    // whole table.
    let selected = match key.layout.prefix {
        SaltOrHash::HashPrefix { .. } if spread.is_none() => {
            quote!(#private::WithoutRanges<#encoding>)
        }
        _ => encoding.clone(),
    };
    let select = respan(quote!(#private::FieldSelector<#selected, #arg>), field.span());
    let next_field = respan(quote!(field::<#encoding, #arg>), field.span());
    let rows = layout.rows_type(ranges);
    let select_it = match feed {
        Some(feed) => quote!(select_fed(select, #feed, #builder)),
        None => quote!(select(select, #builder)),
    };
    let doc = format!("Fixes `{label}` to one value, or ends the builder with a range of values.");
    quote! {
        impl #any #this #clause {
            #[doc = #doc]
            #vis fn #method<__Select: #select>(
                self,
                select: __Select,
            ) -> __Select::Next<#next, #rows> {
                self.0.#next_field(#label).#select_it
            }
        }
    }
}

/// Returns how many ranges a scan reads when the first `fixed` fields are fixed, or `None` if the
/// rows do not form ranges.
pub(super) fn range_count(layout: &Layout<'_>, fixed: usize) -> Option<usize> {
    let complete = layout.key.last_hashed().is_none_or(|last| last < fixed);
    match layout.key.layout.prefix {
        SaltOrHash::None => Some(1),
        SaltOrHash::Salt { .. } if complete => Some(1),
        SaltOrHash::Salt { .. } | SaltOrHash::RandomSalt { .. } => Some(layout.key.buckets()),
        SaltOrHash::HashPrefix { .. } => complete.then_some(1),
    }
}

/// Returns the implementations of `RowRanges` for the `states` of a builder. If `whole` is true,
/// every field is fixed in the last state.
///
/// One implementation is enough for all states if the scans of the key read the same number of
/// ranges in each state.
pub(super) fn row_ranges_impls(
    layout: &Layout<'_>,
    builder: &Ident,
    states: RangeInclusive<usize>,
    whole: bool,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let all = if whole { *states.end() } else { usize::MAX };
    if key.has_no_prefix() || key.has_random_salt() {
        let declared = key.params.declaration(None, Some(quote!(const FIXED: #private::usize)));
        let arguments = key.params.arguments(None, Some(quote!(FIXED)));
        let made = match (whole, key.has_random_salt()) {
            (true, false) => quote!(self.0.row_or_prefix(FIXED == #all)),
            _ => quote!(self.0.prefix()),
        };
        let this = quote!(#builder #arguments);
        return implementation(layout, &declared, &this, key.buckets(), &made);
    }
    let state = |fixed: usize| {
        let (ranges, made) = match range_count(layout, fixed) {
            _ if fixed == 0 && matches!(key.layout.prefix, SaltOrHash::HashPrefix { .. }) => {
                (1, quote!(self.0.all_rows()))
            }
            Some(1) if fixed == all => (1, quote!(self.0.row())),
            Some(ranges) => (ranges, quote!(self.0.prefix())),
            None => return None,
        };
        let this = layout.builder_type(builder, fixed);
        Some(implementation(layout, &key.static_generics(), &this, ranges, &made))
    };
    states.filter_map(state).collect()
}

fn implementation(
    layout: &Layout<'_>,
    declared: &TokenStream,
    this: &TokenStream,
    ranges: usize,
    made: &TokenStream,
) -> TokenStream {
    let Layout { private, prefix, .. } = layout;
    let (key, clause) = (layout.row_key_type(Lifetimes::Static), layout.clause());
    let salt = (ranges > 1)
        .then(|| quote!(const SALT_LEN: #private::usize = <#prefix as #private::SaltOrHash>::LEN;));
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #declared #private::RowRanges for #this #clause {
            type Key = #key;
            #salt
            type Iter = [#private::RowRange; #ranges];

            #[inline]
            fn row_ranges(self) -> #private::Result<Self::Iter, #private::EncodeError> {
                #made
            }
        }
    }
}
