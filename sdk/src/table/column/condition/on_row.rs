//! Conditions that guard a change.

use super::cells::Cells;
use super::{Condition, Node, Passes, Test};
use crate::request::op::{Check, CheckAndMutate};

impl<T> Condition<T> {
    /// The condition on a change of this row. That one cell is absent can only be said by a check
    /// of the cell: a filter never finds a row that does not exist. A single comparison is a check
    /// too, as it names its family and reads one column.
    pub(crate) fn on_row(self, row: &[u8]) -> CheckAndMutate {
        if let Node::Test(Test { family, qualifier, absent, cells, passes, .. }) = &self.node {
            let check = Check::new(row, family, qualifier);
            match (cells, passes) {
                (_, Passes::Never) if *absent => return check.if_not_exists(),
                (Cells::Are(compare, comparator), _) if !absent => {
                    if let Some(operand) = comparator.binary_operand() {
                        return check.if_matches(*compare, operand);
                    }
                }
                _ => {}
            }
        }
        Check::filter(row, self)
    }
}
