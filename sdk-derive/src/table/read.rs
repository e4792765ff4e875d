//! The code that reads the fields of a struct.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use super::code::LibraryCode;
use super::field::{CellOptions, Role};
use super::model::{Home, Kind, RowField, Struct};
use super::names::projected;
use crate::kernel::here;

/// The statements that read all fields except the keys, and the initializers of the fields.
pub(super) struct Reads {
    pub(super) statements: Vec<TokenStream>,
    pub(super) fields: Vec<TokenStream>,
}

pub(super) fn reads(row: &Struct, code: &LibraryCode<'_>) -> Reads {
    let mut order: Vec<(usize, &RowField)> = row.fields.iter().enumerate().collect();
    // Fields are sorted in the order of their cells, so that one pass finds all cells; fields
    // without a column of their own are last.
    order.sort_by_key(|(_, field)| match &field.kind {
        Kind::Cell(column, _) => (0, column.name()),
        _ => (1, ("", &b""[..])),
    });
    let variable = |at: usize| format_ident!("field_{}", at);
    let places = Places::new(row, code);
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
pub(super) struct Places<'a> {
    row: &'a Struct,
    code: &'a LibraryCode<'a>,
}

impl<'a> Places<'a> {
    pub(super) fn new(row: &'a Struct, code: &'a LibraryCode<'a>) -> Self {
        Self { row, code }
    }

    /// Returns the index of a column of the type's own fields.
    pub(super) fn column(&self, name: (&str, &[u8])) -> usize {
        self.row.own_columns().iter().position(|c| c.name() == name).unwrap_or_default()
    }

    /// Returns the index of the range of a field.
    pub(super) fn range(&self, ident: &Ident) -> usize {
        let ranges = self.row.fields.iter().filter(|f| matches!(f.kind, Kind::Cells(..)));
        ranges.take_while(|f| f.ident != *ident).count()
    }

    /// Returns the indexes at which the columns and the ranges of the field at position `at` start;
    /// the field is a group or a projected cell.
    pub(super) fn start(&self, at: usize) -> (TokenStream, TokenStream) {
        let own = self.row.own_columns().len();
        let own_ranges =
            self.row.fields.iter().filter(|f| matches!(f.kind, Kind::Cells(..))).count();
        let (mut columns, mut ranges) = (quote!(#own), quote!(#own_ranges));
        for field in self.row.fields.iter().take(at) {
            match &field.kind {
                Kind::Flatten { .. } => {
                    let ty = &field.ty;
                    let private = self.code.private(ty.span());
                    let group = quote!(<#ty as #private::CellGroup>);
                    columns = quote!(#columns + #group::COLUMNS.len());
                    ranges = quote!(#ranges + #group::RANGES.len());
                }
                Kind::Named(_) => columns = quote!(#columns + 1),
                Kind::Cell(..) | Kind::Cells(..) => {}
            }
        }
        (columns, ranges)
    }

    fn read(&self, at: usize, field: &RowField) -> TokenStream {
        let (ty, code) = (&field.ty, self.code);
        let span = here(ty.span());
        let private = code.private(span);
        match &field.kind {
            Kind::Cell(column, role) => {
                let index = self.column(column.name());
                self.read_cell(index, role, ty)
            }
            Kind::Cells(_, codec) => {
                let (index, codec) = (self.range(&field.ident), code.codec(codec.as_ref(), span));
                quote_spanned!(span=> cells.dynamic::<#ty, #codec>(#index))
            }
            Kind::Flatten { .. } => {
                let (columns, ranges) = self.start(at);
                quote_spanned! {span=>
                    <#ty as #private::CellGroup>::read_at(&cells, #columns, #ranges)
                }
            }
            Kind::Named(name) => {
                let Home::Projection(of) = &self.row.home else { return TokenStream::new() };
                let (column, (index, _)) = (projected(of, name), self.start(at));
                quote_spanned! {span=>
                    #private::Projected(#column).read::<#ty>(&mut cells, #index)
                }
            }
        }
    }

    fn read_cell(&self, index: usize, role: &Role, ty: &Type) -> TokenStream {
        let (code, span) = (self.code, here(ty.span()));
        match role {
            Role::Value(cell) => {
                let CellOptions { codec, default, .. } = &**cell;
                let value = code.value(ty, codec.as_ref());
                let own = code.codec(codec.as_ref(), span);
                match (default, codec) {
                    (Some(default), _) => {
                        let private = code.private(span);
                        let default = match default {
                            Some(expr) => quote!(#expr),
                            None => quote!(<#ty as #private::Default>::default()),
                        };
                        quote_spanned! {span=>
                            cells.coded_or::<#ty, #value, #own>(#index, || #default)
                        }
                    }
                    (None, Some(_)) => {
                        quote_spanned!(span=> cells.coded::<#ty, #value, #own>(#index))
                    }
                    (None, None) => quote_spanned!(span=> cells.field::<#ty>(#index)),
                }
            }
            Role::Versions { codec, .. } => {
                let codec = code.codec(codec.as_ref(), span);
                quote_spanned!(span=> cells.history::<#ty, #codec>(#index))
            }
            Role::Timestamp => quote_spanned!(span=> cells.timestamp::<#ty>(#index)),
            Role::RowVersion => {
                let (private, native) = (code.private(span), code.codec(None, span));
                quote_spanned!(span=> cells.coded_or::<#private::u64, #private::u64, #native>(#index, || 0))
            }
        }
    }
}
