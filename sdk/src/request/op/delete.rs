//! `Delete`: removes a row, or some of its families, columns or versions.

use super::cells::SingleMutation;
use crate::model::cell::CellType;
use crate::{DeliveryGuarantee, Timestamp};

/// Deletes a row, or some of its families, columns or versions, all of them or none.
///
/// HBase writes delete markers, which hide older cells until a major compaction removes both. A
/// marker without a timestamp gets the server's time, and hides all cells that were written up to
/// this time, including a later put in the same millisecond. The [`DeliveryGuarantee`] of a delete
/// determines what happens when the reply is lost: by default the delete is not sent again, and its
/// outcome is reported as unknown.
///
/// ```
/// use tallrow::{Delete, Timestamp};
///
/// let row = Delete::from("row1");
/// let some = Delete::new("row1").family("tmp").column("d", "name").version(
///     "d",
///     "age",
///     Timestamp::from_millis(5),
/// );
/// assert_eq!(row.row(), some.row());
/// ```
///
/// | function | what is hidden | marker |
/// |---|---|---|
/// | none of these | all cells of the row | `DeleteFamily` for each family |
/// | [`until`](Self::until) | all cells of the row up to a time | the same, with that time |
/// | [`family`](Self::family) | all cells of a family | `DeleteFamily` |
/// | [`family_until`](Self::family_until) | those up to a time | `DeleteFamily` |
/// | [`family_version`](Self::family_version) | those of exactly one time | `DeleteFamilyVersion` |
/// | [`column`](Self::column) | all versions of a column | `DeleteColumn` |
/// | [`column_until`](Self::column_until) | those up to a time | `DeleteColumn` |
/// | [`version`](Self::version) | that of exactly one time | `Delete` |
/// | [`newest_version`](Self::newest_version) | the newest one | `Delete` |
///
/// ```
/// use tallrow::{Client, Delete, FamilyDescriptor, Put, TableDescriptor, Timestamp};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let family = FamilyDescriptor::new("d").versions(3);
/// client.admin().create_table(&TableDescriptor::new("t")?.family(family)).await?;
/// let table = client.raw_table("t")?;
/// let at = Timestamp::from_millis;
/// for (time, value) in [(1, "a"), (2, "b"), (3, "c")] {
///     table.put(Put::new("r").cell_at("d", "q", at(time), value)).await?;
/// }
///
/// table.delete(Delete::new("r").newest_version("d", "q")).await?;
/// assert_eq!(table.get("r").await?.unwrap().value("d", "q"), Some(&b"b"[..]));
/// table.delete(Delete::new("r").version("d", "q", at(1))).await?;
/// assert_eq!(table.get("r").await?.unwrap().value("d", "q"), Some(&b"b"[..]));
/// table.delete("r").await?;
/// assert_eq!(table.get("r").await?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct Delete {
    pub(crate) cells: SingleMutation,
}

impl Delete {
    /// Makes a delete of the whole row; if families, columns or versions are added, it deletes only
    /// these.
    ///
    /// See [`Delete`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Deletes only the cells of the row with this timestamp or an older one.
    ///
    /// ```
    /// # use tallrow::{Delete, Timestamp};
    /// let old = Delete::new("r").until(Timestamp::from_millis(1_000));
    /// assert_ne!(old, Delete::new("r"));
    /// ```
    pub fn until(mut self, timestamp: Timestamp) -> Self {
        self.cells.until = Some(timestamp);
        self
    }

    /// Deletes this family (a `DeleteFamily` marker).
    pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
        self.cells.push(family, b"", None, CellType::DeleteFamily, b"");
        self
    }

    /// Deletes the cells of this family with this timestamp or an older one (a `DeleteFamily`
    /// marker).
    ///
    /// ```
    /// # use tallrow::{Delete, Timestamp};
    /// let old = Delete::new("r").family_until("d", Timestamp::from_millis(1_000));
    /// assert_ne!(old, Delete::new("r").family("d"));
    /// ```
    pub fn family_until(mut self, family: impl AsRef<[u8]>, timestamp: Timestamp) -> Self {
        self.cells.push(family, b"", Some(timestamp), CellType::DeleteFamily, b"");
        self
    }

    /// Deletes every cell of this family with exactly this timestamp (a `DeleteFamilyVersion`
    /// marker).
    ///
    /// ```
    /// # use tallrow::{Delete, Timestamp};
    /// let one = Delete::new("r").family_version("d", Timestamp::from_millis(1_000));
    /// assert_eq!(one.row(), b"r");
    /// ```
    pub fn family_version(mut self, family: impl AsRef<[u8]>, timestamp: Timestamp) -> Self {
        self.cells.push(family, b"", Some(timestamp), CellType::DeleteFamilyVersion, b"");
        self
    }

    /// Deletes all versions of this column (a `DeleteColumn` marker).
    pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.cells.push(family, qualifier, None, CellType::DeleteColumn, b"");
        self
    }

    /// Deletes the versions of this column with this timestamp or an older one (a `DeleteColumn`
    /// marker).
    ///
    /// ```
    /// # use tallrow::{Delete, Timestamp};
    /// let old = Delete::new("r").column_until("d", "q", Timestamp::from_millis(1_000));
    /// assert_ne!(old, Delete::new("r").column("d", "q"));
    /// ```
    pub fn column_until(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
    ) -> Self {
        self.cells.push(family, qualifier, Some(timestamp), CellType::DeleteColumn, b"");
        self
    }

    /// Deletes the version of this column with exactly this timestamp (a `Delete` marker).
    pub fn version(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
    ) -> Self {
        self.cells.push(family, qualifier, Some(timestamp), CellType::Delete, b"");
        self
    }

    /// Deletes the newest version of this column (a `Delete` marker); the next older version
    /// becomes visible again. Repeating the delete would delete that version too, so if the reply
    /// is lost, the outcome is reported as unknown.
    ///
    /// ```
    /// # use tallrow::Delete;
    /// assert_eq!(Delete::new("r").newest_version("d", "q").row(), b"r");
    /// ```
    pub fn newest_version(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.cells.push(family, qualifier, None, CellType::Delete, b"");
        self.cells.must_not_repeat = true;
        self
    }

    /// Sets what happens when the reply to this delete is lost, instead of the table's setting.
    ///
    /// ```
    /// use tallrow::{Delete, DeliveryGuarantee};
    /// assert_eq!(Delete::new("r").delivery(DeliveryGuarantee::AtLeastOnce).row(), b"r");
    /// ```
    pub fn delivery(mut self, delivery: DeliveryGuarantee) -> Self {
        self.cells.delivery = Some(delivery);
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.cells.row
    }
}

impl<R: AsRef<[u8]>> From<R> for Delete {
    fn from(row: R) -> Self {
        Self::new(row)
    }
}
