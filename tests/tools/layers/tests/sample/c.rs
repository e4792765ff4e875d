//! Uses items defined by a macro, and a macro of the root; items of another crate are no arrows.

pub struct C;

shared!();

impl C {
    const X: crate::d::MadeByAMacro = 1;
}

use crate::elsewhere::Foreign;

impl Foreign for crate::elsewhere::Other {}
