//! The layout of a row key as a value.

pub(crate) mod compose;
mod kind;

pub use kind::Kind;
