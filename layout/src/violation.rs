//! Violations of rules, and their places in a layout.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::attributes::Attribute;

/// A function that takes a misspelled name and the known names, and returns the known name that is
/// most similar, if one is similar enough.
pub type Suggest<'s> = &'s dyn for<'n> Fn(&str, &[&'n str]) -> Option<&'n str>;

/// A rule that a layout breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The place of the violation.
    pub place: Place,
    /// What is wrong and how to fix it.
    pub message: Cow<'static, str>,
}

/// A place in a layout. A number is the index of a field or of a record variant. The derive
/// translates a place to a span, and the parser of a schema to a line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The name of the key.
    Key,
    /// The name of the table.
    Table,
    /// The separator for all texts.
    TextSep,
    /// The key prefix, or a part of it.
    Prefix(Part),
    /// The name of a field.
    Field(usize),
    /// The type of a field.
    Type(usize),
    /// An attribute of a field.
    Attribute(usize, Attribute),
    /// The part of an MD5 that a field holds.
    Digest(usize),
    /// The name of a record variant.
    Record(usize),
    /// The tag of a record variant.
    Tag(usize),
    /// The maximum length that is set for the row keys.
    MaxFixedLen,
}

/// A part of the key prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The whole key prefix.
    Whole,
    /// The number of buckets.
    Buckets,
    /// The number of the first bucket.
    BucketOffset,
    /// The number of bytes of a bucket number.
    Width,
    /// The hash function of a salt.
    Hash,
    /// The part of an MD5 that is used.
    Digest,
    /// The byte after the part of an MD5.
    Sep,
    /// The list of the hashed fields.
    Fields,
    /// One of the hashed fields.
    Field(usize),
}

/// The violations found so far.
#[derive(Default)]
pub(crate) struct Violations {
    pub(crate) list: Vec<Violation>,
}

impl Violations {
    pub(crate) fn add(&mut self, place: Place, message: impl Into<Cow<'static, str>>) {
        self.list.push(Violation { place, message: message.into() });
    }
}
