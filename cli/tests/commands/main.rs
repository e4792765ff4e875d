//! The program, run as in a terminal.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod cluster;
mod copy;
mod diff;
mod doctor;
mod equal;
mod flights;
mod formats;
mod help;
mod import;
mod interrupt;
mod key;
mod layouts;
mod lookup;
mod mistakes;
mod mock;
mod page;
mod program;
mod refused;
mod resume;
mod simulate;
mod splits;
mod table;
