//! The expansion of an enum whose variants have no fields; each variant is written as its tag.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Lit, Path, Variant};

use tallrow_layout::{Int, Limit, OrderClass, Tag, Tags, check_tags};

use super::attr::RowKeyAttr;
use super::expand::encoding;
use super::wrapper::{self, Wrapper};
use super::{message, record};
use crate::kernel::{Entries, Entry, Errors, Spanned};

/// Returns whether a type is an enum with only unit variants.
pub(super) fn is_unit_enum(data: &Data) -> bool {
    let Data::Enum(data) = data else { return false };
    !data.variants.is_empty() && data.variants.iter().all(|v| matches!(v.fields, Fields::Unit))
}

/// Returns the implementations for an enum, and reports its errors.
pub(super) fn expand_unit_enum(
    input: &DeriveInput,
    attr: &RowKeyAttr,
    krate: &Path,
    errors: &mut Errors,
) -> TokenStream {
    let before = errors.len();
    for span in attr.spans_of_whole_key_entries() {
        errors.report_at_span(span, message::ATTRIBUTE_ON_UNIT_ENUM);
    }
    let wrapper = tagged(input, attr, krate, errors).filter(|_| errors.len() == before);
    wrapper.unwrap_or_else(|| Wrapper::stub(krate)).expand(input, krate)
}

fn tagged(
    input: &DeriveInput,
    attr: &RowKeyAttr,
    krate: &Path,
    errors: &mut Errors,
) -> Option<Wrapper> {
    let private = wrapper::private(krate);
    let Data::Enum(data) = &input.data else { return None };
    // All tags are read first, so that every variant without a tag is reported.
    let given: Vec<_> = data.variants.iter().map(|v| (v, tag(v, errors))).collect();
    let all = given.into_iter().map(|(variant, tag)| Some((&variant.ident, tag?)));
    let all: Vec<(&Ident, Spanned<Tag>)> = all.collect::<Option<_>>()?;
    let (_, first) = all.first()?;
    let (ty, inner) = match &first.value {
        Tag::Number(_) => {
            let bytes = attr.tag_type.as_ref().map_or(1, |width| width.value);
            let int = Int { bytes, signed: false, limit: Limit::Any };
            (tallrow_layout::Type::Int(int), encoding::tag_type(bytes, &private))
        }
        Tag::Bytes(bytes) => {
            if let Some(tag_type) = &attr.tag_type {
                errors.report_at_span(tag_type.span, message::TAG_TYPE_OF_BYTES);
            }
            let len = Literal::usize_unsuffixed(bytes.len());
            (tallrow_layout::Type::Array(bytes.len()), quote!([#private::u8; #len]))
        }
    };
    let named =
        |(ident, tag): &(&Ident, Spanned<Tag>)| (tag.value.clone(), ident.unraw().to_string());
    let listed = Tags::new(all.iter().map(named).collect());
    for (at, message) in check_tags(&listed, &ty) {
        if let Some((_, tag)) = all.get(at) {
            errors.report_at_span(tag.span, message);
        }
    }
    let gets = all.iter().map(|(variant, tag)| {
        let literal = literal(&tag.value);
        quote!(Self::#variant => &#literal,)
    });
    let makes = all.iter().map(|(variant, tag)| {
        let literal = literal(&tag.value);
        quote!(#literal => #private::Result::Ok(Self::#variant),)
    });
    let mut sorted: Vec<_> = discriminants(&data.variants).zip(all.iter().map(named)).collect();
    sorted.sort_by_key(|(discriminant, _)| *discriminant);
    let tags = Tags::new(sorted.into_iter().map(|(_, tag)| tag).collect());
    Some(Wrapper {
        inner,
        span: input.ident.span(),
        order: match tags.order() {
            OrderClass::Natural => quote!(__Order),
            OrderClass::Reversed => quote!(<__Order as #private::EncodingOrder>::Inverse),
            _ => quote!(#private::GroupedOrder),
        },
        tags: Some(tags.to_string()),
        get: quote!(match self { #(#gets)* }),
        make: quote! {
            match inner {
                #(#makes)*
                other => #private::Result::Err(#private::unknown_tag(other)),
            }
        },
    })
}

/// Returns the discriminants of `variants`; the values of the enum are compared by their
/// discriminants.
fn discriminants<'v>(variants: impl IntoIterator<Item = &'v Variant>) -> impl Iterator<Item = u64> {
    variants.into_iter().scan(0, |next: &mut u64, variant| {
        let own = record::discriminant(variant).as_ref().and_then(record::number);
        let own = own.unwrap_or(*next);
        *next = own.saturating_add(1);
        Some(own)
    })
}

/// Returns a tag as a literal, which can also be a pattern.
fn literal(tag: &Tag) -> TokenStream {
    match tag {
        Tag::Number(number) => Literal::u64_unsuffixed(*number).into_token_stream(),
        Tag::Bytes(bytes) => {
            let bytes = bytes.iter().map(|byte| Literal::u8_unsuffixed(*byte));
            quote!([#(#bytes),*])
        }
    }
}

fn tag(variant: &Variant, errors: &mut Errors) -> Option<Spanned<Tag>> {
    let before = errors.len();
    let Some(tag) = given(&variant.attrs, errors) else {
        if errors.len() == before {
            errors.report_at_tokens(&variant.ident, message::TAG_MISSING);
        }
        return None;
    };
    if let Some((_, given)) = &variant.discriminant
        && record::discriminant(variant).is_none()
    {
        errors.report_at_tokens(given, message::DISCRIMINANT_NOT_A_NUMBER);
    }
    let number = match tag.value {
        Tag::Number(number) => Some(number),
        Tag::Bytes(_) => record::discriminant(variant).as_ref().and_then(record::number),
    };
    record::check_discriminant(variant, number, errors);
    Some(tag)
}

/// Reads the `#[key(tag = 1)]` or `#[key(tag = "OP")]` of a variant.
fn given(attrs: &[Attribute], errors: &mut Errors) -> Option<Spanned<Tag>> {
    let mut all = Entries::of(attrs, "key", errors);
    let tag = all.read("tag", |entry, errors| {
        let bytes = match entry.literal() {
            Some(Lit::Str(text)) => text.value().into_bytes(),
            Some(Lit::ByteStr(bytes)) => bytes.value(),
            Some(Lit::Char(_)) => return entry.report_wrong_value(message::EXPECTED_TAG, errors),
            _ => return Entry::number_or_byte(entry, errors).map(Tag::Number),
        };
        Some(Tag::Bytes(bytes))
    });
    all.finish();
    tag
}
