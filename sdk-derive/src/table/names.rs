//! The constants of a row type: its columns, its ranges, and the number of versions that it reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path, Type};

use super::code::LibraryCode;
use super::family::Family;
use super::field::CellPart;
use super::model::{FieldKind, Struct, TableSource};
use crate::kernel::{respan, with_derive_hygiene};

/// The code for the lists of columns and ranges, and for the number of versions.
pub(super) struct ColumnLists {
    pub(super) columns: TokenStream,
    pub(super) ranges: TokenStream,
    pub(super) versions: TokenStream,
    /// Assertions that the compiler evaluates.
    pub(super) checks: Vec<TokenStream>,
}

pub(super) fn column_lists(row: &Struct, code: &LibraryCode<'_>) -> ColumnLists {
    let private = code.private(proc_macro2::Span::call_site());
    let own = row.own_columns();
    let own = own.iter().map(|column| column.tokens());
    let mut columns = vec![quote!(&[#(#own),*])];
    let mut own_ranges = Vec::new();
    let mut group_ranges = Vec::new();
    let mut versions = quote!(1);
    let mut checks = Vec::new();
    let families: Vec<String> = row.families.iter().map(|f| f.name.value()).collect();
    for field in &row.fields {
        let ty = &field.ty;
        let private = code.private(ty.span());
        match &field.kind {
            FieldKind::Cell(column, role) => {
                if let CellPart::Versions { most, .. } = role {
                    let most = most.as_ref().map_or(quote!(2_147_483_647), |most| quote!(#most));
                    versions = quote!(#private::larger_version_count(#versions, #most));
                }
                if let TableSource::Projection(of) = &row.home {
                    checks.push(of_table(&private, of, column, quote!(COLUMNS)));
                }
                let family = row.families.iter().find(|f| f.name.value() == column.family);
                let aggregate = match family.and_then(Family::aggregate) {
                    None => continue,
                    Some("SUM") => quote!(OfSum),
                    Some("HLL") => quote!(OfSketch),
                    Some(_) => quote!(OfExtremum),
                };
                checks.push(quote_spanned! {with_derive_hygiene(ty.span())=>
                    #private::assert_field_of_aggregate::<#ty, #private::#aggregate>();
                });
            }
            FieldKind::Cells(range, _) => {
                own_ranges.push(range.tokens());
                if let TableSource::Projection(of) = &row.home {
                    checks.push(of_table(&private, of, range, quote!(RANGES)));
                }
            }
            FieldKind::Projected(name) => {
                if let TableSource::Projection(of) = &row.home {
                    let column = source_constant(of, name);
                    columns.push(quote!(&[#private::name(#column)]));
                }
            }
            FieldKind::Flatten { family, prefix } => {
                let group_columns = group_list(&private, ty, family, prefix, quote!(COLUMNS));
                let ranges = group_list(&private, ty, family, prefix, quote!(RANGES));
                let in_families = |list: &TokenStream| match &row.home {
                    TableSource::Own(_) => quote_spanned! {with_derive_hygiene(ty.span())=>
                        #private::assert_in_families(&[#(#families),*], #list);
                    },
                    TableSource::Projection(of) => {
                        let all = code.table_item(of, quote!(COLUMNS));
                        quote_spanned!(with_derive_hygiene(ty.span())=> #private::assert_in_table(#all, #list);)
                    }
                    TableSource::Record { .. } | TableSource::Group => TokenStream::new(),
                };
                checks.push(in_families(&group_columns));
                versions = quote!(#private::larger_version_count(#versions, <#ty as #private::CellGroup>::VERSIONS));
                columns.push(group_columns);
                group_ranges.push(ranges);
            }
        }
    }
    match &row.home {
        TableSource::Projection(of) => {
            let column = code.table_item(of, quote!(EMPTY_COLUMN));
            columns.push(quote!(#private::empty_column_names(&#column)));
        }
        _ => columns.extend(row.empty_column.as_ref().map(|column| {
            let column = column.tokens();
            quote!(&[#column])
        })),
    }
    let mut ranges = vec![quote!(&[#(#own_ranges),*])];
    ranges.extend(group_ranges);
    if columns.len() > 1 && !matches!(row.home, TableSource::Projection(_)) {
        let list = join_lists(&private, &columns);
        let private = code.private(row.ident.span());
        checks.push(quote_spanned!(with_derive_hygiene(row.ident.span())=> #private::assert_distinct(#list);));
    }
    let (columns, ranges) = (join_lists(&private, &columns), join_lists(&private, &ranges));
    ColumnLists { columns, ranges, versions, checks }
}

/// Returns the expression that joins several lists of columns or ranges.
pub(super) fn join_lists(private: &TokenStream, lists: &[TokenStream]) -> TokenStream {
    match lists {
        [only] => only.clone(),
        _ => quote!({
            const LISTS: &[&[#private::ColumnName]] = &[#(#lists),*];
            &#private::concat_names::<{ #private::count(LISTS) }>(LISTS)
        }),
    }
}

/// Returns the expression for the columns or ranges of a group, with `family` and `prefix` applied.
pub(super) fn group_list(
    private: &TokenStream,
    ty: &Type,
    family: &Option<LitStr>,
    prefix: &Option<LitStr>,
    list: TokenStream,
) -> TokenStream {
    let names = quote!(<#ty as #private::CellGroup>::#list);
    if family.is_none() && prefix.is_none() {
        return names;
    }
    let prefix = prefix.as_ref().map_or(quote!(b""), |prefix| {
        let prefix = syn::LitByteStr::new(prefix.value().as_bytes(), prefix.span());
        quote!(#prefix)
    });
    let family = match family {
        Some(family) => quote!(#private::Option::Some(#family)),
        None => quote!(#private::Option::None),
    };
    quote!({
        const NAMES: &[#private::ColumnName] = #names;
        const BYTES: &[#private::u8] =
            &#private::prefixed_qualifiers::<{ #private::prefixed_qualifiers_len(#prefix, NAMES) }>(#prefix, NAMES);
        &#private::group_names::<{ NAMES.len() }>(#family, #prefix, NAMES, BYTES)
    })
}

/// The constants that every group of cells has.
pub(super) const CONSTANTS_OF_GROUPS: [&str; 3] = ["COLUMNS", "RANGES", "VERSIONS"];
/// The constants that every row type has.
pub(super) const CONSTANTS_OF_ROWS: [&str; 6] =
    ["TABLE", "COLUMNS", "RANGES", "VERSIONS", "EMPTY_COLUMN", "AGGREGATES"];

/// Returns the name of the constant of a field.
pub(super) fn constant_name(field: &syn::Ident) -> syn::Ident {
    use syn::ext::IdentExt;
    format_ident!("{}", field.unraw().to_string().to_uppercase(), span = field.span())
}

/// Returns the constant of the type `of` for the column of its field `field`; the compiler reports
/// an error about the constant at `field`.
pub(super) fn source_constant(of: &Path, field: &Ident) -> TokenStream {
    let (of, name) = (respan(of.to_token_stream(), field.span()), constant_name(field));
    quote_spanned!(with_derive_hygiene(field.span())=> #of::#name)
}

fn of_table(
    private: &TokenStream,
    of: &Path,
    column: &super::field::Column,
    list: TokenStream,
) -> TokenStream {
    let name = column.tokens();
    quote_spanned! {with_derive_hygiene(column.span)=>
        #private::assert_in_table(<#of as #private::Table>::#list, &[#name]);
    }
}
