//! Conditions that guard a change.

use super::cells::Cells;
use super::{Condition, Node, Passes, Test};
use crate::op::{Check, CheckAndMutate};

impl<T> Condition<T> {
    /// The condition on a change of this row: a comparison of bytes where one is enough, because that is also evaluated
    /// where there is no row.
    pub(crate) fn on_row(self, row: &[u8]) -> CheckAndMutate {
        if let Node::Test(Test { family, qualifier, absent, cells, passes, .. }) = &self.node {
            let check = Check::new(row, family, qualifier);
            match (cells, passes) {
                (_, Passes::Never) if *absent => return check.is_absent(),
                (Cells::Are(compare, comparator), _) if !absent => {
                    if let Some(operand) = comparator.binary_operand() {
                        return check.is(*compare, operand);
                    }
                }
                _ => {}
            }
        }
        Check::filter(row, self)
    }
}
