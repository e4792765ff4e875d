//! Not used; has a function with the name of the module that it uses.

use crate::c;

pub struct E;

fn c(_: c::C) {}
