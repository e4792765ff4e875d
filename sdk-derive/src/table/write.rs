//! The code that writes the fields of a struct.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::code::LibraryCode;
use super::field::{CellOptions, Role};
use super::model::{Kind, RowField, Struct};
use super::names::constant;
use super::read::Places;
use crate::kernel::here;

pub(super) fn writes(row: &Struct, code: &LibraryCode<'_>) -> Vec<TokenStream> {
    let places = Places::new(row, code);
    row.fields.iter().enumerate().map(|(at, field)| write(at, field, &places, code)).collect()
}

fn write(at: usize, field: &RowField, places: &Places<'_>, code: &LibraryCode<'_>) -> TokenStream {
    let RowField { ident, ty, kind, .. } = field;
    let span = here(ty.span());
    let private = code.private(span);
    match kind {
        Kind::Cell(column, Role::Value(cell)) => {
            let CellOptions { codec, rules, .. } = &**cell;
            let index = places.column(column.name());
            let value = code.value(ty, codec.as_ref());
            let held =
                quote_spanned!(span=> <#ty as #private::CellSlot<#value>>::as_option(&self.#ident));
            let check = (rules.range.is_some() || rules.validate.is_some()).then(|| {
                let name = constant(ident);
                quote_spanned!(span=> cells.check(#index, Self::#name, #held)?;)
            });
            let own = code.codec(codec.as_ref(), span);
            match codec {
                Some(_) => quote_spanned! {span=>
                    #check
                    cells.coded::<#value, #own>(#index, #held)?;
                },
                None => quote_spanned! {span=>
                    #check
                    cells.field::<#ty>(#index, &self.#ident);
                },
            }
        }
        Kind::Cell(column, Role::RowVersion) => {
            let index = places.column(column.name());
            let native = code.codec(None, span);
            quote_spanned! {span=>
                cells.coded::<#private::u64, #native>(#index, #private::Option::Some(&#private::next(self.#ident)))?;
            }
        }
        Kind::Cells(_, codec) => {
            let (index, codec) = (places.range(ident), code.codec(codec.as_ref(), span));
            quote_spanned!(span=> cells.dynamic::<#ty, #codec>(#index, &self.#ident)?;)
        }
        Kind::Flatten { .. } => {
            let (columns, ranges) = places.start(at);
            quote_spanned! {span=>
                <#ty as #private::CellGroup>::write_at(&self.#ident, &mut *cells, #columns, #ranges)?;
            }
        }
        Kind::Cell(_, Role::Versions { .. } | Role::Timestamp) | Kind::Named(_) => {
            TokenStream::new()
        }
    }
}
