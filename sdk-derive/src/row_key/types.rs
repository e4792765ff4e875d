//! The facts about the type of a field that the syntax shows.

use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, PathSegment};
use tallrow_layout::{Guess, Int, Limit, Type};

/// Whether a field owns the text or bytes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership {
    /// The field owns its text or bytes, or it contains neither.
    Owned,
    /// The row or the caller owns the text or bytes, and the field borrows them, as in a `&str`.
    Borrowed,
}

/// Returns the type that a schema has for a type in the source, and whether that type owns the text
/// or bytes in it.
///
/// An alias or a type of the user's own is unknown; the traits of the library check what cannot be
/// seen here.
pub(super) fn of(ty: &syn::Type) -> (Type, Ownership) {
    match ty {
        syn::Type::Reference(reference) => match unsized_of(&reference.elem) {
            Some(ty) => (ty, Ownership::Borrowed),
            None => unknown(Guess::Nothing),
        },
        syn::Type::Array(array) if is(&array.elem, "u8") => match length(&array.len) {
            Some(len) => (Type::Array(len), Ownership::Owned),
            None => unknown(Guess::Array),
        },
        syn::Type::Path(path) if path.qself.is_none() => match path.path.segments.last() {
            Some(last) => of_segment(last),
            None => unknown(Guess::Nothing),
        },
        syn::Type::Group(group) => of(&group.elem),
        syn::Type::Paren(paren) => of(&paren.elem),
        _ => unknown(Guess::Nothing),
    }
}

fn unknown(guess: Guess) -> (Type, Ownership) {
    (Type::Unknown(guess), Ownership::Owned)
}

fn unsized_of(ty: &syn::Type) -> Option<Type> {
    match ty {
        syn::Type::Slice(slice) if is(&slice.elem, "u8") => Some(Type::Bytes),
        ty if is(ty, "str") => Some(Type::Text),
        _ => None,
    }
}

fn of_segment(segment: &PathSegment) -> (Type, Ownership) {
    let argument = match &segment.arguments {
        PathArguments::AngleBracketed(list) => list.args.iter().find_map(|a| match a {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    };
    let name = segment.ident.to_string();
    let owned = |ty| (ty, Ownership::Owned);
    match (name.as_str(), argument) {
        ("String", None) => owned(Type::Text),
        ("Vec", Some(item)) if is(item, "u8") => owned(Type::Bytes),
        ("Vec", Some(item)) => {
            let (item, ownership) = of(item);
            (Type::List(Box::new(item)), ownership)
        }
        ("Cow", Some(borrowed)) => {
            unsized_of(borrowed).map_or_else(|| unknown(Guess::Nothing), owned)
        }
        ("Option", Some(some)) => {
            let (some, ownership) = of(some);
            (Type::Optional(Box::new(some)), ownership)
        }
        ("NonZero", Some(int)) => match of(int).0 {
            Type::Int(int) => owned(Type::Int(Int { limit: Limit::NonZero, ..int })),
            _ => unknown(Guess::Nothing),
        },
        ("NonNeg", Some(_)) => unknown(Guess::NonNeg),
        ("bool", None) => owned(Type::Bool),
        ("char", None) => owned(Type::Char),
        ("f32", None) => owned(Type::Float(4)),
        ("f64", None) => owned(Type::Float(8)),
        ("Decimal", None) => unknown(Guess::Decimal),
        ("Number", None) => unknown(Guess::Number),
        (name, None) => match name.strip_prefix("NonZero").map(str::to_lowercase) {
            Some(int) => integer(&int, Limit::NonZero),
            None => integer(name, Limit::Any),
        },
        _ => unknown(Guess::Nothing),
    }
}

fn integer(name: &str, limit: Limit) -> (Type, Ownership) {
    let bytes = match name.get(1..) {
        Some("8") => 1,
        Some("16") => 2,
        Some("32") => 4,
        Some("64") => 8,
        Some("128") => 16,
        _ => return unknown(Guess::Nothing),
    };
    match name.chars().next() {
        Some(sign @ ('i' | 'u')) => {
            (Type::Int(Int { bytes, signed: sign == 'i', limit }), Ownership::Owned)
        }
        _ => unknown(Guess::Nothing),
    }
}

/// Returns whether `ty` is a path that ends with `name`.
fn is(ty: &syn::Type, name: &str) -> bool {
    match ty {
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|s| s.ident == name && s.arguments.is_none())
        }
        syn::Type::Group(group) => is(&group.elem, name),
        _ => false,
    }
}

fn length(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}
