use std::fmt;

use crate::admin::Admin;
use crate::backend::Backend;
use crate::naming::Naming;
use crate::url::{Store, Url};
use crate::{
    Config, Error, RawTable, Result, Table, TableDescriptor, TableName, TableRef, TypedTable,
};

/// A connection to a cluster; cheap to clone, and shared by all its clones.
///
/// A program makes one for each cluster and keeps it: it remembers where regions are, opens a connection to a server
/// when it first needs it, replaces those that break, and sends concurrent operations together. The handles of tables
/// that it returns are cheap to make and to clone, and can be used by any number of tasks. Nothing has to be closed.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = tallrow::Client::connect("mock:").await?;
/// assert!(client.admin().list_tables().await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    backend: Backend,
    naming: Naming,
    #[cfg(feature = "mock")]
    mock: Option<tallrow_mock::MockCluster>,
}

impl Client {
    /// Connects with the default [`Config`], and makes sure that the cluster answers.
    ///
    /// | address | what it is |
    /// |---|---|
    /// | `hbase+zk://host:port,host:port/znode` | the ZooKeeper quorum; the defaults are port 2181 and `/hbase` |
    /// | `hbase+rpc://host:port,host:port` | masters or region servers of HBase 2.5 or later; the default is port 16000 |
    /// | `mock:` | a new cluster in this process, reached without sockets (feature `mock`) |
    ///
    /// Any of them may end with settings that belong to the place and not to the program: `?namespace=dev`,
    /// `?table_prefix=dev_`, or both with `&` between them. See [`Config::namespace`] and [`Config::table_prefix`].
    ///
    /// See [`Client`] for an example.
    ///
    /// # Errors
    /// An address that does not parse; no host that answers as HBase does, with the answer of each. All hosts are tried
    /// concurrently, within [`connect_timeout`](Config::connect_timeout).
    pub async fn connect(address: &str) -> Result<Self> {
        Self::connect_with(address, Config::default()).await
    }

    /// Connects with this configuration.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// use tallrow::{Client, Config};
    ///
    /// let config = Config::new().user("ada");
    /// let client = Client::connect_with("mock:", config).await?;
    /// # let _ = client;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`connect`](Client::connect).
    pub async fn connect_with(address: &str, config: Config) -> Result<Self> {
        let Url { store, namespace, table_prefix } = address.parse()?;
        let namespace = namespace.as_ref().or(config.namespace.as_ref());
        let prefix = table_prefix.as_ref().unwrap_or(&config.table_prefix);
        let naming = Naming::new(namespace.map(String::as_str), prefix)?;
        match store {
            Store::HBase(url) => Ok(Self {
                backend: Backend::hbase(address, url, config).await?,
                naming,
                #[cfg(feature = "mock")]
                mock: None,
            }),
            Store::Mock => Self::mock(config, naming).await,
        }
    }

    /// A client of a new cluster, which stops when the client and its tables are dropped.
    #[cfg(feature = "mock")]
    async fn mock(config: Config, naming: Naming) -> Result<Self> {
        use std::future::ready;

        use crate::url::HBaseUrl;
        use crate::{Connector, ErrorKind};

        let mock = tallrow_mock::MockCluster::builder().in_memory().start().await.map_err(|e| {
            Error::new(ErrorKind::Unreachable, "the mock cluster did not start")
                .during("connect")
                .caused_by(e)
        })?;
        let url = HBaseUrl::Rpc { servers: vec![mock.rpc_address().to_string()] };
        let servers = mock.clone();
        let connector = Connector::new(move |host, port| ready(servers.dial(&host, port)));
        let config = config.connector(connector);
        let backend = Backend::hbase("mock:", url, config).await?;
        Ok(Self { backend, naming, mock: Some(mock) })
    }

    #[cfg(not(feature = "mock"))]
    async fn mock(_: Config, _: Naming) -> Result<Self> {
        let text = "address \"mock:\" needs the feature \"mock\" of tallrow; add it to Cargo.toml";
        Err(Error::invalid(text).during("connect"))
    }

