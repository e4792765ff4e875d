//! Declares and re-exports, which are no arrows; uses `c`.

mod inner;
mod outer;

pub use inner::Inner;
pub use outer::*;

fn f(_: crate::c::C) {}
