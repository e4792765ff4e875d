//! The program, run as in a terminal.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod cluster;
mod help;
mod interrupt;
mod key;
mod program;
mod splits;
mod table;
