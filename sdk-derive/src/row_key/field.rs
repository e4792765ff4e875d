//! A field of a key: its syntax and how it is written.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Fields, Ident, Visibility};
use tallrow_layout::{Guess, Int, Limit, Plan, Type};

use super::attr::KeyAttr;
use super::message;
use super::types::{self, Ownership};
use crate::kernel::Errors;

/// The type as which a point in time is written.
const I64: Type = Type::Int(Int { bytes: 8, signed: true, limit: Limit::Any });

/// One field of a key.
pub(super) struct Field {
    /// The name of the field in the struct: an identifier or a number.
    pub(super) member: syn::Member,
    /// The name of the field in methods and variables.
    pub(super) ident: Ident,
    /// The name of the field in errors.
    pub(super) name: String,
    pub(super) vis: Visibility,
    pub(super) ty: syn::Type,
    /// The type of the written value in a schema, as far as the syntax shows it.
    pub(super) kind: Type,
    pub(super) ownership: Ownership,
    pub(super) attr: KeyAttr,
    /// Whether the row key ends with this field.
    pub(super) last: bool,
    /// Whether the key prefix is computed from this field.
    pub(super) hashed: bool,
    /// Whether the type of the field contains a parameter of the key.
    pub(super) generic: bool,
    /// The name of the generated type that asserts that the field's type has the encoding; `None`
    /// if no assertion is needed.
    pub(super) encoding_assertion: Option<Ident>,
    /// How the field is written.
    pub(super) plan: Plan,
}

/// Returns the fields of a struct or variant.
pub(super) fn all(fields: &Fields, errors: &mut Errors) -> Vec<Field> {
    let count = fields.len();
    let field = |(index, field): (usize, &syn::Field)| {
        let ident = match &field.ident {
            Some(ident) => ident.clone(),
            None => format_ident!("field_{}", index, span = field.ty.span()),
        };
        let name = match &field.ident {
            Some(ident) => ident.unraw().to_string(),
            None => index.to_string(),
        };
        let member = match &field.ident {
            Some(ident) => ident.clone().into(),
            None => index.into(),
        };
        let attr = KeyAttr::parse(&field.attrs, errors);
        let (kind, ownership) = match (&attr.unit, &attr.via) {
            (Some(unit), Some(_)) => {
                errors.report_at_span(unit.span, message::UNIT_AND_VIA);
                (I64, Ownership::Owned)
            }
            (Some(_), None) => (I64, Ownership::Owned),
            (None, Some(via)) => types::of(&via.value),
            (None, None) => types::of(&field.ty),
        };
        Field {
            member,
            ident,
            name,
            vis: field.vis.clone(),
            ty: field.ty.clone(),
            kind,
            ownership,
            attr,
            last: index + 1 == count,
            hashed: false,
            generic: false,
            encoding_assertion: None,
            plan: Plan::default(),
        }
    };
    fields.iter().enumerate().map(field).collect()
}

impl Field {
    pub(super) fn span(&self) -> Span {
        self.ty.span()
    }

    /// Returns whether the value of the field is converted to another type before it is written.
    pub(super) fn is_converted(&self) -> bool {
        self.attr.unit.is_some() || self.attr.via.is_some()
    }

    /// Returns the number of bytes of the field, if the syntax shows it.
    pub(super) fn width(&self) -> Option<usize> {
        self.plan.width
    }

    /// Returns whether the syntax shows that the number of bytes of the field differs between rows.
    pub(super) fn has_variable_width(&self) -> bool {
        self.width().is_none() && !matches!(self.kind, Type::Unknown(_))
    }

    /// Returns whether the syntax shows nothing about the width of the type, which may be fixed or
    /// not.
    pub(super) fn has_unknown_width(&self) -> bool {
        self.width().is_none() && matches!(self.kind, Type::Unknown(guess) if guess != Guess::Array)
    }

    /// Returns whether the field can be read back.
    pub(super) fn is_decodable(&self) -> bool {
        self.attr.md5.is_none()
            && !(self.ownership == Ownership::Borrowed && self.plan.is_text_transformed)
    }
}
