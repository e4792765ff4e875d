//! The rules that every layout obeys.
//!
//! # Invariants
//!
//! - A type and the text of its schema obey the same rules, and violations have the same messages:
//!   one function checks both, and each violation refers to a place in the layout. Tests:
//!   `tests/suites/ui/row_key`,
//!   `codec/tests/golden/bad_schemas.rs::bad_schemas_are_refused_with_a_position`.

mod context;
mod field;
mod list;
mod number;
mod prefix;
mod tags;
mod text;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use context::FieldContext;
#[doc(hidden)]
pub use tags::check_tags;

use crate::attributes::CompatTarget;
use crate::field::{Field, Type};
use crate::model::{Layout, RecordVariant, is_field_name};
use crate::violation::{Place, Suggest, Violation, Violations};

/// Returns a violation for each rule that `layout` breaks: first the violations about the names of
/// the key and its table, then those about fields and record variants, then those about the key
/// prefix.
///
/// For a type that only the compiler can resolve, such as an alias, the code that the derive
/// generates checks the rules.
///
/// ```
/// use tallrow_layout::{Field, Layout, Place, Type, check};
///
/// let field = |name: &str| Field::new(name.into(), Type::Text, Default::default());
/// let layout = Layout { fields: vec![field("a"), field("b")], ..Layout::default() };
/// let violations = check(&layout, &|_, _| None);
/// assert_eq!(violations[0].place, Place::Type(0));
/// assert!(
///     violations[0].message.starts_with("only the last field of a row key may be plain text")
/// );
/// ```
pub fn check(layout: &Layout, suggest: Suggest<'_>) -> Vec<Violation> {
    let mut violations = Violations::default();
    names(layout, &mut violations);
    if layout.fields.is_empty() && layout.records.is_empty() {
        violations.add(
            Place::Key,
            "a row key needs at least one field: HBase has no row with an empty key",
        );
    }
    let mut walk = Walk { compat: layout.compat, next: 0, violations: &mut violations };
    walk.fields(&layout.fields, &[], layout.records.is_empty());
    for (index, record) in layout.records.iter().enumerate() {
        let before = layout.records.get(..index).unwrap_or_default();
        self::record(record, index, before, layout.tag_width, walk.violations);
        walk.fields(record.fields(), &layout.fields, true);
    }
    prefix::check(layout, suggest, &mut violations);
    violations.list
}

/// Reports control characters in the names of the key and its table. The text of a schema is split
/// into lines at some of these characters, so the schema could not be read back.
fn names(layout: &Layout, violations: &mut Violations) {
    let table = layout.table.iter().map(|table| (Place::Table, table));
    for (place, name) in [(Place::Key, &layout.name)].into_iter().chain(table) {
        if name.chars().any(char::is_control) {
            violations
                .add(place, format!("{name:?} contains a control character, which a name cannot"));
        }
    }
}

fn no_name(name: &str) -> String {
    format!("{name:?} is not a name: use letters, digits and _")
}

fn record(
    record: &RecordVariant,
    index: usize,
    before: &[RecordVariant],
    width: usize,
    violations: &mut Violations,
) {
    let (name, tag) = (record.name(), record.tag());
    if !is_field_name(name) {
        violations.add(Place::Record(index), no_name(name));
    }
    if let Some(other) = before.iter().find(|other| other.tag() == tag) {
        let text = format!(
            "tag {tag} is already used by `{}`, so their rows could not be distinguished",
            other.name()
        );
        violations.add(Place::Tag(index), text);
    }
    if before.iter().any(|other| other.name() == name) {
        violations.add(Place::Record(index), format!("`{name}` is the name of two variants"));
    }
    let wider = |ty: &str| format!("use `tag_type = {ty}`");
    match (width, tag) {
        (1 | 2 | 4, 0..=0xff) | (2 | 4, 0..=0xffff) | (4, 0..=0xffff_ffff) => {}
        (1, 0..=0xffff) => {
            let text = format!("tag {tag} does not fit one byte; {}", wider("u16"));
            violations.add(Place::Tag(index), text);
        }
        (1 | 2, 0..=0xffff_ffff) => {
            let bytes = if width == 1 { "one byte" } else { "2 bytes" };
            violations.add(
                Place::Tag(index),
                format!("tag {tag} does not fit {bytes}; {}", wider("u32")),
            );
        }
        (1 | 2 | 4, _) => {
            let text = format!("tag {tag} is too large: the maximum is 4294967295");
            violations.add(Place::Tag(index), text);
        }
        _ => violations.add(Place::Tag(index), "a tag takes 1, 2 or 4 bytes"),
    }
}

/// The state of the check of all fields. Fields are numbered in the order in which they are
/// written; `next` is the number of the next field.
struct Walk<'v> {
    compat: Option<CompatTarget>,
    next: usize,
    violations: &'v mut Violations,
}

impl Walk<'_> {
    /// Checks the fields of `list`, which follow the fields of `front`. `last` says whether the row
    /// key, or the nested key that contains the fields, ends with `list`.
    fn fields(&mut self, list: &[Field], front: &[Field], last: bool) {
        for (index, one) in list.iter().enumerate() {
            let own = self.next;
            self.next += 1;
            let before = list.get(..index).unwrap_or_default();
            if !is_field_name(one.name()) {
                self.violations.add(Place::Field(own), no_name(one.name()));
            }
            if front.iter().chain(before).any(|other| other.name() == one.name()) {
                let text = format!("`{}` is the name of two fields", one.name());
                self.violations.add(Place::Field(own), text);
            }
            if let Type::Key(inner) = one.ty().innermost() {
                if inner.is_empty() {
                    let text = format!("the key in `{}` has no fields", one.name());
                    self.violations.add(Place::Type(own), text);
                }
                self.fields(inner, &[], true);
            }
            let last = last && index + 1 == list.len();
            field::check(
                FieldContext { field: one, at: own, compat: self.compat, last },
                self.violations,
            );
        }
    }
}
