//! The program: its flags, and what it does from its start to the signal that ends it. The programs
//! `tallrow-mock` and `tallrow mock` differ only in how they read their arguments and print errors.
//! Not part of the public API.

mod error;
mod flags;
mod run;

pub use error::ProgramError;
pub use flags::{EXAMPLES, FLAGS, Flag, READY};
pub use run::{Program, RunningProgram};
