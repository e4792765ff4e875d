//! Candidates for the field that the next bytes of all keys may be.

/// The score of a field that other bytes would hardly resemble.
pub(super) const CERTAIN: i32 = 20;

/// A field that the next bytes may be.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The kind of value, from which the field gets its name.
    pub(super) kind: &'static str,
    /// The type and attributes in the text of a schema.
    pub(super) encoding: String,
    pub(super) reason: String,
    /// The strength of the evidence for the candidate; 0 if there is none.
    pub(super) score: i32,
    /// The number of bytes that the field has in each key.
    pub(super) widths: Vec<usize>,
}

/// A candidate with a name, in a layout of whole keys.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) encoding: String,
    pub(super) reason: String,
    pub(super) score: i32,
}
