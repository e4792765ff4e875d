//! Code that reads the key prefix and the fields, each into its own variable.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use tallrow_layout::{SaltOrHash, Type};

use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;

/// Returns the code that reads the key prefix, and the code that checks that the key prefix matches
/// the fields and that nothing follows the fields.
pub(super) fn prefix_code(layout: &Layout<'_>) -> (Option<TokenStream>, TokenStream) {
    let Layout { key, private, prefix, .. } = layout;
    if key.has_no_prefix() {
        let check = quote! {
            if !input.check_at_end() {
                return #private::Result::Err(#private::FAILED);
            }
        };
        return (None, check);
    }
    let start = quote! {
        let mut prefix = <#prefix as #private::Default>::default();
        let prefix_bytes = #private::read_key_prefix::<#prefix>(input)?;
    };
    (Some(start), quote!(#private::check_end_and_key_prefix(&prefix, prefix_bytes, input)?;))
}

/// Returns the code that reads the field at position `index` into `value_<index>`.
pub(super) fn read(layout: &Layout<'_>, index: usize, field: &Field) -> TokenStream {
    read_as(layout, index, field, &field.ty(Lifetimes::Own))
}

/// Returns the code that reads the field at position `index` as a value of the type `ty`.
pub(super) fn read_as(
    layout: &Layout<'_>,
    index: usize,
    field: &Field,
    ty: &TokenStream,
) -> TokenStream {
    let Layout { key, private, .. } = layout;
    let encoding = match &field.attr.md5 {
        Some(_) => field.hashed_encoding(private),
        None => layout.encoding(field),
    };
    let label = &field.name;
    let value = value_variable(index);
    let ty = field.checked_type(ty, private);
    let decode = respan(quote!(#private::read::<#encoding, #ty>), field.span());
    let read = quote! {
        let #private::Result::Ok(#value) = #decode(input, #label) else {
            return #private::Result::Err(#private::FAILED);
        };
    };
    if !field.hashed {
        return read;
    }
    match key.layout.prefix {
        SaltOrHash::HashPrefix { .. } => {
            // The key and its view may hold text and bytes in different types.
            let arg = match field.kind {
                Type::Text if field.attr.md5.is_none() => quote!(#private::str),
                Type::Bytes if field.attr.md5.is_none() => quote!([#private::u8]),
                _ => quote!(_),
            };
            let borrowed = field.borrow_code(private, &quote!(&#value));
            quote! {
                #read
                #private::feed_hash_bytes::<_, #arg>(&mut prefix, #borrowed, &[]);
            }
        }
        _ => quote! {
            let mark = input.position();
            #read
            #private::SaltOrHash::feed(&mut prefix, input.read_since(mark));
        },
    }
}

/// Returns `fields` as the members of a struct or variant: the first member is the variable
/// `value_<from>`, and the other members are the variables with the following numbers.
pub(super) fn members(fields: &[Field], from: usize) -> TokenStream {
    let members = fields.iter().enumerate().map(|(index, field)| {
        let (member, value) = (&field.member, value_variable(from + index));
        quote!(#member: #value,)
    });
    members.collect()
}

/// Returns the name of the variable that holds the value of the field at position `index`.
pub(super) fn value_variable(index: usize) -> Ident {
    format_ident!("value_{}", index)
}
