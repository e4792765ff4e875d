//! The implementations that the derive generates for a struct.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Path};

use super::code::LibraryCode;
use super::constants::constants;
use super::family::Family;
use super::field::CellPart;
use super::model::{FieldKind, Struct, TableSource};
use super::names::{ColumnLists, column_lists};
use super::read::{Reads, read_code};
use super::write::writes;
use crate::kernel::{respan, with_derive_hygiene};

pub(super) fn expand(row: &Struct, krate: &Path) -> TokenStream {
    let code = LibraryCode { krate };
    let private = code.private(Span::call_site());
    let families: Vec<_> = row.families.iter().map(|f| f.describe(&private)).collect();
    let ident = &row.ident;
    let names = column_lists(row, &code);
    let checks = &names.checks;
    let checks = (!checks.is_empty()).then(|| quote!(const _: () = { #(#checks)* };));
    let body = match &row.home {
        TableSource::Group => group(row, &code, &names),
        _ => table(row, &code, &names, &families),
    };
    let constants = constants(row, &code);
    let constants = (!constants.is_empty()).then(|| quote!(impl #ident { #(#constants)* }));
    quote!(#body #constants #checks)
}

fn group(row: &Struct, code: &LibraryCode<'_>, names: &ColumnLists) -> TokenStream {
    let private = code.private(Span::call_site());
    let ident = &row.ident;
    let ColumnLists { columns, ranges, versions, .. } = names;
    let Reads { statements, fields } = read_code(row, code);
    let writes = writes(row, code);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        #[allow(clippy::redundant_closure)]
        impl #private::CellGroup for #ident {
            const COLUMNS: &'static [#private::ColumnName] = #columns;
            const RANGES: &'static [#private::ColumnName] = #ranges;
            const VERSIONS: #private::u32 = #versions;

            fn read_group(cells: &mut #private::CellReader<'_>) -> #private::TableResult<Self> {
                #(#statements)*
                #private::Result::Ok(Self { #(#fields),* })
            }

            fn write_group(&self, cells: &mut #private::CellWriter) -> #private::TableResult<()> {
                #(#writes)*
                #private::Result::Ok(())
            }
        }
    }
}

fn table(
    row: &Struct,
    code: &LibraryCode<'_>,
    names: &ColumnLists,
    families: &[TokenStream],
) -> TokenStream {
    let private = code.private(Span::call_site());
    let ident = &row.ident;
    let ColumnLists { columns, ranges, versions, .. } = names;
    let Reads { statements, fields } = read_code(row, code);
    let this = quote!(<Self as #private::Table>);
    let (key, name, families, all) = match &row.home {
        TableSource::Projection(of) | TableSource::Record { of, .. } => {
            let item = |item| code.table_item(of, item);
            (item(quote!(Key)), item(quote!(TABLE)), item(quote!(families())), of)
        }
        TableSource::Own(name) => {
            let key = row.keys.iter().map(|key| &key.ty);
            (
                quote!(#(#key)*),
                quote!(#name),
                quote!(#private::Vec::from([#(#families),*])),
                &row.ident.clone().into(),
            )
        }
        TableSource::Group => return TokenStream::new(),
    };
    let all = match &row.home {
        TableSource::Projection(_) => code.table_item(all, quote!(COLUMNS)),
        _ => quote!(#this::COLUMNS),
    };
    let key_type = match &row.home {
        TableSource::Record { record, .. } => key_of_record(record),
        _ => key,
    };
    let cells = quote! {
        let mut cells = #private::CellReader::new(row, #this::COLUMNS, #this::RANGES, #all);
    };
    let key_fields: Vec<_> = row.keys.iter().map(|key| &key.field).collect();
    // These names differ from the names of the fields, because a field may be called `row` or
    // `cells`.
    let keys: Vec<_> = (0..row.keys.len()).map(|at| format_ident!("key_{}", at)).collect();
    let empty_column = row.empty_column.as_ref().map(|column| {
        let column = column.tokens();
        quote! {
            const EMPTY_COLUMN: #private::Option<#private::ColumnName> = #private::Option::Some(#column);
        }
    });
    let aggregates = match &row.home {
        TableSource::Projection(of) | TableSource::Record { of, .. } => {
            let item = code.table_item(of, quote!(AGGREGATES));
            Some(quote!(const AGGREGATES: &'static [&'static #private::str] = #item;))
        }
        _ => Family::aggregates(&row.families, &private),
    };
    let read = match &row.home {
        TableSource::Record { record, .. } => quote! {
            #[allow(unreachable_patterns)]
            let (#(#keys,)*) = match #private::read_key::<#this::Key>(row)? {
                #record { #(#key_fields: #keys),* } => (#(#keys,)*),
                _ => return #private::wrong_record(row),
            };
            #cells
            #(#statements)*
            #private::Result::Ok(Self { #(#key_fields: #keys,)* #(#fields),* })
        },
        _ => {
            let read_keys = row.keys.iter().zip(&keys).map(|(key, read)| {
                let ty = &key.ty;
                match &row.home {
                    // This is the key type of the whole row, so that a field of another type is an
                    // error.
                    TableSource::Projection(of) => {
                        let key = code.table_item(of, quote!(Key));
                        quote_spanned! {with_derive_hygiene(ty.span())=>
                            let key = #private::read_key::<#key>(row)?;
                            let #read: #ty = key;
                        }
                    }
                    _ => {
                        // A type that is not a row key causes only one error, and no second error
                        // about how the key is read.
                        quote_spanned! {with_derive_hygiene(ty.span())=>
                            let #read = #private::read_key::<
                                #private::AssertedFieldType<#private::Conditional<{ #private::is_row_key::<#ty>() }>, #ty>,
                            >(row)?;
                        }
                    }
                }
            });
            quote! {
                #(#read_keys)*
                #cells
                #(#statements)*
                #private::Result::Ok(Self { #(#key_fields: #keys,)* #(#fields),* })
            }
        }
    };
    let write = match &row.home {
        TableSource::Projection(_) | TableSource::Group => None,
        TableSource::Own(_) | TableSource::Record { .. } => Some(write_row(row, code)),
    };
    let record = match &row.home {
        TableSource::Record { record, .. } => Some(quote! {
            #[automatically_derived]
            impl #private::RecordRow for #ident {
                fn is_key_of_record(key: &#this::Key) -> #private::bool {
                    ::core::matches!(key, #record { .. })
                }
            }
        }),
        _ => None,
    };
    let constant = match &row.home {
        TableSource::Own(name) => table_name_check(name, code),
        _ => None,
    };
    let spread = match (&row.home, &row.keys[..]) {
        (TableSource::Own(_), [key]) => {
            let check = quote!(const _: () = #private::assert_key_does_not_grow::<#ident>(););
            Some(respan(check, key.ty.span()))
        }
        _ => None,
    };
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        #[allow(clippy::redundant_closure)]
        impl #private::Table for #ident {
            type Key = #key_type;
            const TABLE: &'static #private::str = #name;
            const COLUMNS: &'static [#private::ColumnName] = #columns;
            const RANGES: &'static [#private::ColumnName] = #ranges;
            const VERSIONS: #private::u32 = #versions;
            #empty_column
            #aggregates

            fn families() -> #private::Vec<#private::FamilyDescriptor> {
                #families
            }

            fn from_row(row: &#private::TableCells) -> #private::TableResult<Self> {
                #read
            }
        }

        #write
        #record
        #constant
        #spread
    }
}

/// Returns the code that checks the table name, if the name is a constant.
pub(super) fn table_name_check(name: &Expr, code: &LibraryCode<'_>) -> Option<TokenStream> {
    let Expr::Path(path) = name else { return None };
    let private = code.private(Span::call_site());
    let check = quote!(const _: () = #private::assert_table_name(#path););
    Some(respan(check, path.span()))
}

fn write_row(row: &Struct, code: &LibraryCode<'_>) -> TokenStream {
    let private = code.private(Span::call_site());
    let ident = &row.ident;
    let keys: Vec<_> = row.keys.iter().map(|key| &key.field).collect();
    let key = match &row.home {
        TableSource::Record { record, .. } => {
            let made = quote!(#record { #(#keys: #private::Clone::clone(&self.#keys)),* });
            quote!(#private::KeyOf::owned(#made))
        }
        _ => quote!(#private::KeyOf::borrowed(#(&self.#keys)*)),
    };
    let check = row.validate_put.as_ref().map(
        |check| quote_spanned!(with_derive_hygiene(check.span())=> cells.check_row(self, #check)?;),
    );
    let writes = writes(row, code);
    let empty_column = row.empty_column.as_ref().map(|column| {
        let column = column.tokens();
        quote!(cells.phoenix_empty_column(#column);)
    });
    let version = row.fields.iter().find_map(|field| match &field.kind {
        FieldKind::Cell(column, CellPart::RowVersion) => Some((column, &field.ident)),
        _ => None,
    });
    let version = version.map(|(column, field)| {
        let name = column.tokens();
        quote! {
            fn version(&self) -> #private::Option<(#private::ColumnName, #private::u64)> {
                #private::Option::Some((#name, self.#field))
            }

            fn increment_version(&mut self) {
                self.#field = #private::next_version(self.#field);
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #private::WriteRow for #ident {
            #version

            fn key(&self) -> #private::KeyOf<'_, <Self as #private::Table>::Key> {
                #key
            }

            fn to_put(&self, options: #private::WriteOptions) -> #private::TableResult<#private::Put> {
                let mut put = #private::CellWriter::of::<Self>(&#private::WriteRow::key(self), options)?;
                let cells = &mut put;
                #check
                #(#writes)*
                #empty_column
                #private::Result::Ok(put.finish())
            }
        }
    }
}

/// Returns the type of the key that has the variant `record`.
pub(super) fn key_of_record(record: &Path) -> TokenStream {
    let mut path = record.clone();
    path.segments.pop();
    path.segments.pop_punct();
    quote!(#path)
}
