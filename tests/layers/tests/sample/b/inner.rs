//! Names its parent, as a circle.

use super::*;

pub struct Inner(Outer);
