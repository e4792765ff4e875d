//! The constants of fields: `Book::TITLE` for `title`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::code::LibraryCode;
use super::field::{CellOptions, CellPart, ValueChecks};
use super::model::{FieldKind, RowField, Struct};
use super::names::{constant_name, group_list};
use crate::kernel::with_derive_hygiene;

pub(super) fn constants(row: &Struct, code: &LibraryCode<'_>) -> Vec<TokenStream> {
    row.fields.iter().filter_map(|field| of_field(field, row, code)).collect()
}

fn of_field(field: &RowField, row: &Struct, code: &LibraryCode<'_>) -> Option<TokenStream> {
    let RowField { ident, vis, ty, kind } = field;
    let owner = &row.ident;
    let name = constant_name(ident);
    let private = code.private(ty.span());
    let plain = ident.unraw();
    let (doc, constant, value) = match kind {
        FieldKind::Cell(column, CellPart::Value(cell)) => {
            let CellOptions { codec, rules, default, .. } = &**cell;
            let (family, qualifier, shown) =
                (&column.family, column.qualifier(), column.display_name());
            let value = code.value_type(ty, codec.as_ref());
            let own = code.codec_type(codec.as_ref(), ty.span());
            let column = match codec {
                Some(_) => quote_spanned! {with_derive_hygiene(ty.span())=>
                    #private::column_with_codec::<#owner, #ty, #value, #own>(#family, #qualifier)
                },
                None => quote_spanned! {with_derive_hygiene(ty.span())=>
                    #private::column::<#owner, #ty>(#family, #qualifier)
                },
            };
            let column = match default {
                Some(_) => quote!(#private::optional(#column)),
                None => column,
            };
            let column = constrained(column, rules, &value, &private);
            let doc = format!("The column of `{plain}`: `{shown}`.");
            (
                doc,
                quote_spanned!(with_derive_hygiene(ty.span())=> #private::Column<#owner, #value, #own>),
                column,
            )
        }
        FieldKind::Cell(column, CellPart::RowVersion) => {
            let (family, qualifier, shown) =
                (&column.family, column.qualifier(), column.display_name());
            let doc = format!("The column of the version, `{plain}`: `{shown}`.");
            let native = code.codec_type(None, ty.span());
            (
                doc,
                quote!(#private::Column<#owner, #private::u64, #native>),
                quote!(#private::optional(#private::column::<#owner, #private::u64>(#family, #qualifier))),
            )
        }
        FieldKind::Cells(range, codec) => {
            let (family, prefix) = (&range.family, range.qualifier());
            let own = code.codec_type(codec.as_ref(), ty.span());
            let doc = format!("The columns of `{plain}`: `{}*`.", range.display_name());
            (
                doc,
                quote_spanned! {with_derive_hygiene(ty.span())=>
                    #private::DynamicColumns<
                        #owner,
                        <#ty as #private::CellMap>::Qualifier,
                        <#ty as #private::CellMap>::Value,
                        #own
                    >
                },
                quote_spanned!(with_derive_hygiene(ty.span())=> #private::dynamic_columns::<#owner, #ty, #own>(#family, #prefix)),
            )
        }
        FieldKind::Flatten { family, prefix } => {
            let columns = group_list(&private, ty, family, prefix, quote!(COLUMNS));
            let doc = format!("Where the cells of `{plain}` are.");
            (
                doc,
                quote_spanned!(with_derive_hygiene(ty.span())=> #private::GroupColumns<#owner, #ty>),
                quote_spanned!(with_derive_hygiene(ty.span())=> #private::group_columns::<#owner, #ty>(#columns)),
            )
        }
        FieldKind::Cell(_, CellPart::Versions { .. } | CellPart::Timestamp)
        | FieldKind::Projected(_) => return None,
    };
    Some(quote_spanned! {with_derive_hygiene(ty.span())=>
        #[doc = #doc]
        #[allow(dead_code, clippy::type_complexity)]
        #vis const #name: #constant = #value;
    })
}

/// Returns a column together with the constraints on its values.
fn constrained(
    column: TokenStream,
    rules: &ValueChecks,
    value: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let range = rules.range.as_ref().map(|range| {
        quote_spanned!(with_derive_hygiene(range.span())=> #private::in_range::<#value>(value, &(#range))?;)
    });
    let check = rules
        .validate
        .as_ref()
        .map(|check| quote_spanned!(with_derive_hygiene(check.span())=> #private::constraint_result(#check(&*value))?;));
    if range.is_none() && check.is_none() {
        return column;
    }
    quote! {
        #private::with_constraint(#column, |value: &#value| {
            #range
            #check
            #private::Result::Ok(())
        })
    }
}
