//! How each field of a layout is written.

use alloc::vec::Vec;

use crate::attributes::{Attributes, End};
use crate::compat;
use crate::encoding::Plan;
use crate::field::{Field, Type};
use crate::model::Layout;
use crate::violation::{Violation, Violations};

/// Decides how each field is written: by its attributes, or by the compatibility target of the key.
/// Attributes that follow from the target or from `text_sep` are added to `layout`.
///
/// Also returns a violation for each part of the layout that the target cannot encode.
///
/// ```
/// use tallrow_layout::{CompatTarget, Encoding, Field, Layout, Type, plan};
///
/// let field = |name: &str| Field::new(name.into(), Type::Text, Default::default());
/// let mut layout = Layout {
///     compat: Some(CompatTarget::Phoenix),
///     fields: vec![field("a"), field("b")],
///     ..Layout::default()
/// };
/// let (plans, violations) = plan(&mut layout);
/// assert_eq!((&plans[0].encoding, &violations[..]), (&Encoding::PhoenixSeparated, &[][..]));
/// assert!(layout.fields[0].attributes().nul_terminated);
/// ```
pub fn plan(layout: &mut Layout) -> (Vec<Plan>, Vec<Violation>) {
    let mut violations = Violations::default();
    let choices = match layout.compat {
        Some(target) => compat::choose(target, layout, &mut violations),
        None => layout.all_fields().map(|_| None).collect(),
    };
    let sep = layout.text_sep;
    let last = layout.last_fields();
    let one = |((field, choice), last): ((&mut Field, Option<compat::Choice>), bool)| {
        if let Some(sep) = sep.filter(|_| !last && takes_sep(field)) {
            field.attributes_mut().sep = Some(sep);
        }
        match choice {
            Some(choice) => {
                choice.describe_in(field.attributes_mut());
                choice.plan
            }
            None => Plan::without_compat(field),
        }
    };
    (layout.all_fields_mut().zip(choices).zip(last).map(one).collect(), violations.list)
}

/// Returns whether `text_sep`, the separator for all texts, applies to this field.
fn takes_sep(field: &Field) -> bool {
    let Attributes { md5, .. } = field.attributes();
    *field.ty() == Type::Text && field.attributes().end() == End::Native && md5.is_none()
}
