//! The properties that every encoding must have, alone and next to any other, with all pairs of
//! values.
//!
//! A package of its own, without code for each encoding, because its loops have to be compiled with
//! optimization.

mod layout;
mod part;
mod rows;

pub use layout::{Key, Layout, all_properties};
pub use part::{Ends, Part, Probe};
pub use rows::{Rows, ValueOf};
