use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;

use super::cells::{Cells, MutationKind};
use crate::call_options::CallOptions;
use crate::cell::CellType;
use crate::{DeliveryGuarantee, Timestamp, show};

/// Several changes of one row, all of them or none: a read sees either all of them or none.
///
/// They are one step: each sees the row as it was before, and all cells without a time get the same server time.
/// Therefore two of them must not write the same column, and one without a time must not delete what another writes,
/// because its marker would hide it. Both are errors before anything is sent.
///
/// Increments and appends in it are applied once, however often it has to be sent (HBase 2.4 and later; older servers
/// reject them together with other changes).
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
    pub(crate) mutations: Vec<(MutationKind, Cells)>,
    pub(crate) delivery: Option<DeliveryGuarantee>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl RowMutations {
    /// Changes of this row, none yet.
    ///
    /// See [`RowMutations`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        Self { row, mutations: Vec::new(), delivery: None, options: None }
    }

    /// What happens when its reply is lost, instead of the settings of its parts and its table.
    ///
    /// ```
    /// use tallrow::{DeliveryGuarantee, Put, op::RowMutations};
    ///
    /// let step = RowMutations::new("r").add(Put::new("r").cell("d", "q", "v")).delivery(DeliveryGuarantee::AtLeastOnce);
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

    /// Whether it changes nothing yet; such a step is an error.
    ///
    /// ```
    /// assert!(tallrow::op::RowMutations::new("r").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.mutations.is_empty()
    }

    /// What is wrong with its changes together, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.mutations.is_empty() {
            return Some("it has nothing to do; add a change to it".into());
        }
        if let Some((_, other)) = self.mutations.iter().find(|(_, cells)| cells.row != self.row) {
            let other = show::row_key(&other.row);
            return Some(format!("one of its changes is of another row, {other}"));
        }
        if self.mutations.len() > 1 { conflict(&self.mutations) } else { None }
    }
}

/// What would be lost if these were made in one step, if anything.
fn conflict(mutations: &[(MutationKind, Cells)]) -> Option<String> {
    let mut written: HashMap<(Bytes, Bytes, Option<Timestamp>), usize> = HashMap::new();
    let mut whole_row = false;
    let mut families: HashSet<Bytes> = HashSet::new();
    let mut columns: HashSet<(Bytes, Bytes)> = HashSet::new();
    for (at, (kind, cells)) in mutations.iter().enumerate() {
        whole_row |= cells.deletes_row(*kind);
        for cell in cells.cells.cells() {
            let (family, qualifier) = (cell.share(cell.family()), cell.share(cell.qualifier()));
            let timestamp = cell.given_timestamp();
            match cell.kind() {
                CellType::Put => {
                    let column = show::column(&family, &qualifier);
                    let before = written.insert((family, qualifier, timestamp), at);
                    if before.is_some_and(|before| before != at) {
                        return Some(format!(
                            "column {column} is written by two of its changes, which are one step; write it in one of them"
                        ));
                    }
                }
                _ if timestamp.is_some() => {}
                CellType::DeleteFamily | CellType::DeleteFamilyVersion => {
                    families.insert(family);
                }
                CellType::Delete | CellType::DeleteColumn => {
                    columns.insert((family, qualifier));
                }
            }
        }
    }
    let hidden = written.into_keys().find_map(|(family, qualifier, timestamp)| {
        let column = show::column(&family, &qualifier);
        let hides = timestamp.is_none()
            && (whole_row || families.contains(&family) || columns.contains(&(family, qualifier)));
        hides.then_some(column)
    });
    hidden.map(|column| {
        format!(
            "column {column} is written and deleted in one step, so at one time, and the delete would hide what is \
             written; delete other columns by name, or only what is older than a time"
        )
    })
}
