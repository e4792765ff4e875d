//! What the suites share: a place to work in, on a mock cluster or a real one; a real one to take apart.

mod hbase;
mod place;
mod random;

pub use hbase::Hbase;
pub use place::{MUST, Place, real, say_skipped};
pub use random::Random;
