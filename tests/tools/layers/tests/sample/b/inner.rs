//! Uses its parent, which is a circle.

use super::*;

pub struct Inner(Outer);
