//! The program, run as in a terminal.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod cluster;
mod copy;
mod diff;
mod doctor;
mod flights;
mod help;
mod import;
mod interrupt;
mod key;
mod lookup;
mod page;
mod program;
mod resume;
mod simulate;
mod splits;
mod table;
