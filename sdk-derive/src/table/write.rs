//! The code that writes the fields of a struct.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::code::LibraryCode;
use super::field::{CellOptions, CellPart};
use super::model::{FieldKind, RowField, Struct};
use super::names::constant_name;
use super::read::CellIndexes;
use crate::kernel::with_derive_hygiene;

pub(super) fn writes(row: &Struct, code: &LibraryCode<'_>) -> Vec<TokenStream> {
    let places = CellIndexes::new(row, code);
    row.fields.iter().enumerate().map(|(at, field)| write(at, field, &places, code)).collect()
}

fn write(
    at: usize,
    field: &RowField,
    places: &CellIndexes<'_>,
    code: &LibraryCode<'_>,
) -> TokenStream {
    let RowField { ident, ty, kind, .. } = field;
    let span = with_derive_hygiene(ty.span());
    let private = code.private(span);
    match kind {
        FieldKind::Cell(column, CellPart::Value(cell)) => {
            let CellOptions { codec, rules, .. } = &**cell;
            let index = places.column_index(column.family_and_qualifier());
            let value = code.value_type(ty, codec.as_ref());
            let held = quote_spanned!(span=> <#ty as #private::ValueOrOption<#value>>::as_option(&self.#ident));
            let check = (rules.range.is_some() || rules.validate.is_some()).then(|| {
                let name = constant_name(ident);
                quote_spanned!(span=> cells.check_constraint(#index, Self::#name, #held)?;)
            });
            let own = code.codec_type(codec.as_ref(), span);
            match codec {
                Some(_) => quote_spanned! {span=>
                    #check
                    cells.field_with_codec::<#value, #own>(#index, #held)?;
                },
                None => quote_spanned! {span=>
                    #check
                    cells.field::<#ty>(#index, &self.#ident);
                },
            }
        }
        FieldKind::Cell(column, CellPart::RowVersion) => {
            let index = places.column_index(column.family_and_qualifier());
            let native = code.codec_type(None, span);
            quote_spanned! {span=>
                cells.field_with_codec::<#private::u64, #native>(#index, #private::Option::Some(&#private::next_version(self.#ident)))?;
            }
        }
        FieldKind::Cells(_, codec) => {
            let (index, codec) = (places.range_index(ident), code.codec_type(codec.as_ref(), span));
            quote_spanned!(span=> cells.dynamic::<#ty, #codec>(#index, &self.#ident)?;)
        }
        FieldKind::Flatten { .. } => {
            let (columns, ranges) = places.start_indexes(at);
            quote_spanned! {span=>
                <#ty as #private::CellGroup>::write_at(&self.#ident, &mut *cells, #columns, #ranges)?;
            }
        }
        FieldKind::Cell(_, CellPart::Versions { .. } | CellPart::Timestamp)
        | FieldKind::Projected(_) => TokenStream::new(),
    }
}
