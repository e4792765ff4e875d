//! Compares the old table with the new one, repairs differences, and finds old keys without a new
//! key.

use std::fmt;

use bytes::Bytes;

use super::cells::{Cells, get_all_versions, read_cells};
use super::handle::KeyMigration;
use super::page::read_page;
use super::state::Part;
use super::table_pair::KeyMigrationInner;
use crate::model::show;
use crate::request::op::{BatchResults, RowOperation};
use crate::runtime::lost_replies::unknown_to_unreachable;
use crate::{Error, Filter, Get, Result, Row, Scan};

/// How many differences are listed.
const LISTED: usize = 1_000;
/// How many rows are compared at once.
const PAGE_ROWS: u64 = 500;
/// How many times a row is compared before it is reported as different.
const COMPARED: usize = 3;

/// A difference between a row of one table and the corresponding row of the other table.
///
/// See [`Verification`] for an example.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// A row of the old table that has no corresponding row in the new table.
    Missing {
        /// The key in the old table.
        old: Bytes,
        /// The key that the row should have in the new table.
        new: Bytes,
    },
    /// Two rows whose cells are different.
    Cells {
        /// The key in the old table.
        old: Bytes,
        /// The key in the new table.
        new: Bytes,
    },
    /// A row of the new table that no longer has a row in the old table, because it was deleted
    /// there.
    Extra {
        /// The key that the row should have in the old table.
        old: Bytes,
        /// The key in the new table.
        new: Bytes,
    },
    /// A row of the new table with a key to which no old key is mapped.
    UnknownKey {
        /// The key in the new table.
        new: Bytes,
    },
    /// A row of the old table whose new key cannot be made, or belongs to another old key.
    NoNewKey {
        /// The key in the old table.
        old: Bytes,
        /// Why the row has no new key.
        why: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = |key| show::row_key(key).to_string();
        match self {
            Self::Missing { old, new } => write!(f, "{} has no new row {}", key(old), key(new)),
            Self::Cells { old, new } => {
                write!(f, "{} and {} have different cells", key(old), key(new))
            }
            Self::Extra { old, new } => {
                write!(f, "the new row {} has no old row {}", key(new), key(old))
            }
            Self::UnknownKey { new } => {
                write!(f, "the new row {} has a key that no old row gets", key(new))
            }
            Self::NoNewKey { old, why } => write!(f, "{} has no new key: {why}", key(old)),
        }
    }
}

/// The result of [`Verification::run`] or [`KeyMigration::check_keys`].
///
/// See [`Verification`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// How many rows of the old table were compared or checked.
    pub rows: u64,
    /// How many rows were different and have been repaired.
    pub repaired: u64,
    /// How many rows are different.
    pub different: u64,
    /// The first 1,000 differences.
    pub differences: Vec<Difference>,
}

impl VerifyReport {
    fn add(&mut self, difference: Difference) {
        self.different += 1;
        if self.differences.len() < LISTED {
            self.differences.push(difference);
        }
    }
}

/// A comparison of the old table with the new table: of all rows, or of a random sample.
///
/// ```
/// # use tallrow::{Client, Delete, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # for table in ["old", "new", "state"] {
/// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
/// # }
/// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
/// # let state = KeyMigrationState::table(client.raw_table("state")?, "orders", "d");
/// # let rekey = KeyMigration::builder(&client, client.raw_table("old")?, client.raw_table("new")?, keys, state);
/// # let rekey = rekey.open().await?;
/// # let (old, new) = (client.raw_table("old")?, client.raw_table("new")?);
/// use tallrow::key_migration::Difference;
///
/// for row in ["a", "b", "c"] {
///     old.put(Put::new(row).cell("d", "q", "v")).await?;
/// }
/// rekey.backfill().run().await?;
/// // A writer that does not know of the new table.
/// old.delete("a").await?;
/// old.put(Put::new("b").cell("d", "q", "w")).await?;
///
/// let found = rekey.verify().run().await?;
/// assert_eq!(
///     found.differences,
///     [
///         Difference::Cells { old: "b".into(), new: "b".into() },
///         Difference::Extra { old: "a".into(), new: "a".into() },
///     ]
/// );
/// let found = rekey.verify().repair().run().await?;
/// assert_eq!((found.repaired, found.different), (2, 0));
/// assert_eq!(rekey.verify().sample_share(0.5).run().await?.different, 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is compared until `run` is called"]
pub struct Verification {
    migration: KeyMigration,
    sample: Option<f32>,
    repair: bool,
}

