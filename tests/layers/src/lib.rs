//! Which file of a crate names what is defined in which other, read from the sources.
//!
//! An arrow goes from a file to the file that defines an item it names: in a `use`, or by a path in its code. `mod x;`
//! and `pub use` are no arrows, and tests are left out. Tokens are read rather than a syntax tree, so that what stands
//! inside of macros counts as well.

mod drawing;
mod graph;
mod resolve;
mod source;
mod tokens;
mod workspace;

pub use drawing::{ARCHITECTURE, drawing, drawn_into};
pub use graph::{Circle, Graph};
pub use workspace::{Package, Workspace};
