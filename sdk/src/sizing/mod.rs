//! What a table will need before it exists: the size of its rows on disk, and the regions that its
//! rows would be in.

pub mod simulate;
pub mod sizes;
