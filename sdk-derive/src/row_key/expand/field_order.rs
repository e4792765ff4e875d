//! What a scan and a prefix say when a field is not the next one.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use crate::row_key::field::Field;
use crate::row_key::model::Key;

/// Returns a type with a method for each field, to which the builders and the rows of a range dereference: so a field that is
/// not the next one is found there, by a bound that nothing satisfies, and not simply missing.
///
/// A key with type parameters does without it.
pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    if !has_order(key) {
        return Code::default();
    }
    let front = key.front();
    let builder = format_ident!("{}Scan", key.ident);
    let handle = format_ident!("{}Prefix", key.ident);
    let names: Vec<String> = front.iter().map(|field| format!("`{}`", field.name)).collect();
    let order = names.join(", ");
    let name = key.name();
    let scan_text = format!("a scan of `{name}` fixes fields in the order of the key: {order}");
    let prefix_text = format!("a prefix of `{name}` fixes fields in the order of the key: {order}");
    let scan_methods = front.iter().enumerate().map(|(at, field)| {
        method(private, field, &quote!(__InScanOrder), &layout.state(&builder, at + 1))
    });
    let last = front.len() - usize::from(key.records.is_none());
    let prefix_methods = front.iter().enumerate().map(|(at, field)| {
        let after = if at == last { quote!(()) } else { layout.state(&handle, at + 1) };
        method(private, field, &quote!(__InPrefixOrder), &after)
    });
    let (scan, prefix) = (
        deref(layout, &builder, &quote!(__ScanOrder)),
        deref(layout, &handle, &quote!(__PrefixOrder)),
    );
    Code::items(quote! {
        #[diagnostic::on_unimplemented(
            message = #scan_text,
            label = "not the next field: one before it is not fixed, or has a range, or it is fixed already",
            note = "rows are sorted by the first field of their key, then by the second, so what comes after a range, or after a field \
                    that is left out, is not in one place: scan the wider range and filter its rows, or put the field first in the key"
        )]
        pub trait __InScanOrder {}

        #[diagnostic::do_not_recommend]
        impl __InScanOrder for __ScanOrder {}

        #[diagnostic::on_unimplemented(
            message = #prefix_text,
            label = "not the next field: one before it is not fixed, or it is fixed already"
        )]
        pub trait __InPrefixOrder {}

        #[diagnostic::do_not_recommend]
        impl __InPrefixOrder for __PrefixOrder {}

        #[derive(#private::Debug)]
        pub struct __ScanOrder;

        #[derive(#private::Debug)]
        pub struct __PrefixOrder;

        impl __ScanOrder {
            #(#scan_methods)*
        }

        impl __PrefixOrder {
            #(#prefix_methods)*
        }

        #scan
        #prefix
    })
}

/// Returns whether the key has such types.
pub(super) fn has_order(key: &Key) -> bool {
    key.params.is_empty() && key.front().len() > 1
}

fn method(
    private: &TokenStream,
    field: &Field,
    bound: &TokenStream,
    after: &TokenStream,
) -> TokenStream {
    let ident = &field.ident;
    quote! {
        #[doc(hidden)]
        pub fn #ident<__Value: #bound>(&self, _: __Value) -> #after {
            #private::never()
        }
    }
}

fn deref(layout: &Layout<'_>, handle: &Ident, target: &TokenStream) -> TokenStream {
    let private = &layout.private;
    quote! {
        #[doc(hidden)]
        impl<const FIXED: #private::usize> #private::Deref for #handle<FIXED> {
            type Target = #target;

            fn deref(&self) -> &#target {
                &#target
            }
        }
    }
}
