//! Lints for layouts that are valid but rarely wanted; a key can allow such a layout.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::{Attribute, End};
use crate::encoding::Plan;
use crate::field::{Field, Type};
use crate::key_prefix::{SaltFunction, SaltOrHash};
use crate::model::LONG_ROW_LEN;
use crate::model::Layout;
use crate::violation::{Part, Place, Violation, Violations};

/// A warning about a valid layout; `allow(..)` silences it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lint {
    /// All new rows go to one region.
    Hotspot,
    /// Encoded texts do not sort in the order of the texts.
    UnsortedText,
    /// Every row key is long.
    LongKey,
}

impl Lint {
    /// All lints.
    pub const ALL: [Self; 3] = [Self::Hotspot, Self::UnsortedText, Self::LongKey];

    /// Returns the word for this lint in an attribute.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::Lint::Hotspot.word(), "hotspot");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hotspot => "hotspot",
            Self::UnsortedText => "unsorted_text",
            Self::LongKey => "long_key",
        }
    }
}

/// The settings of a key that decide about lints but are not part of its layout.
#[derive(Clone, Debug, Default)]
pub struct LintSettings {
    /// The lints that are silenced.
    pub allow: Vec<Lint>,
    /// For each field, in the order of the layout, whether the values of the field grow with time.
    pub monotonic: Vec<bool>,
    /// The maximum total width, in bytes, of the key prefix, of the fields of fixed width that
    /// every row starts with, and of the tag.
    pub max_fixed_len: Option<u64>,
    /// Whether the salt is computed from fields that it lists by name, instead of from all fields.
    pub salt_names_fields: bool,
    /// Whether the type is a newtype, which is meant to be a field of other keys. A newtype is not
    /// checked for a hotspot here: the compiler checks this where the newtype is a field of another
    /// key, or the key of a table.
    pub newtype: bool,
}

/// Returns the lints that `layout` triggers; `plans` describe how the fields of `layout` are
/// written.
///
/// ```
/// use tallrow_layout::{LintSettings, Place, lint, parse, plan};
///
/// let mut layout = parse("row key Event\nat: i64, rev_ts\n")?.layout;
/// let (plans, _) = plan(&mut layout);
/// assert_eq!(lint(&layout, &plans, &LintSettings::default())[0].place, Place::Field(0));
/// # Ok::<(), tallrow_layout::ParseError>(())
/// ```
pub fn lint(layout: &Layout, plans: &[Plan], settings: &LintSettings) -> Vec<Violation> {
    let mut violations = Violations::default();
    for (at, field) in layout.all_fields().enumerate() {
        unsorted_text(at, field, settings, &mut violations);
    }
    salt(layout, settings, &mut violations);
    hotspot(layout, settings, &mut violations);
    length(layout, plans, settings, &mut violations);
    violations.list
}

impl LintSettings {
    fn allows(&self, lint: Lint) -> bool {
        self.allow.contains(&lint)
    }

    /// Returns whether the attributes of a field show that its values grow with time.
    fn grows(&self, at: usize, field: &Field) -> bool {
        let attributes = field.attributes();
        let monotonic = self.monotonic.get(at).is_some_and(|monotonic| *monotonic);
        let time = attributes.rev_ts.is_some() || attributes.display_time.is_some();
        (monotonic || time) && !is_spread(field)
    }
}

fn is_spread(field: &Field) -> bool {
    field.attributes().md5.is_some() || field.attributes().reverse
}

fn unsorted_text(at: usize, field: &Field, settings: &LintSettings, violations: &mut Violations) {
    let text = matches!(field.ty().innermost(), Type::Text | Type::Unknown(_));
    let End::Byte(sep) = field.attributes().end() else { return };
    let contained = field.attributes().chars.is_some_and(|set| set >> (sep & 0x7f) & 1 == 1);
    if text && !contained && !field.sorts_above_end() && !settings.allows(Lint::UnsortedText) {
        let text = format!(
            "{:?} ({sep:#04x}) sorts above characters of {}, so the rows do not sort as the texts do: \
             use the separator '\\0', name the characters of the field by `chars` so that all sort above the separator, \
             or add `allow(unsorted_text)`",
            char::from(sep),
            field.name()
        );
        violations.add(Place::Attribute(at, Attribute::Sep), text);
    }
}

