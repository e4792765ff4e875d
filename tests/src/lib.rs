//! Shared by the suites: clients and tables on a mock cluster or a real one, and a real cluster that a test controls.

mod hbase;
mod place;
mod random;

pub use hbase::Hbase;
pub use place::{MUST, Place, real, say_skipped};
pub use random::Random;
