//! Named by nobody; has a function that is called as the module it uses.

use crate::c;

pub struct E;

fn c(_: c::C) {}
