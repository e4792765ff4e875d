//! The methods of `RawTable` that send many operations on single rows together.

use futures_util::future::BoxFuture;

use super::RawTable;
use crate::request::op::{
    BatchOutcome, BatchResults, Delete, Get, NamedOperation, Put, RowOperation,
};
use crate::{Result, Row};

impl RawTable {
    /// Executes many operations together, and returns their results in the order of the operations.
    ///
    /// The operations for a server are sent in one call, or in several calls of at most 1,000
    /// operations or 2 MiB. The operations are independent: some may fail while others succeed, and
    /// they are executed in no particular order. Each operation is retried by the same rules as if
    /// it were sent alone, so after a lost reply some may fail with
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown).
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
    ) -> BatchResults<BatchOutcome> {
        self.run_all(operations, |outcome| outcome).await
    }

    /// Executes many puts together, each as [`put`](RawTable::put) does, and returns their results
    /// in the order of the puts.
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
    pub async fn put_all(&self, puts: impl IntoIterator<Item = Put>) -> BatchResults<()> {
        self.run_all(puts, drop).await
    }

    /// Executes many deletes together, each as [`delete`](RawTable::delete) does, and returns their
    /// results in the order of the deletes.
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
    ) -> BatchResults<()> {
        let deletes = deletes.into_iter().map(Into::into);
        self.run_all::<Delete, _>(deletes, drop).await
    }

    /// Executes many gets together, and returns the rows in the order of the gets; the result is
    /// `None` for a row that has none of the requested cells.
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
    ) -> BatchResults<Option<Row>> {
        let gets = gets.into_iter().map(Into::into);
        self.run_all::<Get, _>(gets, |outcome| outcome.row).await
    }

    async fn run_all<O: Into<RowOperation>, T>(
        &self,
        operations: impl IntoIterator<Item = O>,
        read: impl Fn(BatchOutcome) -> T,
    ) -> BatchResults<T> {
        let operations = operations.into_iter().map(|operation| Ok(operation.into().into()));
        let outcomes = self.run_named_operations(operations).await;
        BatchResults::new(outcomes.into_iter().map(|outcome| outcome.map(&read)).collect())
    }

    /// Executes operations together. Each operation may have its own name in errors. An item that
    /// is an error stands for an operation that the caller could not make; the error is its result.
    pub(crate) fn run_named_operations(
        &self,
        mut operations: impl Iterator<Item = Result<NamedOperation>>,
    ) -> BoxFuture<'_, Vec<Result<BatchOutcome>>> {
        self.backend.run_all(&mut operations, &self.target())
    }
}
