//! Messages of the compiler about a key that compiles: a hint about a hotspot, and the reason why a
//! field is not the next field of a scan or a prefix.

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use crate::row_key::check;
use crate::row_key::model::Key;

const LABEL: &str =
    "not the next field: one before it is not fixed, or has a range, or it is fixed already";
const NOTE: &str = "rows are sorted by the first field of their key, then by the second, so what comes after a range, or after a \
                    field that is left out, is not in one place: scan the wider range and filter its rows, or put the field first \
                    in the key";

/// Returns a type with a method for each field. The builders, and the rows of a range, dereference
/// to this type. If code calls the method of a field that is not the next field, the compiler finds
/// the method of this type. No type of a value satisfies the bound of this method, so the compiler
/// reports the bound instead of a missing method. The method returns any type, so this is the only
/// error.
///
/// A key with type or const parameters, or with at most one field that every row starts with, has
/// no such type.
pub(super) fn field_order(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    if !has_field_order(key) {
        return Code::default();
    }
    let fields = key.leading_fields();
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    let message = format!(
        "a scan or a prefix of `{}` fixes fields in the order of the key: {}",
        key.name(),
        names.join(", ")
    );
    let methods = fields.iter().map(|field| {
        let ident = &field.ident;
        quote! {
            #[doc(hidden)]
            pub fn #ident<__Value: __InOrder, __Next>(&self, _: __Value) -> __Next {
                #private::unreachable_value()
            }
        }
    });
    let derefs = ["Scan", "Prefix"].map(|kind| {
        let builder = format_ident!("{}{kind}", key.ident);
        quote! {
            #[doc(hidden)]
            impl<const FIXED: #private::usize> #private::Deref for #builder<FIXED> {
                type Target = __FieldOrder;

                fn deref(&self) -> &__FieldOrder {
                    &__FieldOrder
                }
            }
        }
    });
    Code::from_items(quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #LABEL, note = #NOTE)]
        pub trait __InOrder {}

        #[diagnostic::do_not_recommend]
        impl __InOrder for __FieldOrder {}

        #[allow(missing_debug_implementations)]
        pub struct __FieldOrder;

        impl __FieldOrder {
            #(#methods)*
        }

        #(#derefs)*
    })
}

/// Returns whether the key has the type that [`field_order`] returns.
pub(super) fn has_field_order(key: &Key) -> bool {
    key.params.has_no_type_or_const_params() && key.leading_fields().len() > 1
}

/// Returns code that makes the compiler warn about the first field if its name suggests that it is
/// a time. On stable Rust, a macro can cause a warning only by using a deprecated item.
pub(super) fn hotspot_warning(layout: &Layout<'_>) -> Code {
    let (Some(text), Some(field)) = (check::time_name_hint(layout.key), layout.key.fields.first())
    else {
        return Code::default();
    };
    let hint = Ident::new("hotspot", field.ident.span());
    Code::from_items(quote! {
        #[deprecated(note = #text)]
        const fn hotspot() {}
        const _: () = #hint();
    })
}
