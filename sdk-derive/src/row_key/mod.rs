//! `#[derive(RowKey)]`: reads attributes, builds a model from them, checks the model, and generates
//! code.

mod attr;
mod check;
mod expand;
mod fallback;
mod field;
mod generics;
mod layout;
mod layouts;
mod lookup;
mod message;
mod model;
mod record;
mod transparent;
mod types;
mod unit_enum;
mod wrapper;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Path};

use crate::kernel::{AttrPlacement, Errors, library_path, report_misplaced_attrs};

const OF_FIELDS: AttrPlacement<'_> = AttrPlacement(&["key"], "a field, or on a variant of an enum");
const OF_TYPES: AttrPlacement<'_> =
    AttrPlacement(&["row_key"], "the type; that of a field is #[key(..)]");

/// Returns the code for `input`. If `input` has errors, returns the errors and an implementation
/// that does nothing, which prevents the compiler from reporting further errors that follow from
/// them.
pub(crate) fn derive(input: TokenStream, default_crate: &str) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    report_misplaced_attrs(&input, &OF_FIELDS, &OF_TYPES, &mut errors);
    let type_attr = attr::RowKeyAttr::parse(&input.attrs, &mut errors);
    let given = type_attr.krate.clone();
    let Some(krate) = library_path(given, default_crate, "row_key", &input.ident, &mut errors)
    else {
        return errors.into_tokens();
    };
    if type_attr.layouts.is_some() {
        return match layouts::expand(&input, &type_attr, &krate, &mut errors) {
            Some(code) => code,
            None => stubbed(&input, &krate, errors),
        };
    }
    if type_attr.transparent.is_some() {
        let code = transparent::expand(&input, &type_attr, &krate, &mut errors);
        return with(errors, &code);
    }
    if unit_enum::is_unit_enum(&input.data) {
        let code = unit_enum::expand_unit_enum(&input, &type_attr, &krate, &mut errors);
        return with(errors, &code);
    }
    let Some((key, violations)) = model::Key::new(&input, type_attr, krate.clone(), &mut errors)
    else {
        return stubbed(&input, &krate, errors);
    };
    if check::report_problems(&key, violations, &mut errors) {
        with(errors, &expand::expand(&key))
    } else {
        stubbed(&input, &krate, errors)
    }
}

fn stubbed(input: &DeriveInput, krate: &Path, errors: Errors) -> TokenStream {
    with(errors, &fallback::stub(input, krate))
}

fn with(errors: Errors, code: &TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote::quote! { #errors #code }
}
