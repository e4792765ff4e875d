//! The program, run as in a terminal.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod help;
mod key;
mod program;
mod splits;
