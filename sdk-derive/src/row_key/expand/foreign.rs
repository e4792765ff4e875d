//! Checks of fields whose type has the name of a type of another crate, so that an error contains
//! the feature or the attribute that the field needs. A different type with the same name passes
//! the checks if it can be a field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

use crate::kernel::respan;
use crate::row_key::field::Field;

/// Returns the checks for `field`, whose type is `ty`, in the order in which they are made.
pub(super) fn checks(
    field: &Field,
    ty: &TokenStream,
    encoding: &TokenStream,
    private: &TokenStream,
) -> Vec<TokenStream> {
    let Some(segment) = innermost(&field.ty) else { return Vec::new() };
    let check = match segment.ident.to_string().as_str() {
        "Uuid" => quote!(UuidField),
        "DateTime" | "NaiveDate" | "NaiveDateTime" => quote!(ChronoField),
        "Timestamp" | "Zoned" => quote!(JiffField),
        "OffsetDateTime" | "UtcDateTime" | "PrimitiveDateTime" => quote!(TimeField),
        "Date" => quote!(DateField),
        "SystemTime" => quote!(SystemTimeField),
        _ => return Vec::new(),
    };
    let is_field = respan(quote!(<#ty as #private::#check>::IS), field.span());
    if segment.ident == "Uuid" || field.attr.rev_ts.is_some() {
        return vec![is_field];
    }
    let checked = quote!(#private::AssertedFieldType<#private::Conditional<{ #is_field }>, #ty>);
    let is_written =
        quote!(<#encoding as #private::EncodesTime<<#checked as #private::Field>::Arg>>::IS);
    vec![respan(quote!(#is_field && #is_written), field.span())]
}

/// Returns the last part of the path of a type, or of the type in an `Option` or a `Vec`.
fn innermost(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(list) if last.ident == "Option" || last.ident == "Vec" => {
            list.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    };
    inner.map_or(Some(last), innermost)
}
