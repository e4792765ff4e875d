//! The constants of a row type: its columns, its ranges, and the number of versions that it reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path, Type};

use super::code::LibraryCode;
use super::field::Role;
use super::model::{Home, Kind, Struct};
use crate::kernel::{here, respan};

/// The code for the lists of columns and ranges, and for the number of versions.
pub(super) struct Names {
    pub(super) columns: TokenStream,
    pub(super) ranges: TokenStream,
    pub(super) versions: TokenStream,
    /// Assertions that the compiler evaluates.
    pub(super) checks: Vec<TokenStream>,
}

pub(super) fn names(row: &Struct, code: &LibraryCode<'_>) -> Names {
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
            Kind::Cell(column, role) => {
                if let Role::Versions { most, .. } = role {
                    let most = most.as_ref().map_or(quote!(2_147_483_647), |most| quote!(#most));
                    versions = quote!(#private::most(#versions, #most));
                }
                if let Home::Projection(of) = &row.home {
                    checks.push(of_table(&private, of, column, quote!(COLUMNS)));
                }
            }
            Kind::Cells(range, _) => {
                own_ranges.push(range.tokens());
                if let Home::Projection(of) = &row.home {
                    checks.push(of_table(&private, of, range, quote!(RANGES)));
                }
            }
            Kind::Named(name) => {
                if let Home::Projection(of) = &row.home {
                    let column = projected(of, name);
                    columns.push(quote!(&[#private::name(#column)]));
                }
            }
            Kind::Flatten { family, prefix } => {
                let group_columns = placed(&private, ty, family, prefix, quote!(COLUMNS));
                let ranges = placed(&private, ty, family, prefix, quote!(RANGES));
                let in_families = |list: &TokenStream| match &row.home {
                    Home::Own(_) => quote_spanned! {here(ty.span())=>
                        #private::in_families(&[#(#families),*], #list);
                    },
                    Home::Projection(of) => {
                        let all = code.of_table(of, quote!(COLUMNS));
                        quote_spanned!(here(ty.span())=> #private::of_table(#all, #list);)
                    }
                    Home::Record { .. } | Home::Group => TokenStream::new(),
                };
                checks.push(in_families(&group_columns));
                versions =
                    quote!(#private::most(#versions, <#ty as #private::CellGroup>::VERSIONS));
                columns.push(group_columns);
                group_ranges.push(ranges);
            }
        }
    }
    match &row.home {
        Home::Projection(of) => {
            let column = code.of_table(of, quote!(EMPTY_COLUMN));
            columns.push(quote!(#private::of_empty_column(&#column)));
        }
        _ => columns.extend(row.empty_column.as_ref().map(|column| {
            let column = column.tokens();
            quote!(&[#column])
        })),
    }
    let mut ranges = vec![quote!(&[#(#own_ranges),*])];
    ranges.extend(group_ranges);
    if columns.len() > 1 && !matches!(row.home, Home::Projection(_)) {
        let list = joined(&private, &columns);
        let private = code.private(row.ident.span());
        checks.push(quote_spanned!(here(row.ident.span())=> #private::distinct(#list);));
    }
    let (columns, ranges) = (joined(&private, &columns), joined(&private, &ranges));
    Names { columns, ranges, versions, checks }
}

/// Returns the expression that joins several lists of columns or ranges.
pub(super) fn joined(private: &TokenStream, lists: &[TokenStream]) -> TokenStream {
    match lists {
        [only] => only.clone(),
        _ => quote!({
            const LISTS: &[&[#private::Name]] = &[#(#lists),*];
            &#private::union::<{ #private::count(LISTS) }>(LISTS)
        }),
    }
}

/// Returns the expression for the columns or ranges of a group, with `family` and `prefix` applied.
pub(super) fn placed(
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
        const NAMES: &[#private::Name] = #names;
        const BYTES: &[#private::u8] =
            &#private::prefixed_bytes::<{ #private::prefixed_len(#prefix, NAMES) }>(#prefix, NAMES);
        &#private::placed::<{ NAMES.len() }>(#family, #prefix, NAMES, BYTES)
    })
}

/// The constants that every group of cells has.
pub(super) const CONSTANTS_OF_GROUPS: [&str; 3] = ["COLUMNS", "RANGES", "VERSIONS"];
/// The constants that every row type has.
pub(super) const CONSTANTS_OF_ROWS: [&str; 5] =
    ["TABLE", "COLUMNS", "RANGES", "VERSIONS", "EMPTY_COLUMN"];

/// Returns the name of the constant of a field.
pub(super) fn constant(field: &syn::Ident) -> syn::Ident {
    use syn::ext::IdentExt;
    format_ident!("{}", field.unraw().to_string().to_uppercase(), span = field.span())
}

/// Returns the constant of the type `of` for the column of its field `field`; the compiler reports
/// an error about the constant at `field`.
pub(super) fn projected(of: &Path, field: &Ident) -> TokenStream {
    let (of, name) = (respan(of.to_token_stream(), field.span()), constant(field));
    quote_spanned!(here(field.span())=> #of::#name)
}

fn of_table(
    private: &TokenStream,
    of: &Path,
    column: &super::field::Column,
    list: TokenStream,
) -> TokenStream {
    let name = column.tokens();
    quote_spanned! {here(column.span)=>
        #private::of_table(<#of as #private::Table>::#list, &[#name]);
    }
}
