//! Named by nobody.

pub struct E;
