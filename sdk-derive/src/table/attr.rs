//! The attributes of a row type: `#[table(name = "..")]`, `#[family("d", versions = 3)]`.

use proc_macro2::Span;
use syn::{Attribute, Expr, ExprLit, Lit, Path};

use super::family::Family;
use super::phoenix::PhoenixQualifiers;
use super::{family, message};
use crate::kernel::{Entries, Entry, Errors, Value};

/// The attributes of a row type.
pub(super) struct TableAttr {
    /// The name of the table: a string or the path of a constant.
    pub(super) name: Option<Expr>,
    pub(super) krate: Option<Path>,
    /// Whether the type has `projection_of`, even if its value is wrong.
    pub(super) is_projection: bool,
    pub(super) projection_of: Option<Path>,
    pub(super) variant_of: Option<Path>,
    pub(super) key_variant: Option<Path>,
    pub(super) validate_put: Option<Path>,
    pub(super) families: Vec<Family>,
    /// The settings of `compat = "phoenix"`, and the span of this entry.
    pub(super) phoenix: Option<(PhoenixQualifiers, Span)>,
}

impl TableAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let families = attrs.iter().filter(|attr| attr.path().is_ident("family"));
        let families = families.filter_map(|attr| Family::parse(attr, errors)).collect();
        let mut all = Entries::of(attrs, "table", errors);
        let is_projection = all.has("projection_of");
        let mut path = |name| {
            let path = all.read(name, |entry, errors| entry.path("a path, without quotes", errors));
            path.map(|path| path.value)
        };
        let (projection_of, variant_of) = (path("projection_of"), path("variant_of"));
        let (key_variant, validate_put) = (path("key_variant"), path("validate_put"));
        let name = all.read("name", name).map(|name| name.value);
        let phoenix = PhoenixQualifiers::read(&mut all);
        let krate = all.read("crate", Entry::path_in_string).map(|path| path.value);
        all.report_entries_named(&["family", "families"], |_| {
            message::FAMILY_INSIDE_TABLE_ATTRIBUTE.to_owned()
        });
        all.report_entries_named(
            &family::OPTIONS.map(|(option, ..)| option),
            message::belongs_on_family,
        );
        all.finish();
        Self {
            name,
            krate,
            is_projection,
            projection_of,
            variant_of,
            key_variant,
            validate_put,
            families,
            phoenix,
        }
    }
}

/// Reads `name = "table"` or `name = TABLE`.
fn name(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    match &entry.value {
        Value::Expr(name @ (Expr::Path(_) | Expr::Lit(ExprLit { lit: Lit::Str(_), .. }))) => {
            Some(name.clone())
        }
        _ => entry.report_wrong_value(
            "a string or a constant, as in `= \"ns:table\"` or `= TABLE`",
            errors,
        ),
    }
}
