//! Tests of the dependencies between crates and files, and of the program that finds them.

mod arrows;
mod reader;
