//! The recount of a summary: computes its totals from all rows and corrects its counters.

use super::handle::IndexedTable;
use super::summary::{Summary, Totals};
use crate::table::{Table, WriteRow};
use crate::{Error, Result, Scan};

impl<T: WriteRow + 'static> IndexedTable<T> {
    /// Computes the totals of a summary from all rows, corrects the counters of the summary, and
    /// returns how many counters were wrong. Use it for a new summary of a table that already has
    /// rows, and after writers have stopped half-way. No program may write to the table in the
    /// meantime.
    ///
    /// This function scans the table and the table of the summary, and keeps all totals in memory.
    ///
    /// ```
    /// # use tallrow::{Client, Counter, RowKey, Table, index::{IndexedTable, Summary}};
    /// # #[derive(RowKey)] struct UserId { id: u64 }
    /// # #[derive(RowKey)] struct Country { country: String }
    /// # #[derive(Table)] #[table(name = "users")] #[family("u")]
    /// # struct User { #[key] id: UserId, #[cell("u:c")] country: String }
    /// # #[derive(Table)] #[table(name = "users_of_countries")] #[family("t")]
    /// # struct Users { #[key] country: Country, #[cell("t:n")] users: Counter }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<User>().await?;
    /// # client.admin().create::<Users>().await?;
    /// // A user of the time before the summary.
    /// client.table::<User>().put(&User { id: UserId { id: 1 }, country: "FR".into() }).await?;
    /// let per_country = Summary::new(client.table::<Users>(), [Users::USERS], |user: &User| {
    ///     [(Country { country: user.country.clone() }, [1])]
    /// });
    /// let users = IndexedTable::builder(client.table::<User>()).summary(&per_country).build()?;
    /// assert_eq!(users.correct_counters(&per_country).await?, 1);
    /// let france = client.table::<Users>().get(&Country { country: "FR".into() }).await?;
    /// assert_eq!(france.unwrap().users, Counter(1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row) and
    /// [`RawTable::increment`](crate::RawTable::increment); [`Decode`](crate::ErrorKind::Decode)
    /// for a row that does not match the type. This function may be called again after any of these
    /// errors.
    pub async fn correct_counters<S: Table>(&self, summary: &Summary<T, S>) -> Result<u64> {
        let recount = async {
            let definition = &summary.definition;
            let mut totals = Totals::new();
            let scan = Scan { columns: (**self.state.table.columns()).clone(), ..Scan::all() };
            let mut rows = self.state.raw.scan(scan)?;
            while let Some(row) = rows.next_row().await? {
                definition.add(&mut totals, &T::from_row(&row)?, 1)?;
            }
            let table = definition.table()?;
            let counters = definition.counters.iter();
            let scan = counters.fold(Scan::all(), |scan, (f, qualifier)| scan.column(f, qualifier));
            let mut rows = table.scan(scan)?;
            while let Some(row) = rows.next_row().await? {
                let none = || vec![0; definition.counters.len()];
                let sums = totals.entry(row.copy_key()).or_insert_with(none);
                for (sum, (family, qualifier)) in sums.iter_mut().zip(definition.counters.iter()) {
                    *sum = sum.wrapping_sub(row.counter(family, qualifier)?.unwrap_or(0));
                }
            }
            let wrong = totals.values().flatten().filter(|by| **by != 0).count() as u64;
            for increment in definition.increments_of(totals) {
                table.increment(increment).await?;
            }
            Ok(wrong)
        };
        recount.await.map_err(|error: Error| error.with_operation("correct counters"))
    }
}
