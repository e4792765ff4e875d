//! Conditions that guard a change of a row.

use super::cells::CellSet;
use super::{Condition, Node, Passes, Test};
use crate::request::op::{Check, CheckAndMutate};

impl<T> Condition<T> {
    /// Converts the condition to the check that guards a change of this row. A single test that a
    /// cell is absent becomes a check of this cell, because a filter never finds a row that does
    /// not exist. A single test that needs only one comparison of bytes also becomes a check of its
    /// cell, because such a check contains the family and reads only one column. Every other
    /// condition becomes a filter.
    pub(crate) fn into_check(self, row: &[u8]) -> CheckAndMutate {
        if let Node::Test(Test { family, qualifier, absent, cells, passes, .. }) = &self.node {
            let check = Check::new(row, family, qualifier);
            match (cells, passes) {
                (_, Passes::Never) if *absent => return check.if_not_exists(),
                (CellSet::Matching(compare, comparator), _) if !absent => {
                    if let Some(operand) = comparator.binary_operand() {
                        return check.if_matches(*compare, operand);
                    }
                }
                _ => {}
            }
        }
        Check::if_row_matches(row, self)
    }
}
