//! What the next bytes of all keys may be.

/// The score of a field that other bytes would hardly look like.
pub(super) const CERTAIN: i32 = 20;

/// A field that the next bytes may be.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// What kind of value it is, for a name.
    pub(super) kind: &'static str,
    /// Its type and attributes in the text of a schema.
    pub(super) encoding: String,
    pub(super) reason: String,
    /// How much speaks for it; 0 if nothing does.
    pub(super) score: i32,
    /// How many bytes of each key it takes.
    pub(super) widths: Vec<usize>,
}

/// A candidate with a name, in a layout of all bytes.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) encoding: String,
    pub(super) reason: String,
    pub(super) score: i32,
}
