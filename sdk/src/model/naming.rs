//! How a client completes the name of a table that a program gives: with its namespace and its
//! table prefix.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::table_name::Named;
use crate::{Error, ErrorKind, Result, RowKeyDisplay, TableName};

/// The table of a call, as the program names it.
///
/// The client completes a text, `"table"` or `"namespace:table"`: it adds its
/// [`namespace`](crate::Config::namespace), if the text has none, and its
/// [`table_prefix`](crate::Config::table_prefix). A [`TableName`] is complete, and is used
/// unchanged. So the names that [`list_tables`](crate::Admin::list_tables) and
/// [`RawTable::name`](crate::RawTable::name) return can be used with any client.
///
/// ```
/// use tallrow::{Client, Config};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let config = Config::new().namespace("team7").table_prefix("dev_");
/// let client = Client::connect_with("mock:", config).await?;
/// assert_eq!(client.raw_table("books")?.name().as_str(), "team7:dev_books");
/// assert_eq!(client.raw_table("shop:books")?.name().as_str(), "shop:dev_books");
///
/// let books = client.raw_table("books")?;
/// assert_eq!(client.raw_table(books.name())?.name(), books.name());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TableRef<'a>(Given<'a>);

#[derive(Clone, Debug)]
enum Given<'a> {
    Text(Cow<'a, str>),
    Name(TableName),
    AuthorizedView(Box<Given<'a>>, String),
    MaterializedView(String),
}

impl<'a> From<&'a str> for TableRef<'a> {
    fn from(text: &'a str) -> Self {
        Self(Given::Text(text.into()))
    }
}

impl<'a> From<&'a String> for TableRef<'a> {
    fn from(text: &'a String) -> Self {
        Self(Given::Text(text.into()))
    }
}

impl From<String> for TableRef<'_> {
    fn from(text: String) -> Self {
        Self(Given::Text(text.into()))
    }
}

impl From<TableName> for TableRef<'_> {
    fn from(name: TableName) -> Self {
        Self(Given::Name(name))
    }
}

impl From<&TableName> for TableRef<'_> {
    fn from(name: &TableName) -> Self {
        Self(Given::Name(name.clone()))
    }
}

impl<'a> TableRef<'a> {
    /// An authorized view of a table, on Bigtable: the rows and columns of the table that the view
    /// lets through. Reads and writes use it in place of the table.
    ///
    /// The name of the table is completed as always; views have no prefix. Only the service checks
    /// whether the view exists, when rows are read or written.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, TableRef};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let of_team = client.raw_table(TableRef::authorized_view("visits", "of-team"))?;
    /// assert_eq!(of_team.name().as_str(), "visits/authorizedViews/of-team");
    /// let missing = of_team.get("2026-01/ada").await.unwrap_err();
    /// assert_eq!(missing.kind(), ErrorKind::TableNotFound);
    ///
    /// let of_hbase = Client::connect("mock:").await?;
    /// let view = TableRef::authorized_view("visits", "of-team");
    /// let refused = of_hbase.raw_table(view).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Unsupported);
    /// # Ok(())
    /// # }
    /// ```
    pub fn authorized_view(table: impl Into<TableRef<'a>>, view: impl Into<String>) -> Self {
        let table: Self = table.into();
        Self(Given::AuthorizedView(Box::new(table.0), view.into()))
    }

    /// A materialized view, on Bigtable: the rows that the query of the view makes. They can be
    /// read, and not be written.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, Put, TableRef};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let by_day = client.raw_table(TableRef::materialized_view("visits-by-day"))?;
    /// let written = by_day.put(Put::new("2026-01-01").cell("d", "visits", "7")).await.unwrap_err();
    /// assert_eq!(written.kind(), ErrorKind::Unsupported);
    /// # Ok(())
    /// # }
    /// ```
    pub fn materialized_view(view: impl Into<String>) -> Self {
        Self(Given::MaterializedView(view.into()))
    }
}

impl TableRef<'_> {
    /// Turns this into a `TableRef` that borrows nothing.
    pub(crate) fn into_owned(self) -> TableRef<'static> {
        TableRef(self.0.into_owned())
    }

    /// The name as it is written, not completed.
    pub(crate) fn to_unresolved_name(&self) -> Result<TableName> {
        self.0.with_table_names(&|text| text.parse())
    }
}

