//! Many operations on single rows as one.

use futures_util::future::BoxFuture;

use super::RawTable;
use crate::request::op::{Delete, Get, NamedOperation, Outcome, Outcomes, Put, RowOperation};
use crate::{Result, Row};

impl RawTable {
    /// Executes many operations as one, and returns the result of each, in the same order.
    ///
    /// They are sent in one call to each server, or in several of at most 1,000 operations or 2
    /// MiB. They are independent: some may fail while others are done, and they are done in no
    /// particular order. Each is retried or not as if it were sent alone, so after a lost reply
    /// some may be [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown).
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, Get, Put, TableDescriptor, op::RowOperation};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let operations: Vec<RowOperation> = vec![
    ///     Put::new("a").cell("d", "q", "1").into(),
    ///     Put::new("b").cell("no such family", "q", "1").into(),
    ///     Get::new("c").into(),
    /// ];
    /// let outcomes = table.batch(operations).await;
    /// assert!(outcomes[0].as_ref().unwrap().applied);
    /// assert_eq!(outcomes[1].as_ref().unwrap_err().kind(), ErrorKind::NoSuchFamily);
    /// assert_eq!(outcomes[2].as_ref().unwrap().row, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn batch<O: Into<RowOperation>>(
        &self,
        operations: impl IntoIterator<Item = O>,
    ) -> Outcomes<Outcome> {
        self.run_all(operations, |outcome| outcome).await
    }

    /// Writes many rows at once, and returns the result of each, in the same order; each as
    /// [`put`](RawTable::put) does.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let puts = (0..100).map(|i| Put::new(format!("row{i}")).cell("d", "q", "v"));
    /// table.put_all(puts).await.into_result()?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn put_all(&self, puts: impl IntoIterator<Item = Put>) -> Outcomes<()> {
        self.run_all(puts, drop).await
    }

    /// Deletes many rows at once, and returns the result of each, in the same order; each as
    /// [`delete`](RawTable::delete) does.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table
    ///     .put_all(["a", "b"].map(|row| Put::new(row).cell("d", "q", "v")))
    ///     .await
    ///     .into_result()?;
    /// table.delete_all(["a", "b"]).await.into_result()?;
    /// assert!(!table.exists("a").await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn delete_all<D: Into<Delete>>(
        &self,
        deletes: impl IntoIterator<Item = D>,
    ) -> Outcomes<()> {
        let deletes = deletes.into_iter().map(Into::into);
        self.run_all::<Delete, _>(deletes, drop).await
    }

    /// Reads many rows at once, in the order of the requests; `None` for a row that has none of the
    /// requested cells.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("b").cell("d", "q", "v")).await?;
    /// let rows = table.get_all(["a", "b"]).await.into_result()?;
    /// assert!(rows[0].is_none() && rows[1].is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_all<G: Into<Get>>(
        &self,
        gets: impl IntoIterator<Item = G>,
    ) -> Outcomes<Option<Row>> {
        let gets = gets.into_iter().map(Into::into);
        self.run_all::<Get, _>(gets, |outcome| outcome.row).await
    }

    async fn run_all<O: Into<RowOperation>, T>(
        &self,
        operations: impl IntoIterator<Item = O>,
        read: impl Fn(Outcome) -> T,
    ) -> Outcomes<T> {
        let operations = operations.into_iter().map(|operation| Ok(operation.into().into()));
        let outcomes = self.run_named(operations).await;
        Outcomes::new(outcomes.into_iter().map(|outcome| outcome.map(&read)).collect())
    }

    /// Does operations as one, for a caller who knows them by other names and could not make some
    /// of them.
    pub(crate) fn run_named(
        &self,
        mut operations: impl Iterator<Item = Result<NamedOperation>>,
    ) -> BoxFuture<'_, Vec<Result<Outcome>>> {
        self.backend.run_all(&mut operations, &self.target())
    }
}
