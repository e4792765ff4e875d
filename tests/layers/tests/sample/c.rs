//! Names what a macro made, and a macro of the root; what is another crate's is no arrow.

pub struct C;

shared!();

impl C {
    const X: crate::d::MadeByAMacro = 1;
}

use crate::elsewhere::Foreign;

impl Foreign for crate::elsewhere::Other {}
