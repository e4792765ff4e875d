//! The derive macros of tallrow.
//!
//! Users do not depend on this crate: `tallrow` and `tallrow-codec` re-export its macros. Each
//! macro has one entry point for each crate that re-exports it, because the generated code contains
//! the path of that crate. The code of [`RowKey`], which is re-exported as `tallrow::RowKey` and
//! `tallrow::key::RowKey`, contains `::tallrow`; the code of [`CodecRowKey`], which `tallrow-codec`
//! re-exports as `RowKey`, contains `::tallrow_codec`. `#[row_key(crate = "..")]` sets any other
//! path, for a renamed dependency.
//!
//! | room | holds |
//! |---|---|
//! | `table` | `#[derive(Table)]`, `#[derive(CellGroup)]`: rows of tables, cell by cell |
//! | `row_key` | `#[derive(RowKey)]`: keys, their layouts, newtypes and enums as fields |
//! | `sql_row` | `#[derive(FromSqlRow)]`: rows of a query, column by column |
//! | `testing` | `test_row_key!` |
//! | `kernel` | attributes as entries, errors on tokens, the path of the library |
//!
//! `row_key` and `table` each read attributes (`attr`), build a model (`model`), check the rules of
//! the model (`check`) and generate code (`expand`). The texts of their errors are in `message`.
//!
//! The documentation of the macros is in separate files. The examples in these files are run in
//! `tests/src/book.rs`, where the library is a dependency.

#[cfg_attr(not(feature = "table"), allow(dead_code, unused_imports))]
mod kernel;
mod row_key;
#[cfg(feature = "table")]
mod sql_row;
#[cfg(feature = "table")]
mod table;
#[cfg(feature = "testing")]
mod testing;

use proc_macro::TokenStream;

#[cfg_attr(not(doctest), doc = include_str!("row_key.md"))]
#[proc_macro_derive(RowKey, attributes(row_key, key))]
pub fn derive_row_key(input: TokenStream) -> TokenStream {
    row_key::derive(input.into(), "::tallrow").into()
}

#[cfg_attr(not(doctest), doc = include_str!("row_key.md"))]
#[proc_macro_derive(CodecRowKey, attributes(row_key, key))]
pub fn derive_codec_row_key(input: TokenStream) -> TokenStream {
    row_key::derive(input.into(), "::tallrow_codec").into()
}

#[cfg_attr(not(doctest), doc = include_str!("table.md"))]
#[cfg(feature = "table")]
#[proc_macro_derive(Table, attributes(table, family, key, cell, cells, flatten))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    table::derive(input.into()).into()
}

#[cfg_attr(not(doctest), doc = include_str!("cell_group.md"))]
#[cfg(feature = "table")]
#[proc_macro_derive(CellGroup, attributes(table, family, key, cell, cells, flatten))]
pub fn derive_cell_group(input: TokenStream) -> TokenStream {
    table::derive_group(input.into()).into()
}

#[cfg_attr(not(doctest), doc = include_str!("from_sql_row.md"))]
#[cfg(feature = "table")]
#[proc_macro_derive(FromSqlRow, attributes(sql_row, column))]
pub fn derive_from_sql_row(input: TokenStream) -> TokenStream {
    sql_row::derive(input.into()).into()
}

/// Generates the tests for the macro `test_row_key!` of the library, which passes the path of the
/// library to this macro.
#[cfg(feature = "testing")]
#[proc_macro]
pub fn test_row_key(input: TokenStream) -> TokenStream {
    testing::expand(input.into()).into()
}
