//! Summaries: totals over the rows of a table, kept in the counters of another table.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;

use crate::key::RowKey;
use crate::table::column::Column;
use crate::table::private::ColumnName;
use crate::table::{Table, TypedTable};
use crate::{Counter, Error, Increment, RawTable, Result};

/// Totals over rows of type `T`, kept in the counters of a table with rows of type `S`; cheap to
/// clone.
///
/// The function that is passed to [`Summary::new`] gets a row of type `T`. It returns the rows of
/// the summary in which this row is counted, and the amounts that it adds to their counters. An
/// [`IndexedTable`](super::IndexedTable) that is built with the summary adds these amounts when a
/// row is put, and subtracts the old amounts when the row is changed or deleted. This costs one
/// increment for each row of the summary whose totals change. The increments are sent after the
/// change itself.
///
/// The totals are exact with any number of writers, because a row is changed only if nobody else
/// has changed it since it was read. On HBase they stay exact when the reply to an increment is
/// lost and the increment is sent again, because the servers recognize it and apply it once. The
/// totals are not exact if a writer stops between its change and the increments, or if the change
/// or an increment ends in [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown). On Bigtable, every
/// increment whose reply is lost ends in this error. In these cases no amount is counted twice, but
/// some amounts may be missing. [`correct_counters`](super::IndexedTable::correct_counters) corrects the totals.
///
/// ```
/// use tallrow::{
///     Client, Counter, RowKey, Table,
///     index::{IndexedTable, Summary},
/// };
///
/// #[derive(RowKey)]
/// struct SaleId {
///     id: u64,
/// }
/// #[derive(RowKey)]
/// struct Day {
///     shop: u16,
///     day: u32,
/// }
///
/// #[derive(Table)]
/// #[table(name = "sales")]
/// #[family("s")]
/// struct Sale {
///     #[key]
///     id: SaleId,
///     #[cell("s:s")]
///     shop: u16,
///     #[cell("s:d")]
///     day: u32,
///     #[cell("s:c")]
///     cents: i64,
/// }
///
/// #[derive(Table)]
/// #[table(name = "sales_by_day")]
/// #[family("t")]
/// struct DayTotal {
///     #[key]
///     day: Day,
///     #[cell("t:n")]
///     sales: Counter,
///     #[cell("t:c")]
///     cents: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create::<Sale>().await?;
/// client.admin().create::<DayTotal>().await?;
/// let totals = client.table::<DayTotal>();
/// let by_day = Summary::new(totals.clone(), [DayTotal::SALES, DayTotal::CENTS], |sale: &Sale| {
///     [(Day { shop: sale.shop, day: sale.day }, [1, sale.cents])]
/// });
/// let sales = IndexedTable::builder(client.table::<Sale>()).summary(&by_day).build()?;
///
/// for (id, cents) in [(1, 500), (2, 250), (1, 400)] {
///     sales.put(&Sale { id: SaleId { id }, shop: 3, day: 20_000, cents }).await?;
/// }
/// let total = totals.get(&Day { shop: 3, day: 20_000 }).await?.unwrap();
/// assert_eq!((total.sales, total.cents), (Counter(2), Counter(650)));
///
/// sales.delete(&SaleId { id: 2 }).await?;
/// let total = totals.get(&Day { shop: 3, day: 20_000 }).await?.unwrap();
/// assert_eq!((total.sales, total.cents), (Counter(1), Counter(400)));
/// assert_eq!(sales.correct_counters(&by_day).await?, 0);
/// # Ok(())
/// # }
/// ```
pub struct Summary<T, S> {
    pub(super) definition: SummaryDefinition<T>,
    of: PhantomData<fn() -> S>,
}

/// Returns the rows of the summary in which a row is counted, and the amount to add to each
/// counter.
type Amounts<T> = dyn Fn(&T) -> Result<Vec<(Bytes, Vec<i64>)>> + Send + Sync;
pub(super) type Totals = BTreeMap<Bytes, Vec<i64>>;

/// A summary without the type of its rows.
pub(super) struct SummaryDefinition<T> {
    table: Result<RawTable, String>,
    pub(super) counters: Arc<[ColumnName]>,
    amounts: Arc<Amounts<T>>,
}

impl<T, S: Table> Summary<T, S> {
    /// Creates a summary whose totals are kept in these counters of `table`. `amounts` returns the
    /// keys of the summary rows in which a row is counted, and the amounts to add to the counters,
    /// in the order of `counters`.
    ///
    /// See [`Summary`] for an example.
    pub fn new<const N: usize, I: IntoIterator<Item = (S::Key, [i64; N])>>(
        table: TypedTable<S>,
        counters: [Column<S, Counter>; N],
        amounts: impl Fn(&T) -> I + Send + Sync + 'static,
    ) -> Self {
        let encode = |(key, amounts): (S::Key, [i64; N])| {
            Ok((Bytes::copy_from_slice(key.encode_key()?.as_ref()), amounts.to_vec()))
        };
        let amounts = move |row: &T| amounts(row).into_iter().map(encode).collect();
        let table = table.raw().cloned().map_err(|error| error.to_string());
        let counters =
            counters.iter().map(|column| (column.family(), column.qualifier())).collect();
        let definition = SummaryDefinition { table, counters, amounts: Arc::new(amounts) };
        Self { definition, of: PhantomData }
    }
}

impl<T> SummaryDefinition<T> {
    pub(super) fn table(&self) -> Result<&RawTable> {
        self.table.as_ref().map_err(|why| Error::invalid(why.clone()))
    }

    /// Returns the increments of the totals if the row `old` becomes the row `new`.
    pub(super) fn increments(&self, old: Option<&T>, new: Option<&T>) -> Result<Vec<Increment>> {
        let mut totals = Totals::new();
        for (row, sign) in [(old, -1), (new, 1)] {
            if let Some(row) = row {
                self.add(&mut totals, row, sign)?;
            }
        }
        Ok(self.increments_of(totals))
    }

    pub(super) fn add(&self, totals: &mut Totals, row: &T, sign: i64) -> Result<()> {
        for (row, amounts) in (self.amounts)(row)? {
            let sums = totals.entry(row).or_insert_with(|| vec![0; amounts.len()]);
            for (sum, by) in sums.iter_mut().zip(amounts) {
                *sum = sum.wrapping_add(by.wrapping_mul(sign));
            }
        }
        Ok(())
    }

    pub(super) fn increments_of(&self, totals: Totals) -> Vec<Increment> {
        let increment = |(row, sums): (Bytes, Vec<i64>)| {
            let changed = self.counters.iter().zip(sums).filter(|(_, by)| *by != 0);
            let (mut increment, mut is_empty) = (Increment::new(row), true);
            for ((family, qualifier), by) in changed {
                (increment, is_empty) = (increment.add(family, qualifier, by), false);
            }
            (!is_empty).then_some(increment)
        };
        totals.into_iter().filter_map(increment).collect()
    }
}

impl<T> Clone for SummaryDefinition<T> {
    fn clone(&self) -> Self {
        let (table, counters) = (self.table.clone(), self.counters.clone());
        Self { table, counters, amounts: self.amounts.clone() }
    }
}

impl<T, S> Clone for Summary<T, S> {
    fn clone(&self) -> Self {
        Self { definition: self.definition.clone(), of: PhantomData }
    }
}

impl<T, S: Table> fmt::Debug for Summary<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Summary({:?})", S::TABLE)
    }
}
