//! Estimates for a table before it exists: the size of its rows on disk, and the regions that would
//! hold its rows.

pub mod simulate;
pub mod sizes;
