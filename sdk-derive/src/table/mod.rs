//! `#[derive(Table)]` and `#[derive(CellGroup)]`: read attributes, build a model from them, check
//! the model, and generate code.

mod attr;
mod check;
mod code;
mod constants;
mod expand;
mod fallback;
mod family;
mod field;
mod message;
mod model;
mod names;
mod phoenix;
mod read;
mod rows;
mod write;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput};

use crate::kernel::{AttrPlacement, Errors, library_path, report_misplaced_attrs};

const OF_FIELDS: AttrPlacement<'_> = AttrPlacement(&["key", "cell", "cells", "flatten"], "a field");
const OF_TYPES: AttrPlacement<'_> = AttrPlacement(&["table", "family"], "the type");

/// Returns the code for a row type. If the type has errors, returns the errors and an
/// implementation that does nothing, which prevents the compiler from reporting further errors that
/// follow from them.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match &input.data {
        Data::Enum(data) => derive_enum(&input, data),
        _ => derive_struct(&input, false),
    }
}

/// Returns the code for a group of cells.
pub(crate) fn derive_group(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(input) => derive_struct(&input, true),
        Err(error) => error.into_compile_error(),
    }
}

fn derive_struct(input: &DeriveInput, is_group: bool) -> TokenStream {
    let mut errors = Errors::default();
    report_misplaced_attrs(input, &OF_FIELDS, &OF_TYPES, &mut errors);
    let attr = attr::TableAttr::parse(&input.attrs, &mut errors);
    let given = attr.krate.clone();
    let Some(krate) = library_path(given, "::tallrow", "table", &input.ident, &mut errors) else {
        return errors.into_tokens();
    };
    let record = attr.variant_of.is_some() || attr.key_variant.is_some();
    let model = model::Struct::new(input, attr, is_group, &mut errors);
    if let Some(model) = &model {
        check::check_struct(model, &mut errors);
    }
    match model {
        Some(model) if errors.is_empty() => expand::expand(&model, &krate),
        _ => {
            let stub = fallback::of_struct(input, is_group, record, &krate);
            let errors = errors.into_tokens();
            quote::quote! { #errors #stub }
        }
    }
}

fn derive_enum(input: &DeriveInput, data: &syn::DataEnum) -> TokenStream {
    let mut errors = Errors::default();
    report_misplaced_attrs(input, &OF_FIELDS, &OF_TYPES, &mut errors);
    let attr = attr::TableAttr::parse(&input.attrs, &mut errors);
    let given = attr.krate.clone();
    let Some(krate) = library_path(given, "::tallrow", "table", &input.ident, &mut errors) else {
        return errors.into_tokens();
    };
    let model = model::Enum::new(input, data, attr, &mut errors);
    if let Some(model) = &model {
        check::check_enum(model, &mut errors);
    }
    match model {
        Some(model) if errors.is_empty() => rows::expand(&model, &krate),
        _ => errors.into_tokens(),
    }
}
