//! The positions of the parts of a layout in its text.

use alloc::vec::Vec;

use crate::attributes::Attribute;
use crate::violation::{Part, Place};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

/// The positions of the parts of a layout.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    pub(super) places: Vec<(Place, Position)>,
}

impl Positions {
    pub(super) fn add(&mut self, place: Place, position: Position) {
        self.places.push((place, position));
    }

    /// Returns the position of `place`. If the text has no position for `place`, returns the
    /// position of the part of the layout that contains it.
    ///
    /// See [`crate`] for an example.
    pub fn of(&self, place: Place) -> Position {
        let found = |place: Place| {
            self.places.iter().find(|(own, _)| *own == place).map(|(_, position)| *position)
        };
        let outer = match place {
            Place::Attribute(field, Attribute::Pad) => {
                found(Place::Attribute(field, Attribute::Width)).or(found(Place::Field(field)))
            }
            Place::Digest(field) => found(Place::Attribute(field, Attribute::Md5)),
            Place::Attribute(field, _) | Place::Type(field) => found(Place::Field(field)),
            Place::Tag(record) => found(Place::Record(record)),
            Place::Prefix(Part::Field(_)) => {
                found(Place::Prefix(Part::Fields)).or(found(Place::Prefix(Part::Whole)))
            }
            Place::Prefix(_) => found(Place::Prefix(Part::Whole)),
            _ => None,
        };
        found(place).or(outer).unwrap_or(Position { line: 1, column: 1 })
    }
}
