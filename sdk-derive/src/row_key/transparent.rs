//! `#[row_key(transparent)]`: a newtype that is written as its inner value.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Path, Type};

use super::attr::RowKeyAttr;
use super::message;
use super::wrapper::{self, Wrapper};
use crate::kernel::Errors;

/// Returns the implementations for a newtype, and reports its errors.
pub(super) fn expand(
    input: &DeriveInput,
    attr: &RowKeyAttr,
    krate: &Path,
    errors: &mut Errors,
) -> TokenStream {
    let tag_type = attr.tag_type.as_ref().map(|tag_type| tag_type.span);
    for span in attr.spans_of_whole_key_entries().into_iter().chain(tag_type) {
        errors.report_at_span(span, message::ATTRIBUTE_NEXT_TO_TRANSPARENT);
    }
    let wrapper = newtype(input, krate, errors).unwrap_or_else(|| Wrapper::stub(krate));
    wrapper.expand(input, krate)
}

fn newtype(input: &DeriveInput, krate: &Path, errors: &mut Errors) -> Option<Wrapper> {
    let private = wrapper::private(krate);
    let Data::Struct(data) = &input.data else {
        errors.report_at_tokens(&input.ident, message::TRANSPARENT_NOT_ON_STRUCT);
        return None;
    };
    let (phantom, held): (Vec<_>, Vec<_>) =
        data.fields.members().zip(&data.fields).partition(|(_, field)| is_phantom(&field.ty));
    for field in &data.fields {
        for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("key")) {
            errors.report_at_tokens(attr.path(), message::KEY_IN_TRANSPARENT);
        }
    }
    let [(member, field)] = &held[..] else {
        errors.report_at_tokens(&input.ident, message::TRANSPARENT_HOLDS_ONE_VALUE);
        return None;
    };
    let phantom = phantom.iter().map(|(member, _)| quote!(, #member: #private::PhantomData));
    let ty = &field.ty;
    Some(Wrapper {
        inner: quote!(#ty),
        span: ty.span(),
        order: quote!(__Order),
        tags: None,
        get: quote!(&self.#member),
        make: quote!(#private::Result::Ok(Self { #member: inner #(#phantom)* })),
    })
}

/// Returns whether a type is `PhantomData`, which holds no value.
fn is_phantom(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "PhantomData"),
        _ => false,
    }
}
