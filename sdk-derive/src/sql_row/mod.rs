//! `#[derive(FromSqlRow)]`: a struct whose fields are read by the names of columns.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataStruct, DeriveInput, Field, Fields, LitStr, Path};

use crate::kernel::{
    AttrPlacement, Entries, Entry, Errors, library_path, report_misplaced_attrs,
    with_derive_hygiene,
};

const OF_FIELDS: AttrPlacement<'_> = AttrPlacement(&["column"], "a field");
const OF_TYPES: AttrPlacement<'_> = AttrPlacement(&["sql_row"], "the type");

const ONLY_STRUCTS: &str = "rows of a query are read as structs with named fields, or as tuples, which need no derive: \
                            each field is the column of its name";
const COLUMN: &str = "the name of a column is a string, as in #[column(\"name\")]; without it, the column has the name of the field";

/// Returns the code for a type that rows of a query are read as. If the type has errors, returns
/// the errors and an implementation that does nothing.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    report_misplaced_attrs(&input, &OF_FIELDS, &OF_TYPES, &mut errors);
    let mut entries = Entries::of(&input.attrs, "sql_row", &mut errors);
    let given = entries.read("crate", Entry::path_in_string).map(|path| path.value);
    entries.finish();
    let Some(krate) = library_path(given, "::tallrow", "sql_row", &input.ident, &mut errors) else {
        return errors.into_tokens();
    };
    let fields: Vec<_> = match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => {
            fields.named.iter().collect()
        }
        _ => Vec::new(),
    };
    let columns: Vec<_> = fields.iter().map(|field| column(field, &mut errors)).collect();
    if columns.is_empty() {
        errors.report_at_tokens(&input.ident, ONLY_STRUCTS);
    }
    let read = match errors.is_empty() {
        true => {
            let fields = fields.iter().zip(&columns).map(|(field, name)| {
                let (ident, ty) = (&field.ident, &field.ty);
                quote_spanned! {with_derive_hygiene(ty.span())=> #ident: row.get::<#ty>(#name)? }
            });
            quote!(::core::result::Result::Ok(Self { #(#fields),* }))
        }
        false => quote!(::core::unreachable!()),
    };
    let body = implementations(&input, &krate, &read);
    let errors = errors.into_tokens();
    quote!(#errors #body)
}

/// Returns the name of the column of a field.
fn column(field: &Field, errors: &mut Errors) -> LitStr {
    let own = field.ident.as_ref().map(|ident| ident.unraw().to_string()).unwrap_or_default();
    let mut name = LitStr::new(&own, Span::call_site());
    for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("column")) {
        if let Some((given, entries)) = Entries::after_string(attr, COLUMN, errors) {
            entries.finish();
            match given {
                Some(given) => name = given,
                None => errors.report_at_tokens(attr, COLUMN),
            }
        }
    }
    name
}

fn implementations(input: &DeriveInput, krate: &Path, read: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private::v1);
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #private::FromSqlRow for #ident #arguments #bounds {
            fn from_sql_row(row: &#private::SqlRow) -> #private::TableResult<Self> {
                let _ = row;
                #read
            }
        }

        #[automatically_derived]
        impl #generics #private::FromSqlValue for #ident #arguments #bounds {
            fn from_sql_value(
                value: &#private::SqlValue,
            ) -> ::core::result::Result<Self, #private::ValueError> {
                #private::from_struct(value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the errors.
    fn errors(input: TokenStream) -> String {
        let code = derive(input).to_string();
        let parts = code.split("compile_error").skip(1).map(|part| part.split(';').next());
        parts.map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let cases = [
            (
                quote!(
                    enum Row {
                        A,
                    }
                ),
                "named fields",
            ),
            (
                quote!(
                    struct Row(String);
                ),
                "named fields",
            ),
            (
                quote!(
                    struct Row {
                        #[column]
                        a: String,
                    }
                ),
                "the name of a column is a string",
            ),
            (
                quote!(
                    struct Row {
                        #[column(a)]
                        a: String,
                    }
                ),
                "the name of a column is a string",
            ),
            (
                quote!(
                    #[column("a")]
                    struct Row {
                        a: String,
                    }
                ),
                "belongs on a field",
            ),
            (
                quote!(
                    struct Row {
                        #[sql_row(crate = "x")]
                        a: String,
                    }
                ),
                "belongs on the type",
            ),
            (
                quote!(
                    #[sql_row(krate = "x")]
                    struct Row {
                        a: String,
                    }
                ),
                "unknown attribute `krate`",
            ),
        ];
        for (input, expected) in cases {
            let found = errors(input.clone());
            assert!(found.contains(expected), "no {expected:?} for {input}: {found}");
        }
        assert_eq!(
            errors(quote!(
                struct Row {
                    #[column("A")]
                    a: String,
                    r#type: i64,
                }
            )),
            ""
        );
    }

    #[test]
    fn a_field_is_the_column_of_its_name() {
        let code = derive(quote!(
            struct Row {
                #[column("A b")]
                a: String,
                r#type: i64,
            }
        ))
        .to_string();
        assert!(code.contains("get :: < String > (\"A b\")"), "{code}");
        assert!(code.contains("r#type : row . get :: < i64 > (\"type\")"), "{code}");
        assert!(code.contains(":: tallrow :: __private :: v1 :: FromSqlRow for Row"), "{code}");
    }
}
