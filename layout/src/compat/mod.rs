//! Compatibility targets: the encodings that each target chooses for the fields of a key, and the
//! layouts that the target refuses.

mod bigtable;
mod context;
mod hbase;
mod hbase_ordered;
mod phoenix;

use alloc::format;
use alloc::vec::Vec;

pub(crate) use context::Choice;
use context::ColumnContext;

use crate::attributes::CompatTarget;
use crate::field::Field;
use crate::key_prefix::SaltOrHash;
use crate::model::Layout;
use crate::violation::{Part, Place, Violations};

/// Returns the encoding of each field for `target`, in the order in which the fields are written,
/// and reports what `target` cannot encode.
pub(crate) fn choose(
    target: CompatTarget,
    layout: &Layout,
    violations: &mut Violations,
) -> Vec<Option<Choice>> {
    prefix(target, layout, violations);
    if !layout.records.is_empty() && target != CompatTarget::Hbase {
        let text = format!("{} has one record type per table: use a struct", target.name());
        violations.add(Place::Key, text);
        return layout.all_fields().map(|_| None).collect();
    }
    let fields: Vec<&Field> = layout.all_fields().collect();
    let last = layout.last_fields();
    let choice = |at: usize| {
        let is_last = last.get(at).copied().unwrap_or_default();
        let context = ColumnContext::new(target, layout, &fields, at, is_last)?;
        let chosen = match target {
            CompatTarget::Hbase => hbase::choose(&context),
            CompatTarget::HbaseOrdered => hbase_ordered::choose(&context),
            CompatTarget::Phoenix => phoenix::choose(&context),
            CompatTarget::Bigtable => bigtable::choose(&context),
        };
        chosen.unwrap_or_else(|violation| {
            violations.list.push(violation);
            None
        })
    };
    (0..fields.len()).map(choice).collect()
}

/// Reports a key prefix or a `text_sep` that the target does not support.
fn prefix(target: CompatTarget, layout: &Layout, violations: &mut Violations) {
    match target {
        CompatTarget::Phoenix => phoenix::prefix(layout, violations),
        CompatTarget::Bigtable => bigtable::prefix(layout, violations),
        CompatTarget::Hbase | CompatTarget::HbaseOrdered => {}
    }
    if let (SaltOrHash::HashPrefix { .. }, CompatTarget::Phoenix | CompatTarget::Bigtable) =
        (&layout.prefix, target)
    {
        let text = format!("{} has no hash prefix: add a field with `md5` instead", target.name());
        violations.add(Place::Prefix(Part::Whole), text);
    }
    if layout.text_sep.is_some()
        && matches!(target, CompatTarget::Phoenix | CompatTarget::HbaseOrdered)
    {
        let text = format!("{} has no separators: remove `text_sep`", target.name());
        violations.add(Place::TextSep, text);
    }
}
