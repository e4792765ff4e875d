//! The programs, as `cargo run --example` runs them, and the pages of the book that name them.

mod pages;
mod shown;
mod spread;
