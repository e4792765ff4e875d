//! Which cases are not of Bigtable, and why.

/// What Bigtable has not.
const NOT: [(&str, &[&str]); 0] = [];

/// Why a case is not run on Bigtable.
pub(crate) fn why_not(case: &str) -> Option<&'static str> {
    NOT.iter().find(|(_, cases)| cases.contains(&case)).map(|(why, _)| *why)
}
