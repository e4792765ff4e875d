//! What the suites share: a place to work in, on a mock cluster or a real one.

mod place;

pub use place::{Place, real, say_skipped};
