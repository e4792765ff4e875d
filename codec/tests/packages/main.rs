//! Packages as users would have them, built by cargo.

mod generic;
mod lock;
mod package;
