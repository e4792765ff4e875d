//! Tests of the dependencies between crates and files, of the invariants that files state, and of
//! the program that finds both.

mod arrows;
mod invariants;
mod reader;
