//! Changes of several rows of a region in one step.

use super::change::BatchOperation;
use super::hook::ExtraMutations;
use super::hooked::write_in_rounds;
use super::typed_table::hook_write_error;
use super::{Batch, TypedTable, WriteRow};
use crate::request::op::{Mutation, RowOperation};
use crate::runtime::tasks::run_concurrently;
use crate::{Error, RawTable, Result};

const NAME: &str = "mutate rows";

impl<T: WriteRow> TypedTable<T> {
    /// Makes puts, deletes and updates of several rows in one step, all of them or none, like
    /// `MultiRowMutationService.mutateRows` of the Java client.
    ///
    /// All rows must be in one region. Rows whose keys have a common prefix are in one region if
    /// the table is split only between such prefixes; the split policies
    /// `DelimitedKeyPrefixRegionSplitPolicy` and `KeyPrefixRegionSplitPolicy` ensure this. HBase
    /// makes the changes in a coprocessor endpoint that the table must load;
    /// [`RawTable::mutate_rows`] describes it, and what happens if the reply is lost.
    ///
    /// ```
    /// use tallrow::{Client, RowKey, Table, TableDescriptor, table::Batch};
    ///
    /// #[derive(RowKey, Clone)]
    /// struct OrderKey { customer: u32, paid: bool, number: u32 }
    ///
    /// #[derive(Table)]
    /// #[table(name = "orders")]
    /// #[family("d")]
    /// struct Order {
    ///     #[key]
    ///     key: OrderKey,
    ///     #[cell("d:t")]
    ///     total: u64,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// let endpoint = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";
    /// let descriptor = TableDescriptor::of::<Order>()?.attribute("coprocessor$1", endpoint);
    /// client.admin().create_table(&descriptor).await?;
    /// let orders = client.table::<Order>();
    ///
    /// // The rows of a customer are in one region.
    /// let open = Order { key: OrderKey { customer: 7, paid: false, number: 1 }, total: 12 };
    /// orders.put(&open).await?;
    /// let paid = Order { key: OrderKey { paid: true, ..open.key.clone() }, total: 12 };
    /// orders.mutate_rows(Batch::new().put(&paid).delete(&open.key)).await?;
    /// assert!(orders.exists(&paid.key).await? && !orders.exists(&open.key).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::mutate_rows`];
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) also for a read, and for a change
    /// that is made only if a condition holds: a [`check_and_update`](Batch::check_and_update), or
    /// the put of a row with a version.
    pub async fn mutate_rows(&self, batch: Batch<'_, T>) -> Result<()> {
        let raw = self.raw()?;
        let mutations = batch.changes.iter().map(|change| self.mutation(raw, change));
        let mutations =
            mutations.collect::<Result<Vec<_>>>().map_err(|e| e.with_operation(NAME))?;
        if self.hooks.is_empty() {
            return raw.mutate_rows(mutations).await;
        }
        Box::pin(self.mutate_hooked(raw, &batch.changes, mutations)).await
    }

    fn mutation(&self, raw: &RawTable, change: &BatchOperation<'_, T>) -> Result<Mutation> {
        let (row, why) = match self.operation(raw, change)?.operation {
            RowOperation::Mutation(mutation) => return Ok(mutation),
            RowOperation::CheckAndMutate(check) => {
                (check.row, "a step of several rows looks at no condition, and compares no version")
            }
            RowOperation::Get(get) | RowOperation::Exists(get) => {
                (get.row, "a step of several rows only changes them; read them alone")
            }
        };
        Err(Error::invalid(why).on_table(raw.name()).on_row(&row))
    }

    async fn mutate_hooked(
        &self,
        raw: &RawTable,
        changes: &[BatchOperation<'_, T>],
        mutations: Vec<Mutation>,
    ) -> Result<()> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let changes = changes.iter().filter_map(BatchOperation::for_hooks);
        let asked = changes.map(async |change| self.call_hooks_before_write(&change).await);
        for asked in run_concurrently(asked).await {
            let ExtraMutations { before: first, after: last } = asked?;
            before.push(first);
            after.push(last);
        }
        let failed = |verb| move |error| hook_write_error(verb, error);
        write_in_rounds(before)
            .await
            .into_iter()
            .collect::<Result<()>>()
            .map_err(failed("is not"))?;
        raw.mutate_rows(mutations).await?;
        write_in_rounds(after).await.into_iter().collect::<Result<()>>().map_err(failed("is"))
    }
}
