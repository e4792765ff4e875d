//! `#[derive(Table)]`: attributes are parsed, put together into a model, checked, and written out.

mod attr;
mod check;
mod expand;
mod fallback;
mod message;
mod model;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;

/// Returns the code for `input`, or its errors and an empty implementation that keeps the compiler
/// from reporting what follows from them.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let attr = attr::TypeAttr::parse(&input.attrs, &mut errors);
    let krate = attr.krate.clone().unwrap_or_else(|| syn::parse_quote!(::tallrow));
    let model = model::Table::new(&input, attr, &mut errors);
    if let Some(model) = &model {
        check::check(model, &mut errors);
    }
    match model {
        Some(model) if errors.is_empty() => expand::expand(&model, &krate),
        _ => {
            let stub = fallback::stub(&input, &krate);
            let errors = errors.into_tokens();
            quote::quote! { #errors #stub }
        }
    }
}
