//! Conditions that guard a change.

use super::cells::Cells;
use super::{Condition, Node, Passes, Test};
use crate::{Check, CheckAndMutate};

impl<T> Condition<T> {
    /// What is looked at before this row is changed: where one comparison of bytes is enough, that, because it is asked
    /// of rows that are not there too.
    pub(in crate::table) fn check(self, row: &[u8]) -> CheckAndMutate {
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
