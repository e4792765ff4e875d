//! The arrows between crates and files, and the reader that finds them.

mod arrows;
mod reader;
