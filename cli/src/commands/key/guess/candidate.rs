//! Candidates for the field to which the next bytes of all keys belong.

/// The score of a field whose bytes are unlikely to be anything else.
pub(super) const CERTAIN_SCORE: i32 = 20;

/// A field to which the next bytes of all keys may belong.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The kind of value, from which the field gets its name.
    pub(super) kind: &'static str,
    /// The type and attributes in the text of a schema.
    pub(super) encoding: String,
    pub(super) reason: String,
    /// The strength of the evidence for the candidate; 0 if there is none.
    pub(super) score: i32,
    /// The number of bytes of the field in each key.
    pub(super) widths: Vec<usize>,
}

/// A candidate that was chosen as a field of a layout for whole keys, with its name.
#[derive(Clone, Debug)]
pub(super) struct GuessedField {
    pub(super) name: String,
    pub(super) encoding: String,
    pub(super) reason: String,
    pub(super) score: i32,
}
