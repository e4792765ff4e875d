//! What a derive can tell about the type of a field from its tokens.

use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, Type};

/// A type as far as its tokens show. An alias or a type of the user's is [`Shape::Other`]; what the derive
/// cannot see here, the traits of the library check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `String`, `&str`, `Cow<str>`.
    Text(Owner),
    /// `Vec<u8>`, `&[u8]`, `Cow<[u8]>`.
    Bytes(Owner),
    /// An integer that is not `usize` or `isize`.
    Int(Int),
    /// `f32`, `f64`.
    Float(usize),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `[u8; N]`, with the length when it is a literal.
    Array(Option<usize>),
    /// `Option<T>`.
    Maybe(Box<Shape>),
    /// `Vec<T>` of anything but bytes.
    List(Box<Shape>),
    /// Anything else.
    Other,
}

/// Who owns the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The field.
    Field,
    /// Someone else: `&str`.
    Borrowed,
    /// Either: `Cow<str>`.
    Either,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    pub(super) bytes: usize,
    pub(super) signed: bool,
}

impl Shape {
    pub(super) fn of(ty: &Type) -> Self {
        match ty {
            Type::Reference(reference) => match Self::unsized_of(&reference.elem) {
                Some(shape) => shape(Owner::Borrowed),
                None => Self::Other,
            },
            Type::Array(array) if is(&array.elem, "u8") => Self::Array(length(&array.len)),
            Type::Path(path) if path.qself.is_none() => Self::of_path(path),
            Type::Group(group) => Self::of(&group.elem),
            Type::Paren(paren) => Self::of(&paren.elem),
            _ => Self::Other,
        }
    }

    fn unsized_of(ty: &Type) -> Option<fn(Owner) -> Self> {
        match ty {
            Type::Slice(slice) if is(&slice.elem, "u8") => Some(Self::Bytes),
            ty if is(ty, "str") => Some(Self::Text),
            _ => None,
        }
    }

    fn of_path(path: &syn::TypePath) -> Self {
        let Some(last) = path.path.segments.last() else { return Self::Other };
        let argument = match &last.arguments {
            PathArguments::AngleBracketed(list) => list.args.iter().find_map(|a| match a {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }),
            _ => None,
        };
        let name = last.ident.to_string();
        match (name.as_str(), argument) {
            ("String", None) => Self::Text(Owner::Field),
            ("Vec", Some(item)) if is(item, "u8") => Self::Bytes(Owner::Field),
            ("Vec", Some(item)) => Self::List(Box::new(Self::of(item))),
            ("Cow", Some(lent)) => match Self::unsized_of(lent) {
                Some(shape) => shape(Owner::Either),
                None => Self::Other,
            },
            ("Option", Some(some)) => Self::Maybe(Box::new(Self::of(some))),
            ("NonZero", Some(int)) => match Self::of(int) {
                Self::Int(int) => Self::Int(Int { signed: false, ..int }),
                _ => Self::Other,
            },
            ("bool", None) => Self::Bool,
            ("char", None) => Self::Char,
            ("f32", None) => Self::Float(4),
            ("f64", None) => Self::Float(8),
            (name, None) => {
                int(name.strip_prefix("NonZero").map_or(name.to_owned(), str::to_lowercase))
            }
            _ => Self::Other,
        }
    }

    /// Returns the width of the native encoding, if the tokens show it.
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Self::Int(int) => Some(int.bytes),
            Self::Float(bytes) => Some(*bytes),
            Self::Bool => Some(1),
            Self::Char => Some(4),
            Self::Array(len) => *len,
            _ => None,
        }
    }

    /// Returns whether the type is one of the standard library's.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Self::Maybe(some) | Self::List(some) => some.is_known(),
            other => *other != Self::Other,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    pub(super) fn is_text_or_bytes(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Bytes(_))
    }

    /// Returns whether the native encoding runs to the end of the row key.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Text(_) | Self::Bytes(_) => true,
            Self::Maybe(some) => some.is_open(),
            _ => false,
        }
    }

    pub(super) fn is_borrowed(&self) -> bool {
        match self {
            Self::Text(owner) | Self::Bytes(owner) => *owner == Owner::Borrowed,
            Self::Maybe(some) | Self::List(some) => some.is_borrowed(),
            _ => false,
        }
    }
}

fn int(name: String) -> Shape {
    let signed = name.starts_with('i');
    let bytes = match name.get(1..) {
        Some("8") => 1,
        Some("16") => 2,
        Some("32") => 4,
        Some("64") => 8,
        Some("128") => 16,
        _ => return Shape::Other,
    };
    match name.chars().next() {
        Some('i' | 'u') => Shape::Int(Int { bytes, signed }),
        _ => Shape::Other,
    }
}

/// Returns whether `ty` is the path `name` or ends in it.
fn is(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|s| s.ident == name && s.arguments.is_none())
        }
        Type::Group(group) => is(&group.elem, name),
        _ => false,
    }
}

fn length(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}