impl KeyMigration {
    /// Returns a comparison of the two tables. Nothing is compared before
    /// [`run`](Verification::run) is called.
    ///
    /// See [`Verification`] for an example.
    pub fn verify(&self) -> Verification {
        Verification { migration: self.clone(), sample: None, repair: false }
    }

    /// Counts the rows of the old table and of the new table, and returns the two numbers in this
    /// order. They may differ while rows are written.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new", "state"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
    /// # let state = KeyMigrationState::table(client.raw_table("state")?, "orders", "d");
    /// # let rekey = KeyMigration::builder(&client, client.raw_table("old")?, client.raw_table("new")?, keys, state);
    /// # let rekey = rekey.open().await?;
    /// client.raw_table("old")?.put(Put::new("a").cell("d", "q", "v")).await?;
    /// assert_eq!(rekey.count_rows().await?, (1, 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::count`](crate::RawTable::count).
    pub async fn count_rows(&self) -> Result<(u64, u64)> {
        let count = async {
            tokio::try_join!(self.0.old.count(Scan::all()), self.0.new.count(Scan::all()))
        };
        count.await.map_err(|error| error.with_operation("count rows"))
    }

    /// Makes the new key of every row of the old table, and reports the rows that have no new key
    /// of their own: the new key either cannot be made or belongs to another old key. Only row keys
    /// are read. Call this function before anything is copied.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new", "state"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let old = client.raw_table("old")?;
    /// # let state = KeyMigrationState::table(client.raw_table("state")?, "users", "d");
    /// // Names in lower case: Ada and ada would become one row.
    /// let keys = KeyMapping::new(|old| Ok(old.to_ascii_lowercase()), |new| Ok(new.to_vec()));
    /// let rekey = KeyMigration::builder(
    ///     &client,
    ///     client.raw_table("old")?,
    ///     client.raw_table("new")?,
    ///     keys,
    ///     state,
    /// );
    /// let rekey = rekey.open().await?;
    /// for name in ["Ada", "ada", "bob"] {
    ///     old.put(Put::new(name).cell("d", "q", "v")).await?;
    /// }
    /// let found = rekey.check_keys().await?;
    /// assert_eq!((found.rows, found.different), (3, 1));
    /// assert_eq!(
    ///     found.differences[0].to_string(),
    ///     "\"Ada\" has no new key: the new key \"ada\" is that of the old key \"ada\": two rows would become one",
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row).
    pub async fn check_keys(&self) -> Result<VerifyReport> {
        let check = async {
            let mut found = VerifyReport::default();
            let mut rows = self.0.old.scan(Scan::all().keys_only())?;
            while let Some(row) = rows.next_row().await? {
                found.rows += 1;
                if let Err(error) = self.0.keys.new_key_or_bare_error(row.key()) {
                    found.add(no_new_key(&row, &error));
                }
            }
            Ok(found)
        };
        check.await.map_err(|error: Error| error.with_operation("check keys"))
    }
}

impl Verification {
    /// Compares only this share of the rows, from 0 to 1, chosen at random.
    ///
    /// See [`Verification`] for an example of this and the other functions.
    pub fn sample_share(self, part: f32) -> Self {
        Self { sample: Some(part), ..self }
    }

    /// Makes rows of the new table equal to the rows of the old table where they are different.
    pub fn repair(self) -> Self {
        Self { repair: true, ..self }
    }

    /// Compares the rows of the old table with the rows of the new table, then looks for rows of
    /// the new table that the old table does not have.
    ///
    /// A row that is written during the comparison may be reported as different.
    /// [`switch_reads`](KeyMigration::switch_reads) is allowed once the whole table has been copied and a
    /// later comparison of all rows has found no difference.
    ///
    /// # Errors
    /// The errors of scans, gets and puts, after which the comparison may be run again.
    pub async fn run(self) -> Result<VerifyReport> {
        let run = async {
            let inner = &self.migration.0;
            let mut found = VerifyReport::default();
            self.compare_old(&mut found).await?;
            self.compare_new(&mut found).await?;
            let copied = inner.read_ranges().await?;
            let copied = copied.is_some_and(|ranges| ranges.iter().all(|range| range.done));
            if self.sample.is_none() {
                let equal = copied && found.different == 0;
                let text = if equal { "equal" } else { "different" };
                inner.state.write(Part::Verified, text.to_owned()).await?;
            }
            Ok(found)
        };
        let table = self.migration.0.old.name();
        run.await.map_err(|error: Error| {
            unknown_to_unreachable(error).with_operation("verify").on_table(table)
        })
    }

