//! The report of the check of a lookup table, and the faults that the check can find.

use std::fmt;

use bytes::Bytes;

use crate::model::show;

/// The result of [`Lookup::fsck`](super::Lookup::fsck): what it read, and the faults that it found.
///
/// See [`Lookup::fsck`](super::Lookup::fsck) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsckReport {
    /// How many names have an id.
    pub names_with_id: u64,
    /// How many ids have a name.
    pub ids_with_name: u64,
    /// The largest id of a mapping in either direction; 0 if there is none.
    pub largest_id: u64,
    /// The counter; 0 if it is absent.
    pub counter: i64,
    /// The faults: a low counter comes first, and shared ids come last.
    pub findings: Vec<Finding>,
}

/// A fault of a lookup table.
///
/// The text of each fault says what [`Lookup::repair`](super::Lookup::repair) does about it:
///
/// ```
/// use tallrow::lookup::Finding;
///
/// let finding = Finding::LeakedId { id: 7, name: "web01".into(), used_id: 6 };
/// assert_eq!(
///     finding.to_string(),
///     "the id 7 has the name \"web01\", which has the id 6; repair deletes the name of 7"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// An id has this name, but the name has no id: a writer stopped before its last step, or is
    /// still at work.
    NameWithoutId {
        /// The id.
        id: u64,
        /// The name that the id has.
        name: Bytes,
    },
    /// Two ids are mapped to this name: one of them leaked when its writer lost a race.
    LeakedId {
        /// The leaked id.
        id: u64,
        /// The name.
        name: Bytes,
        /// The id that the name has.
        used_id: u64,
    },
    /// A name has this id, but the id has no name.
    IdWithoutName {
        /// The name.
        name: Bytes,
        /// The id that the name has.
        id: u64,
    },
    /// One id belongs to several names: the mappings in the two directions contradict each other.
    SharedId {
        /// The id.
        id: u64,
        /// All names that are mapped to the id, or to which the id is mapped.
        names: Vec<Bytes>,
    },
    /// An id, as a row key or as the value of a name, does not have the width of the lookup's ids.
    WrongWidth {
        /// The row.
        row: Bytes,
        /// The id, from the row key or from the value.
        id: Bytes,
    },
    /// The counter is below an id that is in use, so the next ids would be in use too.
    LowCounter {
        /// The counter.
        counter: i64,
        /// The largest id that is in use.
        largest: u64,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameWithoutId { id, name } => {
                let name = show::bytes(name);
                write!(
                    f,
                    "the id {id} has the name {name}, which has no id; repair gives it this one"
                )
            }
            Self::LeakedId { id, name, used_id } => {
                let name = show::bytes(name);
                write!(f, "the id {id} has the name {name}, which has the id {used_id}; ")?;
                write!(f, "repair deletes the name of {id}")
            }
            Self::IdWithoutName { name, id } => {
                let name = show::bytes(name);
                write!(
                    f,
                    "the name {name} has the id {id}, which has no name; repair gives it this one"
                )
            }
            Self::SharedId { id, names } => {
                let names: Vec<_> =
                    names.iter().map(|name| show::bytes(name).to_string()).collect();
                write!(f, "the id {id} is of {} names: {}; ", names.len(), names.join(", "))?;
                f.write_str("which one is right has to be decided, repair leaves them")
            }
            Self::WrongWidth { row, id } => {
                let (row, id) = (show::row_key(row), show::bytes(id));
                write!(f, "the row {row} has an id of another width: {id}; repair leaves it")
            }
            Self::LowCounter { counter, largest } => {
                write!(f, "the counter is {counter}, below the id {largest}; repair raises it")
            }
        }
    }
}
