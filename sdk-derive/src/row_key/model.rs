//! A row key as the expansion sees it: its syntax, its layout, and how each field is written.

use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Ident, Path, Visibility};
use tallrow_layout::{Fallibility, Layout, SaltOrHash, Violation};

use super::attr::RowKeyAttr;
use super::field::{self, Field};
use super::generics::Params;
use super::record::Records;
use super::{layout, message};
use crate::kernel::Errors;

/// A type with `#[derive(RowKey)]`.
pub(super) struct Key {
    pub(super) krate: Path,
    pub(super) vis: Visibility,
    pub(super) ident: Ident,
    pub(super) params: Params,
    pub(super) fields: Vec<Field>,
    pub(super) attr: RowKeyAttr,
    /// The record variants of an enum; the fields that they share are the first in `fields`.
    pub(super) records: Option<Records>,
    /// The layout that the syntax describes.
    pub(super) layout: Layout,
}

impl Key {
    /// Returns the key and its violations of the rules of the compatibility target, or `None` if
    /// the type has no usable fields. In both cases, adds the errors to `errors`.
    pub(super) fn new(
        input: &DeriveInput,
        attr: RowKeyAttr,
        krate: Path,
        errors: &mut Errors,
    ) -> Option<(Self, Vec<Violation>)> {
        let params = Params::new(&input.generics, errors)?;
        let (fields, records) = match &input.data {
            Data::Struct(data) => {
                if let Some(shared) = &attr.shared {
                    errors.report_at_span(shared.span, message::SHARED_ON_STRUCT);
                }
                if let Some(tag) = &attr.tag_type {
                    errors.report_at_span(tag.span, message::TAG_ON_STRUCT);
                }
                (field::all(&data.fields, errors), None)
            }
            Data::Enum(data) => {
                let (fields, records) = Records::new(&input.ident, data, &attr, errors)?;
                (fields, Some(records))
            }
            Data::Union(data) => {
                errors.report_at_tokens(&data.union_token, message::NOT_A_STRUCT);
                return None;
            }
        };
        let ident = input.ident.clone();
        let mut layout = layout::of(&ident, &fields, records.as_ref(), &attr, errors);
        let (plans, violations) = tallrow_layout::plan(&mut layout);
        let mut this =
            Self { krate, vis: input.vis.clone(), ident, params, fields, attr, records, layout };
        let hashed = this.layout.prefix.fields();
        let shared = this.layout.fields.len();
        for (index, (field, plan)) in this.fields.iter_mut().zip(plans).enumerate() {
            field.plan = plan;
            field.hashed = index < shared && hashed.contains(&field.name);
            field.generic = this.params.is_used_in(field.ty.to_token_stream());
            if field.is_converted() {
                field.plan.fallibility = Fallibility::Fallible;
            }
            let is_shown = field.is_converted() || !field.kind.is_unknown();
            field.encoding_assertion = (!field.generic && (!is_shown || field.attr.unit.is_some()))
                .then(|| format_ident!("__{}Field{}", this.ident, index));
        }
        Some((this, violations))
    }

    /// Returns the fields that every row of this type starts with.
    pub(super) fn leading_fields(&self) -> &[Field] {
        match &self.records {
            Some(records) => self.fields.get(..records.shared).unwrap_or_default(),
            None => &self.fields,
        }
    }

    /// Returns the fields whose types contain parameters.
    pub(super) fn generic_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.generic)
    }

    pub(super) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// Returns the index of the last field from which the key prefix is computed.
    pub(super) fn last_hashed(&self) -> Option<usize> {
        self.fields.iter().rposition(|f| f.hashed)
    }

    /// Returns the number of buckets over which rows are spread; 1 without a salt.
    pub(super) fn buckets(&self) -> usize {
        match self.layout.prefix {
            SaltOrHash::Salt { buckets, .. } | SaltOrHash::RandomSalt { buckets, .. } => {
                usize::try_from(buckets).unwrap_or(usize::MAX)
            }
            _ => 1,
        }
    }

    /// Returns whether the salt is random, so that the writer of a row chooses its bucket.
    pub(super) fn has_random_salt(&self) -> bool {
        matches!(self.layout.prefix, SaltOrHash::RandomSalt { .. })
    }

    /// Returns whether the key has no key prefix, so that it starts with its first field.
    pub(super) fn has_no_prefix(&self) -> bool {
        self.layout.prefix == SaltOrHash::None
    }

    /// Returns whether all fields of the key can be read back.
    pub(super) fn is_decodable(&self) -> bool {
        self.fields.iter().all(Field::is_decodable)
    }
}

/// The lifetime that a type has in generated code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetimes {
    /// The key's own lifetime.
    Own,
    /// `'static`, for constants and array lengths, which allow no other lifetime.
    Static,
    /// `'row`, the lifetime of the bytes that a view reads.
    Row,
}