    fn scan(&self, after: Option<&Bytes>) -> Scan {
        let scan = match self.sample {
            Some(part) => Scan::all().filter(Filter::random_row(part)),
            None => Scan::all(),
        };
        after.into_iter().fold(scan, Scan::after)
    }

    async fn compare_old(&self, found: &mut VerifyReport) -> Result<()> {
        let inner = &self.migration.0;
        let mut after = None;
        loop {
            let rows = read_page(&inner.old, self.scan(after.as_ref()), PAGE_ROWS).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last.copy_key());
            found.rows += rows.len() as u64;
            let mut pairs = Vec::new();
            for row in &rows {
                match inner.keys.new_key_or_bare_error(row.key()) {
                    Ok(new) => pairs.push((row, new)),
                    Err(error) => found.add(no_new_key(row, &error)),
                }
            }
            let gets: Vec<_> = pairs.iter().map(|(_, new)| get_all_versions(new)).collect();
            let copies = inner.new.get_all(gets).await;
            for ((row, new), copy) in pairs.into_iter().zip(copies.into_result()?) {
                let source = Cells::of(Some(row));
                if !source.changes_to_copy(&Cells::of(copy.as_ref()), &inner.limits).is_empty() {
                    self.compare_again(row.copy_key(), new, found).await?;
                }
            }
        }
    }

    async fn compare_new(&self, found: &mut VerifyReport) -> Result<()> {
        let inner = &self.migration.0;
        let mut after = None;
        loop {
            let scan = self.scan(after.as_ref()).keys_only();
            let rows = read_page(&inner.new, scan, PAGE_ROWS).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last.copy_key());
            let mut pairs = Vec::new();
            for new in rows.iter().map(Row::copy_key) {
                match inner.keys.old_key(&new) {
                    Some(old) => pairs.push((old, new)),
                    None => found.add(Difference::UnknownKey { new }),
                }
            }
            let exists = pairs.iter().map(|(old, _)| RowOperation::Exists(Get::new(old)));
            let exists: Vec<_> = exists.collect();
            let exists: BatchResults<_> = inner.old.batch(exists).await;
            for ((old, new), outcome) in pairs.into_iter().zip(exists.into_result()?) {
                if !outcome.exists {
                    self.compare_again(old, new, found).await?;
                }
            }
        }
    }

    /// Repairs a row if that is requested, and compares it again, because a writer may have been
    /// between its writes to the two tables.
    async fn compare_again(&self, old: Bytes, new: Bytes, found: &mut VerifyReport) -> Result<()> {
        let inner = &self.migration.0;
        if self.repair {
            let permit = inner.copy_permit().await?;
            found.repaired += u64::from(inner.copy_row_until_equal(&old, &new, permit.end).await?);
        }
        let mut difference = None;
        for _ in 0..COMPARED {
            difference = inner.compare(&old, &new).await?;
            if difference.is_none() {
                return Ok(());
            }
        }
        difference.into_iter().for_each(|difference| found.add(difference));
        Ok(())
    }
}

impl KeyMigrationInner {
    async fn compare(&self, old: &Bytes, new: &Bytes) -> Result<Option<Difference>> {
        let copy = read_cells(&self.new, new).await?;
        let source = read_cells(&self.old, old).await?;
        if source.changes_to_copy(&copy, &self.limits).is_empty() {
            return Ok(None);
        }
        let (old, new) = (old.clone(), new.clone());
        Ok(Some(match (source.is_empty(), copy.is_empty()) {
            (true, _) => Difference::Extra { old, new },
            (_, true) => Difference::Missing { old, new },
            _ => Difference::Cells { old, new },
        }))
    }
}

fn no_new_key(row: &Row, error: &Error) -> Difference {
    Difference::NoNewKey { old: row.copy_key(), why: error.to_string() }
}
