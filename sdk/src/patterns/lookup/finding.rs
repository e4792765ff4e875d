//! What the check of a lookup table returns: its report, and the faults that it can find.

use std::fmt;

use bytes::Bytes;

use crate::model::show;

/// What [`Lookup::fsck`](super::Lookup::fsck) read and found.
///
/// See [`Lookup::fsck`](super::Lookup::fsck) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsckReport {
    /// How many names have an id.
    pub forward: u64,
    /// How many ids have a name.
    pub reverse: u64,
    /// The largest id of a mapping in either direction; 0 if there is none.
    pub largest: u64,
    /// The counter; 0 if it is absent.
    pub counter: i64,
    /// What is wrong: first the counter, last what contradicts itself.
    pub findings: Vec<Finding>,
}

/// A fault of a lookup table.
///
/// The text of each says what [`Lookup::repair`](super::Lookup::repair) does about it:
///
/// ```
/// use tallrow::lookup::Finding;
///
/// let finding = Finding::Leaked { id: 7, name: "web01".into(), used: 6 };
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
    /// Two ids have this name: one was leaked by a lost race.
    Leaked {
        /// The leaked id.
        id: u64,
        /// The name.
        name: Bytes,
        /// The id that the name has.
        used: u64,
    },
    /// A name has this id, but the id has no name.
    IdWithoutName {
        /// The name.
        name: Bytes,
        /// The id that the name has.
        id: u64,
    },
    /// One id is of several names: the mappings in the two directions contradict each other.
    SharedId {
        /// The id.
        id: u64,
        /// The names that it is mapped from or to.
        names: Vec<Bytes>,
    },
    /// A row of an id, or the id of a name, has another width than ids have.
    WrongWidth {
        /// The row.
        row: Bytes,
        /// The id, in the row key or its value.
        id: Bytes,
    },
    /// The counter is below an id that is in use, so the next ids would be in use too.
    LowCounter {
        /// The counter.
        counter: i64,
        /// The largest id.
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
            Self::Leaked { id, name, used } => {
                let name = show::bytes(name);
                write!(f, "the id {id} has the name {name}, which has the id {used}; ")?;
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