    /// A table whose rows are values of a type.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    pub fn table<T: Table>(&self) -> TypedTable<T> {
        TypedTable::new(self.naming.resolve(T::TABLE).map(|name| self.raw(name)))
    }

    /// A table with another name than the row type's, whose rows are values of the type: one of several tables of the
    /// same form. Whether it exists is only checked when it is used.
    ///
    /// ```
    /// use tallrow::{Client, RowKey, Table, TableDescriptor};
    ///
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// for branch in ["books_bonn", "books_york"] {
    ///     client.admin().create_table(&TableDescriptor::of::<Book>()?.named(branch)?).await?;
    /// }
    /// let (bonn, york) = (client.table_named::<Book>("books_bonn")?, client.table_named::<Book>("books_york")?);
    /// bonn.put(&Book { isbn: Isbn { number: 1 }, title: "HBase".into() }).await?;
    /// assert!(bonn.exists(&Isbn { number: 1 }).await?);
    /// assert!(!york.exists(&Isbn { number: 1 }).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An illegal name.
    pub fn table_named<'a, T: Table>(
        &self,
        name: impl Into<TableRef<'a>>,
    ) -> Result<TypedTable<T>> {
        Ok(TypedTable::new(Ok(self.raw(self.naming.resolve(name)?))))
    }

    /// The same table, after checking that it exists with the families, options and row keys of the type.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, FamilyDescriptor, RowKey, Table, TableDescriptor};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
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
    /// assert_eq!(client.open::<Book>().await.unwrap_err().kind(), ErrorKind::TableNotFound);
    /// client.admin().create_table(&TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"))).await?;
    /// assert_eq!(
    ///     client.open::<Book>().await.unwrap_err().to_string(),
    ///     "open books: the table is not as it is defined: family b: VERSIONS is 1, the definition says 3; \
    ///      fix it with Admin::alter, or in the shell: alter 'books', {NAME => 'b', VERSIONS => 3}"
    /// );
    /// client.admin().alter(&client.admin().diff::<Book>().await?).await?;
    /// let books = client.open::<Book>().await?;
    /// # let _ = books;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); [`SchemaDrift`](crate::ErrorKind::SchemaDrift), which names
    /// every difference and the commands that fix them; no master that answers by the deadline.
    pub async fn open<T: Table>(&self) -> Result<TypedTable<T>> {
        self.admin().validate("open", &TableDescriptor::of::<T>()?).await?;
        Ok(self.table())
    }

    /// The same as [`table_named`](Client::table_named), after checking that the table exists with the families, options and
    /// row keys of the type.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, RowKey, Table};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// client.admin().create::<Book>().await?;
    /// let error = client.open_named::<Book>("books_bonn").await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TableNotFound);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`open`](Client::open); an illegal name.
    pub async fn open_named<T: Table>(
        &self,
        name: impl Into<TableRef<'_>>,
    ) -> Result<TypedTable<T>> {
        let name = self.naming.resolve(name)?;
        self.admin().validate("open", &TableDescriptor::of::<T>()?.named(&name)?).await?;
        self.table_named(name)
    }

    /// A table by its name, with bytes for everything. Whether it exists is only checked when it is used.
    ///
    /// See [`RawTable`] for an example.
    ///
    /// # Errors
    /// An illegal name.
    pub fn raw_table<'a>(&self, name: impl Into<TableRef<'a>>) -> Result<RawTable> {
        Ok(self.raw(self.naming.resolve(name)?))
    }

    fn raw(&self, name: TableName) -> RawTable {
        RawTable::new(self.backend.clone(), name)
    }

    /// Creating, describing and deleting tables.
    ///
    /// See [`Admin`] for an example.
    pub fn admin(&self) -> Admin {
        Admin::new(self.backend.clone(), self.naming.clone())
    }

    /// Looks up where the rows of a table are now, so that the first operations need not.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// client.prefetch_regions("t").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A table that does not exist; a cluster that does not answer.
    pub async fn prefetch_regions(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.backend.prefetch_regions(&self.naming.resolve(table)?).await
    }

    /// The mock cluster of `mock:`, for moving and splitting its regions and stopping its servers; `None` for a real
    /// cluster.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert!(client.mock_cluster().is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "mock")]
    pub fn mock_cluster(&self) -> Option<&tallrow_mock::MockCluster> {
        self.mock.as_ref()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}
