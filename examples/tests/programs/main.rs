//! The examples, as `cargo run --example` runs them.

mod flights;
mod program;
mod quickstart;
