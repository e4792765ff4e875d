//! Finds in the sources of a crate which of its files use definitions of which others, and which
//! invariants the headers of its files state.
//!
//! An arrow goes from a file to the file that defines an item it names: in a `use`, or by a path in
//! its code. `mod x;` and `pub use` are no arrows, and tests are left out. It reads tokens and not
//! a syntax tree, so that code inside macros counts as well.

mod drawing;
mod graph;
mod invariants;
mod resolve;
mod source;
mod tokens;
mod workspace;

pub use drawing::drawing;
pub use graph::{Circle, Graph};
pub use invariants::{Invariant, invariant_table, invariants, sources};
pub use workspace::{Package, Workspace};
