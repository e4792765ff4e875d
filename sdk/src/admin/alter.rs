//! Tables from row types: created, compared, altered.

use super::master::Procedure;
use super::{Admin, SchemaDiff, TableDescriptor};
use crate::wire::proto;
use crate::{Error, ErrorKind, Result, Table};

impl Admin {
    /// Creates the table of a row type, with its families, and regions as its row key spreads.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// As [`create_table`](Admin::create_table).
    pub async fn create<T: Table>(&self) -> Result<()> {
        self.create_table(&TableDescriptor::of::<T>()?).await
    }

    /// Creates the table of a row type unless there is one, which then has to be as the type says; its record of the row
    /// keys may lack layouts. Returns whether it was created.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// As [`create_table`](Admin::create_table); [`SchemaDrift`](ErrorKind::SchemaDrift) if there is another one.
    pub async fn create_if_missing<T: Table>(&self) -> Result<bool> {
        let table = TableDescriptor::of::<T>()?;
        if !self.table_exists(table.name().as_str()).await? {
            match self.create_table(&table).await {
                Ok(()) => return Ok(true),
                // Somebody else created it meanwhile.
                Err(e) if e.exception() == Some(crate::wire::exception::TABLE_EXISTS) => {}
                Err(error) => return Err(error),
            }
        }
        self.check::<T>("create table").await.map(|()| false)
    }

    /// What has to be altered of the table of a row type for it to be as the type says.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); no master that answers until the deadline.
    pub async fn diff<T: Table>(&self) -> Result<SchemaDiff> {
        let table = TableDescriptor::of::<T>()?;
        Ok(table.diff(&self.describe(table.name().as_str()).await?))
    }

    /// Fails unless the table of a row type is as the type says, but for layouts of row keys that it does not record yet.
    pub(crate) async fn check<T: Table>(&self, operation: &'static str) -> Result<()> {
        let table = TableDescriptor::of::<T>()?;
        let live = TableDescriptor::from_proto(&self.schema(operation, table.name()).await?)?;
        match table.diff(&live).drift() {
            None => Ok(()),
            Some(error) => Err(error.during(operation).on_table(table.name())),
        }
    }

    /// Alters a table by all steps of a difference at once, and waits until its regions are open with what they became.
    /// Nothing is done if there are none.
    ///
    /// ```
    /// use tallrow::{Client, Family, RowKey, Table, TableDescriptor};
    ///
    /// #[derive(RowKey)]
    /// struct Isbn { number: u64 }
    ///
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b", versions = 3)]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:t")]
    ///     title: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// let admin = client.admin();
    /// admin.create_table(&TableDescriptor::new("books")?.family(Family::new("b").versions(5))).await?;
    ///
    /// let diff = admin.diff::<Book>().await?;
    /// assert_eq!(diff.key_layouts(), None);
    /// let error = admin.alter(&diff).await.unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "alter books: it would lose stored data: family b: VERSIONS is 5, the definition says 3 \
    ///      (that loses older versions); if that is meant, say allow(\"b.VERSIONS\")"
    /// );
    /// admin.alter(&diff.allow("b.VERSIONS")).await?;
    /// assert!(admin.diff::<Book>().await?.is_empty());
    /// assert!(!admin.create_if_missing::<Book>().await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for steps that lose data and are not allowed, and for a definition
    /// with a family that has no legal name or is given twice;
    /// [`SchemaDrift`](ErrorKind::SchemaDrift) if the row keys are of another layout, or somebody altered the table since
    /// the difference was made; [`DoNotRetry`](ErrorKind::DoNotRetry) if the master does not like the result; no master, or no
    /// end of it, until the deadline.
    pub async fn alter(&self, diff: &SchemaDiff) -> Result<()> {
        const NAME: &str = "alter";
        let table = diff.live.name();
        diff.check().map_err(|e| e.during(NAME).on_table(table))?;
        if diff.is_empty() {
            return Ok(());
        }
        let mut schema = self.schema(NAME, table).await?;
        let live = TableDescriptor::from_proto(&schema)?;
        if live != diff.live {
            let text = format!(
                "it was altered since the difference was made: it was ({}) and is ({live}); make a new difference",
                diff.live
            );
            return Err(Error::new(ErrorKind::SchemaDrift, text).during(NAME).on_table(table));
        }
        for step in diff.steps() {
            step.apply(&mut schema);
        }
        let request = proto::ModifyTableRequest {
            table_name: table.to_proto(),
            table_schema: schema,
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
            reopen_regions: Some(true),
        };
        let procedure = Procedure::new(NAME, "ModifyTable", Some(table));
        procedure.run(&self.cluster, &request, |r: &proto::ModifyTableResponse| r.proc_id).await
    }
}
