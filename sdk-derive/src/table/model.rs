//! What a row type says, once its attributes are read.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type};

use super::attr::{FamilyAttr, FieldAttr, TypeAttr};
use super::message;
use crate::errors::Errors;

pub(super) struct Table {
    pub(super) ident: Ident,
    pub(super) name: LitStr,
    pub(super) families: Vec<FamilyAttr>,
    pub(super) key: Key,
    pub(super) cells: Vec<Cell>,
    /// How many fields there are, the key among them.
    pub(super) fields: usize,
}

pub(super) struct Key {
    pub(super) field: Ident,
    pub(super) ty: Type,
}

pub(super) struct Cell {
    pub(super) field: Ident,
    pub(super) vis: syn::Visibility,
    pub(super) ty: Type,
    pub(super) family: String,
    pub(super) qualifier: String,
    pub(super) span: Span,
}

impl Table {
    pub(super) fn new(input: &DeriveInput, attr: TypeAttr, errors: &mut Errors) -> Option<Self> {
        let Data::Struct(data) = &input.data else {
            errors.on(&input.ident, message::NOT_A_STRUCT);
            return None;
        };
        let Fields::Named(fields) = &data.fields else {
            errors.on(&input.ident, message::NO_NAMES);
            return None;
        };
        if !input.generics.params.is_empty() {
            errors.on(&input.generics, message::GENERIC);
        }
        if attr.name.is_none() {
            errors.on(&input.ident, message::NO_NAME);
        }
        let mut keys = Vec::new();
        let mut cells = Vec::new();
        for field in &fields.named {
            let Some(ident) = field.ident.clone() else { continue };
            let ty = field.ty.clone();
            match FieldAttr::parse(field, errors) {
                Some(FieldAttr::Key) => keys.push(Key { field: ident, ty }),
                Some(FieldAttr::Cell { family, qualifier, span }) => {
                    let vis = field.vis.clone();
                    cells.push(Cell { field: ident, vis, ty, family, qualifier, span });
                }
                None => {}
            }
        }
        for second in keys.iter().skip(1) {
            errors.on(&second.field, message::SECOND_KEY);
        }
        if keys.is_empty() && errors.is_empty() {
            errors.on(&input.ident, message::NO_KEY);
        }
        let key = keys.into_iter().next()?;
        let name = attr.name?;
        let fields = fields.named.len();
        Some(Self { ident: input.ident.clone(), name, families: attr.families, key, cells, fields })
    }
}
