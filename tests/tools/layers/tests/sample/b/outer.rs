//! Uses a sibling.

pub struct Outer;

impl super::Inner {}
