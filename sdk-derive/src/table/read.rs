//! The code that reads the fields of a struct.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use super::code::LibraryCode;
use super::field::{CellOptions, CellPart};
use super::model::{FieldKind, RowField, Struct, TableSource};
use super::names::source_constant;
use crate::kernel::with_derive_hygiene;

/// The statements that read all fields except the keys, and the initializers of the fields.
pub(super) struct Reads {
    pub(super) statements: Vec<TokenStream>,
    pub(super) fields: Vec<TokenStream>,
}

pub(super) fn read_code(row: &Struct, code: &LibraryCode<'_>) -> Reads {
    let mut order: Vec<(usize, &RowField)> = row.fields.iter().enumerate().collect();
    // Fields are sorted in the order of their cells, so that one pass finds all cells; fields
    // without a column of their own are last.
    order.sort_by_key(|(_, field)| match &field.kind {
        FieldKind::Cell(column, _) => (0, column.family_and_qualifier()),
        _ => (1, ("", &b""[..])),
    });
    let variable = |at: usize| format_ident!("field_{}", at);
    let places = CellIndexes::new(row, code);
    let statements = order.iter().map(|(at, field)| {
        let (local, value) = (variable(*at), places.read(*at, field));
        quote!(let #local = #value?;)
    });
    let fields = row.fields.iter().enumerate().map(|(at, field)| {
        let (ident, local) = (&field.ident, variable(at));
        quote!(#ident: #local)
    });
    Reads { statements: statements.collect(), fields: fields.collect() }
}

/// The indexes of the cells of each field in the lists of columns and ranges.
pub(super) struct CellIndexes<'a> {
    row: &'a Struct,
    code: &'a LibraryCode<'a>,
}

impl<'a> CellIndexes<'a> {
    pub(super) fn new(row: &'a Struct, code: &'a LibraryCode<'a>) -> Self {
        Self { row, code }
    }

    /// Returns the index of a column of the type's own fields.
    pub(super) fn column_index(&self, name: (&str, &[u8])) -> usize {
        self.row
            .own_columns()
            .iter()
            .position(|c| c.family_and_qualifier() == name)
            .unwrap_or_default()
    }

    /// Returns the index of the range of a field.
    pub(super) fn range_index(&self, ident: &Ident) -> usize {
        let ranges = self.row.fields.iter().filter(|f| matches!(f.kind, FieldKind::Cells(..)));
        ranges.take_while(|f| f.ident != *ident).count()
    }

    /// Returns the indexes at which the columns and the ranges of the field at position `at` start;
    /// the field is a group or a projected cell.
    pub(super) fn start_indexes(&self, at: usize) -> (TokenStream, TokenStream) {
        let own = self.row.own_columns().len();
        let own_ranges =
            self.row.fields.iter().filter(|f| matches!(f.kind, FieldKind::Cells(..))).count();
        let (mut columns, mut ranges) = (quote!(#own), quote!(#own_ranges));
        for field in self.row.fields.iter().take(at) {
            match &field.kind {
                FieldKind::Flatten { .. } => {
                    let ty = &field.ty;
                    let private = self.code.private(ty.span());
                    let group = quote!(<#ty as #private::CellGroup>);
                    columns = quote!(#columns + #group::COLUMNS.len());
                    ranges = quote!(#ranges + #group::RANGES.len());
                }
                FieldKind::Projected(_) => columns = quote!(#columns + 1),
                FieldKind::Cell(..) | FieldKind::Cells(..) => {}
            }
        }
        (columns, ranges)
    }

    fn read(&self, at: usize, field: &RowField) -> TokenStream {
        let (ty, code) = (&field.ty, self.code);
        let span = with_derive_hygiene(ty.span());
        let private = code.private(span);
        match &field.kind {
            FieldKind::Cell(column, role) => {
                let index = self.column_index(column.family_and_qualifier());
                self.read_cell(index, role, ty)
            }
            FieldKind::Cells(_, codec) => {
                let (index, codec) =
                    (self.range_index(&field.ident), code.codec_type(codec.as_ref(), span));
                quote_spanned!(span=> cells.dynamic::<#ty, #codec>(#index))
            }
            FieldKind::Flatten { .. } => {
                let (columns, ranges) = self.start_indexes(at);
                quote_spanned! {span=>
                    <#ty as #private::CellGroup>::read_at(&cells, #columns, #ranges)
                }
            }
            FieldKind::Projected(name) => {
                let TableSource::Projection(of) = &self.row.home else { return TokenStream::new() };
                let (column, (index, _)) = (source_constant(of, name), self.start_indexes(at));
                quote_spanned! {span=>
                    #private::ProjectedColumn(#column).read::<#ty>(&mut cells, #index)
                }
            }
        }
    }

    fn read_cell(&self, index: usize, role: &CellPart, ty: &Type) -> TokenStream {
        let (code, span) = (self.code, with_derive_hygiene(ty.span()));
        match role {
            CellPart::Value(cell) => {
                let CellOptions { codec, default, .. } = &**cell;
                let value = code.value_type(ty, codec.as_ref());
                let own = code.codec_type(codec.as_ref(), span);
                match (default, codec) {
                    (Some(default), _) => {
                        let private = code.private(span);
                        let default = match default {
                            Some(expr) => quote!(#expr),
                            None => quote!(<#ty as #private::Default>::default()),
                        };
                        quote_spanned! {span=>
                            cells.field_with_default::<#ty, #value, #own>(#index, || #default)
                        }
                    }
                    (None, Some(_)) => {
                        quote_spanned!(span=> cells.field_with_codec::<#ty, #value, #own>(#index))
                    }
                    (None, None) => quote_spanned!(span=> cells.field::<#ty>(#index)),
                }
            }
            CellPart::Versions { codec, .. } => {
                let codec = code.codec_type(codec.as_ref(), span);
                quote_spanned!(span=> cells.versions::<#ty, #codec>(#index))
            }
            CellPart::Timestamp => quote_spanned!(span=> cells.timestamp::<#ty>(#index)),
            CellPart::RowVersion => {
                let (private, native) = (code.private(span), code.codec_type(None, span));
                quote_spanned!(span=> cells.field_with_default::<#private::u64, #private::u64, #native>(#index, || 0))
            }
        }
    }
}
