//! Tests of the dependencies between crates and files, of the invariants that files state, of the
//! page about the architecture, and of the program that finds them.

mod architecture;
mod arrows;
mod invariants;
mod reader;