impl Given<'_> {
    fn into_owned(self) -> Given<'static> {
        match self {
            Given::Text(text) => Given::Text(text.into_owned().into()),
            Given::Name(name) => Given::Name(name),
            Given::AuthorizedView(table, view) => {
                Given::AuthorizedView(Box::new(table.into_owned()), view)
            }
            Given::MaterializedView(view) => Given::MaterializedView(view),
        }
    }

    /// Returns the name that the reference stands for. `complete` completes the name of a table
    /// that is a text.
    fn with_table_names(&self, complete: &dyn Fn(&str) -> Result<TableName>) -> Result<TableName> {
        let invalid =
            |view: &str, why: String| Error::invalid(format!("name of a view {view:?}: {why}"));
        match self {
            Given::Text(text) => complete(text),
            Given::Name(name) => Ok(name.clone()),
            Given::AuthorizedView(table, view) => {
                let table = table.with_table_names(complete)?;
                match table.named() {
                    Named::Table(_) => table.authorized_view(view).map_err(|e| invalid(view, e)),
                    _ => Err(invalid(view, format!("{table} is a view, not a table"))),
                }
            }
            Given::MaterializedView(view) => {
                TableName::materialized_view(view).map_err(|e| invalid(view, e))
            }
        }
    }
}

/// How a client completes the names of tables; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct TableNameResolver {
    scope: Option<Arc<Scope>>,
    row_keys: RowKeyDisplay,
    /// Whether the store has views.
    has_views: bool,
}

#[derive(Debug)]
struct Scope {
    /// `default` if none was given.
    namespace: String,
    prefix: String,
}

impl TableNameResolver {
    /// Creates a `TableNameResolver` that adds `namespace` to names without a namespace, and
    /// `prefix` to all names except those of HBase's own tables. Fails if the namespace or the
    /// prefix is illegal.
    pub(crate) fn new(namespace: Option<&str>, prefix: &str) -> Result<Self> {
        if namespace.is_none() && prefix.is_empty() {
            return Ok(Self { scope: None, row_keys: RowKeyDisplay::default(), has_views: false });
        }
        let namespace = namespace.unwrap_or("default").to_owned();
        // An example of a name, to validate both parts.
        let example = format!("{namespace}:{prefix}t");
        TableName::parse(&example).map_err(|why| {
            let text = format!("namespace {namespace:?} and table prefix {prefix:?}: {why}");
            Error::invalid(text).with_operation_if_unset("connect")
        })?;
        let scope = Scope { namespace, prefix: prefix.to_owned() };
        let row_keys = RowKeyDisplay::default();
        Ok(Self { scope: Some(Arc::new(scope)), row_keys, has_views: false })
    }

    /// Sets how the row keys of the tables are shown.
    pub(crate) fn with_row_key_display(self, row_keys: RowKeyDisplay) -> Self {
        Self { row_keys, ..self }
    }

    /// Sets that the store has views.
    #[cfg(feature = "bigtable")]
    pub(crate) fn with_views(self) -> Self {
        Self { has_views: true, ..self }
    }

    /// Returns the complete name of the table.
    pub(crate) fn resolve<'a>(&self, table: impl Into<TableRef<'a>>) -> Result<TableName> {
        let table: TableRef<'a> = table.into();
        let name = table.0.with_table_names(&|text| self.complete(text))?;
        if !self.has_views && !matches!(name.named(), Named::Table(_)) {
            let text = format!("{name} is a view of Bigtable, and HBase has no views");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        Ok(name.with_row_key_display(self.row_keys))
    }

    fn complete(&self, text: &str) -> Result<TableName> {
        let name: TableName = text.parse()?;
        // The tables of HBase itself have the same names for all clients.
        let Some(scope) = self.scope.as_deref().filter(|_| name.namespace() != "hbase") else {
            return Ok(name);
        };
        let namespace = match text.contains(':') {
            true => name.namespace(),
            false => &scope.namespace,
        };
        format!("{namespace}:{}{}", scope.prefix, name.qualifier()).parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_completed_and_a_name_is_not() {
        let resolve =
            |naming: &TableNameResolver, text: &str| naming.resolve(text).unwrap().to_string();
        let both = TableNameResolver::new(Some("dev"), "x_").unwrap();
        assert_eq!(resolve(&both, "t"), "dev:x_t");
        assert_eq!(resolve(&both, "ns:t"), "ns:x_t");
        assert_eq!(resolve(&both, "default:t"), "x_t");
        assert_eq!(resolve(&both, "hbase:meta"), "hbase:meta");
        let name: TableName = "t".parse().unwrap();
        assert_eq!(both.resolve(&name).unwrap(), name);
        assert_eq!(both.resolve(name.clone()).unwrap(), name);

        assert_eq!(resolve(&TableNameResolver::new(None, "x_").unwrap(), "t"), "x_t");
        assert_eq!(resolve(&TableNameResolver::new(Some("dev"), "").unwrap(), "t"), "dev:t");
        assert_eq!(resolve(&TableNameResolver::new(None, "").unwrap(), "ns:t"), "ns:t");
    }

    #[test]
    fn an_illegal_namespace_or_prefix_is_an_error() {
        for (namespace, prefix) in [("", ""), ("a-b", ""), ("a:b", ""), ("a", "-"), ("a", "x y")] {
            let error = TableNameResolver::new(Some(namespace), prefix).unwrap_err();
            assert!(error.to_string().contains("table prefix"), "{error}");
        }
    }
}
