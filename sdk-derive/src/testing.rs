//! `test_row_key!`: a module of tests for one key type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Token, Type, bracketed};

const TESTS: [&str; 7] = [
    "order",
    "prefix_freedom",
    "round_trip",
    "canonical_decode",
    "ranges_equal_the_model",
    "splits_spread_rows",
    "no_allocation",
];

/// The input of the macro: `[path of the library] Type, keys, order`.
struct Input {
    krate: TokenStream,
    key: Type,
    keys: Option<Expr>,
    order: Option<Expr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let krate;
        bracketed!(krate in input);
        let krate = krate.parse()?;
        let key = input.parse()?;
        let next = || -> syn::Result<Option<Expr>> {
            if input.is_empty() {
                return Ok(None);
            }
            input.parse::<Token![,]>()?;
            if input.is_empty() { Ok(None) } else { input.parse().map(Some) }
        };
        Ok(Self { krate, key, keys: next()?, order: next()? })
    }
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match syn::parse2(input).and_then(|input| tests(&input)) {
        Ok(tests) => tests,
        Err(error) => error.into_compile_error(),
    }
}

fn tests(input: &Input) -> syn::Result<TokenStream> {
    let Input { krate, key, keys, order } = input;
    let module = format_ident!("{}_tests", snake(&name(key)?));
    let made = match keys {
        None => quote!(#krate::testing::Keys::<#key>::sample()),
        Some(keys) => quote!(#krate::testing::Keys::<#key>::from_keys(#keys)),
    };
    let made = match order {
        None => made,
        Some(order) => quote!(#made.map(|keys| keys.ordered_by(#order))),
    };
    let tests = TESTS.map(|test| format_ident!("{test}"));
    Ok(quote! {
        #[cfg(test)]
        mod #module {
            #[allow(unused_imports)]
            use super::*;

            fn keys() -> ::core::result::Result<#krate::testing::Keys<#key>, #krate::testing::Failure> {
                #made
            }

            #(
                #[test]
                fn #tests() -> ::core::result::Result<(), #krate::testing::Failure> {
                    keys()?.#tests()
                }
            )*
        }
    })
}

/// Returns the name of a key type; for `RandomSalted<Key>`, returns the name of `Key`.
fn name(key: &Type) -> syn::Result<Ident> {
    let none =
        || syn::Error::new_spanned(key, "expected the name of a type with #[derive(RowKey)]");
    let Type::Path(path) = key else { return Err(none()) };
    let last = path.path.segments.last().ok_or_else(none)?;
    if last.ident == "RandomSalted"
        && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
    {
        return name(inner);
    }
    Ok(last.ident.clone())
}

fn snake(name: &Ident) -> String {
    let mut snake = String::new();
    for c in name.to_string().chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}
