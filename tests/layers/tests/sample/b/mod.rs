//! Declares and exports, which is no arrow; `c` is one.

mod inner;
mod outer;

pub use inner::Inner;
pub use outer::*;

fn f(_: crate::c::C) {}
