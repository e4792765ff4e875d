//! `Put`: writes cells of one row.

use std::time::Duration;

use super::cells::SingleMutation;
use crate::model::cell::{Cell, CellType};
use crate::{DeliveryGuarantee, Error, Result, Timestamp};

/// Writes cells of one row, all of them or none.
///
/// Cells without a timestamp get the server's time. Two values of one column are two versions if
/// they have different timestamps. If both have the same timestamp, or both have none, the put is
/// an error. The [`DeliveryGuarantee`] of a put determines what happens when the reply is lost: by
/// default the put is not sent again, and its outcome is reported as unknown. A put whose cells all
/// have a timestamp is sent again until it is answered, since repeating it changes nothing.
///
/// ```
/// use tallrow::{Put, Timestamp};
///
/// let put = Put::new("row1").cell("d", "name", "Ada").cell_at(
///     "d",
///     "age",
///     Timestamp::from_millis(5),
///     [36],
/// );
/// assert_eq!(put.row(), b"row1");
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct Put {
    pub(crate) cells: SingleMutation,
}

impl Put {
    /// Makes a put on this row, without cells yet.
    ///
    /// See [`Put`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Writes this value with the server's time.
    pub fn cell(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Self {
        self.cells.push(family, qualifier, None, CellType::Put, value.as_ref());
        self
    }

    /// Writes this value with this timestamp.
    pub fn cell_at(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
        value: impl AsRef<[u8]>,
    ) -> Self {
        self.cells.push(family, qualifier, Some(timestamp), CellType::Put, value.as_ref());
        self
    }

    /// Adds a value with this timestamp, or with the server's time if there is none.
    pub(crate) fn push(
        &mut self,
        family: &[u8],
        qualifier: &[u8],
        timestamp: Option<Timestamp>,
        value: &[u8],
    ) {
        self.cells.push(family, qualifier, timestamp, CellType::Put, value);
    }

    /// Makes the cells expire when `ttl` has passed since their timestamps, or earlier if the
    /// family's time to live is shorter. With [`Duration::MAX`], only the time to live of the
    /// family applies.
    ///
    /// ```
    /// # use tallrow::Put;
    /// let put = Put::new("r").cell("d", "code", "4711").ttl(std::time::Duration::from_secs(60));
    /// assert!(!put.is_empty());
    /// ```
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.cells.ttl = Some(ttl);
        self
    }

    /// Sets what happens when the reply to this put is lost, instead of the table's setting.
    ///
    /// See [`DeliveryGuarantee`] for an example.
    pub fn delivery(mut self, delivery: DeliveryGuarantee) -> Self {
        self.cells.delivery = Some(delivery);
        self
    }

    /// Returns the cells that the put writes; fails if one of them is invalid.
    pub(crate) fn cells(&self) -> Result<impl Iterator<Item = Cell> + use<>> {
        self.cells.decode_cells().map_err(Error::invalid)
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.cells.row
    }

    /// Returns whether the put has no cells yet; sending such a put is an error.
    ///
    /// ```
    /// assert!(tallrow::Put::new("r").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.cells.cells.is_empty()
    }
}
