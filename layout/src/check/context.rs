//! The field that is being checked, with its position in the layout, and the functions that several
//! rules use.

use alloc::format;
use alloc::string::String;

use crate::attributes::{Attribute, Attributes, CompatTarget, DigestPart};
use crate::field::{Field, Int, Type};
use crate::model::{MAX_ROW_LEN, MD5_BYTES, MD5_HEX};
use crate::violation::{Place, Violations};

/// The field that is being checked, and its position in the layout.
#[derive(Clone, Copy)]
pub(super) struct FieldContext<'l> {
    pub(super) field: &'l Field,
    /// The index of the field among all fields of the layout, including those of nested keys.
    pub(super) at: usize,
    /// The compatibility target of the key.
    pub(super) compat: Option<CompatTarget>,
    /// Whether the field is the last field of the row key, or of the nested key that contains it.
    pub(super) last: bool,
}

impl<'l> FieldContext<'l> {
    pub(super) fn attributes(&self) -> &'l Attributes {
        self.field.attributes()
    }

    /// Returns the type of the field, of the value in its `Option`, or of the items of its list.
    pub(super) fn innermost(&self) -> &'l Type {
        self.field.ty().innermost()
    }

    /// Returns whether the field is encoded for a compatibility target.
    pub(super) fn is_compat(&self) -> bool {
        self.compat.is_some() || self.attributes().compat.is_some()
    }

    pub(super) fn ty(&self) -> Place {
        Place::Type(self.at)
    }

    pub(super) fn attribute(&self, attribute: Attribute) -> Place {
        Place::Attribute(self.at, attribute)
    }

    /// Returns the place of the first attribute in `attributes` that the field has.
    pub(super) fn first_of(&self, attributes: &[Attribute]) -> Option<Place> {
        self.attributes().first_of(attributes).map(|attribute| self.attribute(attribute))
    }

    /// Returns whether the type of the field is unknown here, so that only the compiler can check
    /// it.
    pub(super) fn is_unknown(&self) -> bool {
        self.field.ty().is_unknown()
    }

    /// Returns the integer type of the field, of the value in its `Option`, or of the items of its
    /// list.
    pub(super) fn int(&self) -> Option<Int> {
        match self.innermost() {
            Type::Int(int) => Some(*int),
            _ => None,
        }
    }
}

/// Returns the message for a length that exceeds the maximum length of a row key.
pub(super) fn too_long_message() -> String {
    format!("a row key in HBase has at most {MAX_ROW_LEN} bytes")
}

/// Checks the length of the part of an MD5 that is stored.
pub(super) fn digest(part: DigestPart, place: Place, violations: &mut Violations) {
    let max = if part.hex { MD5_HEX } else { MD5_BYTES };
    if !(1..=max).contains(&part.len) {
        let what = if part.hex { "hex digits" } else { "bytes" };
        violations.add(place, format!("an MD5 has {max} {what}: use 1 to {max}"));
    }
}
