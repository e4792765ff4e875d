//! What breaks a rule, and where.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::attributes::Attribute;

/// Finds the one of the names that a misspelled one is most like.
pub type Suggest<'s> = &'s dyn for<'n> Fn(&str, &[&'n str]) -> Option<&'n str>;

/// A rule that a layout breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where.
    pub place: Place,
    /// What is wrong and how to fix it.
    pub message: Cow<'static, str>,
}

/// A place in a layout: the derive has a span for it, the parser of a schema a line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The name of the key.
    Key,
    /// The name of the table.
    Table,
    /// The separator of all texts.
    TextSep,
    /// The key prefix, or a part of it.
    Prefix(Part),
    /// The name of a field.
    Field(usize),
    /// The type of a field.
    Type(usize),
    /// An attribute of a field.
    Attribute(usize, Attribute),
    /// Which part of an MD5 a field holds.
    Digest(usize),
    /// The name of a record variant.
    Record(usize),
    /// The tag of a record variant.
    Tag(usize),
    /// The limit of the length of the row keys.
    MaxFixedLen,
}

/// A part of the key prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    Whole,
    /// The number of buckets.
    Buckets,
    /// The number of the first bucket.
    FloorOffset,
    /// How many bytes the number of a bucket takes.
    Width,
    /// The hash function of a salt.
    Hash,
    /// Which part of an MD5 is used.
    Digest,
    /// The byte after it.
    Sep,
    /// Which fields are hashed.
    Fields,
    /// One of them.
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
