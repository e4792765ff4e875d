//! The rules between the parts of a row type.

use super::message;
use super::model::Table;
use crate::errors::Errors;
use crate::suggest::nearest;

pub(super) fn check(table: &Table, errors: &mut Errors) {
    table_name(table, errors);
    families(table, errors);
    cells(table, errors);
}

fn table_name(table: &Table, errors: &mut Errors) {
    let text = table.name.value();
    let (namespace, qualifier) = text.split_once(':').unwrap_or(("default", &text));
    let in_namespace = |c: char| c.is_alphanumeric() || c == '_';
    let in_qualifier = |c: char| in_namespace(c) || c == '-' || c == '.';
    let good = !namespace.is_empty()
        && !qualifier.is_empty()
        && namespace.chars().all(in_namespace)
        && qualifier.chars().all(in_qualifier)
        && !qualifier.starts_with(['-', '.']);
    if !good {
        errors.on(&table.name, message::BAD_NAME);
    }
}

fn families(table: &Table, errors: &mut Errors) {
    if table.families.is_empty() {
        errors.on(&table.ident, message::NO_FAMILY);
    }
    for (at, family) in table.families.iter().enumerate() {
        let name = family.name.value();
        let control = |c: char| c.is_control() || matches!(c, ':' | '/' | '\\');
        if name.is_empty() || name.starts_with('.') || name.contains(control) || name.len() > 127 {
            errors.on(&family.name, message::BAD_FAMILY);
        }
        if table.families.iter().take(at).any(|f| f.name.value() == name) {
            errors.on(&family.name, message::same_family(&name));
        }
    }
}

fn cells(table: &Table, errors: &mut Errors) {
    let families: Vec<String> = table.families.iter().map(|f| f.name.value()).collect();
    let known: Vec<&str> = families.iter().map(String::as_str).collect();
    for (at, cell) in table.cells.iter().enumerate() {
        if !known.is_empty() && !known.contains(&cell.family.as_str()) {
            let near = nearest(&cell.family, &known);
            errors.at(cell.span, message::unknown_family(&cell.family, near, &known));
        }
        let same =
            |c: &&super::model::Cell| c.family == cell.family && c.qualifier == cell.qualifier;
        if let Some(first) = table.cells.iter().take(at).find(same) {
            errors.at(cell.span, message::same_column(&first.field.to_string()));
        }
    }
    // A field whose attribute is wrong has been told so already.
    if table.fields == 1 && table.cells.is_empty() {
        errors.on(&table.ident, message::NO_CELLS);
    }
}
