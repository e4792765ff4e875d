//! `RowMutations`: several changes of one row in one step.

use std::sync::Arc;

use bytes::Bytes;

use super::cells::{MutationKind, SingleMutation};
use super::conflict::conflict;
use crate::DeliveryGuarantee;
use crate::model::show;
use crate::request::call_options::CallOptions;

/// Several changes of one row in one step: either all or none of them are made, and a read sees
/// either all or none of them.
///
/// Each change sees the row as it was before the step, and all cells without a timestamp get the
/// same server time. Therefore a step may change a cell only once. These pairs of changes are
/// rejected before anything is sent, on HBase and on Bigtable:
///
/// | two changes of one column | why |
/// |---|---|
/// | two values without a timestamp, or with the same timestamp | one of them would be lost |
/// | a value, and a delete that hides it: a delete without a timestamp, or with the timestamp of the value or a later one | the value would be lost on HBase, whatever the order |
/// | any two of a value, an increment and an append | each would change the row as it was before the step |
///
/// Values with different timestamps are different versions. Within one
/// [`Increment`](crate::Increment), additions to the same counter are added up; within one
/// [`Append`](crate::Append), bytes that are appended to the same cell are joined.
///
/// Increments and appends in a step are applied once, however often the step has to be sent (HBase
/// 2.4 and later; older servers reject them together with other changes).
///
/// ```
/// use tallrow::{Delete, Increment, Put, op::RowMutations};
///
/// let sale = RowMutations::new("book1")
///     .add(Put::new("book1").cell("d", "buyer", "Ada"))
///     .add(Increment::new("book1").add("c", "sold", 1))
///     .add(Delete::new("book1").column("d", "reserved"));
/// assert_eq!(sale.row(), b"book1");
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct RowMutations {
    pub(crate) row: Bytes,
    pub(crate) mutations: Vec<(MutationKind, SingleMutation)>,
    pub(crate) delivery: Option<DeliveryGuarantee>,
    pub(crate) options: Option<Arc<CallOptions>>,
    /// Whether the store makes the changes one after the other, so that one change may write what
    /// another deletes.
    pub(crate) in_order: bool,
}

impl RowMutations {
    /// Makes a step on this row, without changes yet.
    ///
    /// See [`RowMutations`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        Self { row, mutations: Vec::new(), delivery: None, options: None, in_order: false }
    }

    /// Sets what happens when the reply to this step is lost, instead of the settings of its
    /// changes and its table.
    ///
    /// ```
    /// use tallrow::{DeliveryGuarantee, Put, op::RowMutations};
    ///
    /// let step = RowMutations::new("r")
    ///     .add(Put::new("r").cell("d", "q", "v"))
    ///     .delivery(DeliveryGuarantee::AtLeastOnce);
    /// assert_ne!(step, RowMutations::new("r").add(Put::new("r").cell("d", "q", "v")));
    /// ```
    pub fn delivery(mut self, delivery: DeliveryGuarantee) -> Self {
        self.delivery = Some(delivery);
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Returns whether the step has no changes yet; sending such a step is an error.
    ///
    /// ```
    /// assert!(tallrow::op::RowMutations::new("r").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.mutations.is_empty()
    }

    /// Returns what is wrong with a single change of the step or with the changes together, if
    /// anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.mutations.is_empty() {
            return Some("it has nothing to do; add a change to it".into());
        }
        if let Some((_, other)) = self.mutations.iter().find(|(_, cells)| cells.row != self.row) {
            let other = show::row_key(&other.row);
            return Some(format!("one of its changes is of another row, {other}"));
        }
        let of_one = |(kind, cells): &(MutationKind, SingleMutation)| cells.problem(*kind);
        let of_several = || conflict(&self.mutations).filter(|_| !self.in_order);
        self.mutations.iter().find_map(of_one).or_else(of_several)
    }
}