fn salt(layout: &Layout, settings: &LintSettings, violations: &mut Violations) {
    let SaltOrHash::Salt { hash, .. } = &layout.prefix else { return };
    let mut salted =
        layout.fields.iter().enumerate().filter(|(_, f)| layout.prefix.hashes(f)).peekable();
    if settings.salt_names_fields
        && *hash != SaltFunction::Modulo
        && salted.peek().is_some()
        && salted.all(|(at, field)| settings.grows(at, field))
    {
        violations.add(
            Place::Prefix(Part::Fields),
            "all salted fields grow with time, so the buckets would fill one after the other and \
             the rows of one thing would be scattered; salt the fields that identify it",
        );
    }
}

fn hotspot(layout: &Layout, settings: &LintSettings, violations: &mut Violations) {
    if !settings.newtype && is_hotspot(layout, settings) {
        violations.add(Place::Field(0), hotspot_text("the first field grows with time"));
    }
}

/// Returns whether the attributes of the first field show that its values grow with time, although
/// the first field must not grow with time.
#[doc(hidden)]
pub fn is_hotspot(layout: &Layout, settings: &LintSettings) -> bool {
    let grows = |first| settings.grows(0, first);
    may_be_hotspot(layout, settings) && layout.fields.first().is_some_and(grows)
}

/// Returns whether the first field must not grow with time: the key has no key prefix, the lint is
/// not silenced, and the field is neither hashed nor reversed.
#[doc(hidden)]
pub fn may_be_hotspot(layout: &Layout, settings: &LintSettings) -> bool {
    layout.prefix == SaltOrHash::None
        && !settings.allows(Lint::Hotspot)
        && layout.fields.first().is_some_and(|first| !is_spread(first))
}

/// Returns a hint if the first field must not grow with time, but is an integer whose name suggests
/// that it is a time.
///
/// ```
/// use tallrow_layout::{LintSettings, parse, time_name_hint};
///
/// let layout = parse("row key Event\ncreated: u64\n")?.layout;
/// let hint = time_name_hint(&layout, &LintSettings::default()).unwrap();
/// assert!(
///     hint.starts_with("by its name the first field is a time, so all new rows go to one region")
/// );
/// # Ok::<(), tallrow_layout::ParseError>(())
/// ```
pub fn time_name_hint(layout: &Layout, settings: &LintSettings) -> Option<String> {
    const NAMES: [&str; 5] = ["ts", "time", "timestamp", "created", "created_at"];
    let first = layout.fields.first()?;
    let named = matches!(first.ty(), Type::Int(_)) && NAMES.contains(&first.name());
    (named && !settings.newtype && may_be_hotspot(layout, settings))
        .then(|| hotspot_text("by its name the first field is a time"))
}

fn hotspot_text(cause: &str) -> String {
    format!(
        "{cause}, so all new rows go to one region: put another field first, add `salt(buckets = ..)`, or add \
         `allow(hotspot)`"
    )
}

fn length(layout: &Layout, plans: &[Plan], settings: &LintSettings, violations: &mut Violations) {
    // Every row of an enum contains at least the shared fields and a tag.
    let tag = if layout.records.is_empty() { 0 } else { layout.tag_width };
    let shared = plans.iter().take(layout.fields.len());
    let least = shared
        .filter_map(|plan| plan.width)
        .fold(layout.prefix.width() + tag, usize::saturating_add);
    match settings.max_fixed_len {
        Some(max) if u64::try_from(least).is_ok_and(|least| least > max) => {
            let text = format!(
                "the row key has at least {least} bytes, more than the `max_fixed_len` of {max}"
            );
            violations.add(Place::MaxFixedLen, text);
        }
        None if least > LONG_ROW_LEN && !settings.allows(Lint::LongKey) => {
            let text = format!(
                "the row key has at least {least} bytes, which HBase stores with every cell: \
                 shorten it (ids instead of names, digests of long texts), or add \
                 `allow(long_key)` or `max_fixed_len = {least}`"
            );
            violations.add(Place::Key, text);
        }
        _ => {}
    }
}
