//! Tables as text: what a test loads before it begins, and dumps when it has ended.

use tallrow_wire::region;

use super::cluster::MockCluster;
use super::error::MockClusterError;
use crate::dumps;

impl MockCluster {
    /// Creates the tables that a text describes, with their regions and cells, and the namespaces
    /// that are missing. Returns the names of the tables. `docs/mock-program.md` describes the
    /// format of the text; [`MockCluster::dump_tables`] returns texts in this format.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// let fixture = r#"tallrow-mock tables 1
    ///
    /// table "users"
    /// family "f"
    /// split "m"
    /// put "ada" "f:name" now "Ada"
    /// put "zoe\x00\x01" "f:name" 1700000000000 "Zo\xC3\xAB"
    /// "#;
    /// assert_eq!(cluster.load_tables(fixture).unwrap(), ["users"]);
    /// assert_eq!(cluster.regions("users")[1].cells, 1);
    ///
    /// let error = cluster.load_tables("tallrow-mock tables 1\ntabel \"t\"").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "load tables: line 2, column 1: found tabel, expected table, with the name of the \
    ///      first table"
    /// );
    /// # });
    /// ```
    ///
    /// # Errors
    /// There is a mistake in the text, or one of the tables exists; nothing is created then. The
    /// error says in which line and column.
    pub fn load_tables(&self, text: &str) -> Result<Vec<String>, MockClusterError> {
        dumps::load(self.cluster(), text)
            .map_err(|error| MockClusterError::new("load tables", &error.to_string()))
    }

    /// Returns a table as text: its schema, the boundaries of its regions, and all cells with their
    /// timestamps, including delete markers. The text shows the table at one moment. It depends
    /// only on what it shows, so a version control system shows only real differences.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// let text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";
    /// cluster.load_tables(text).unwrap();
    /// assert_eq!(cluster.dump_table("t").unwrap(), text);
    /// assert_eq!(
    ///     cluster.dump_table("u").unwrap_err().to_string(),
    ///     "dump the table u: there is no such table, or it is one of HBase itself; there are \
    ///      [\"t\"]"
    /// );
    /// # });
    /// ```
    ///
    /// # Errors
    /// There is no such table, or it is one of HBase itself.
    pub fn dump_table(&self, table: &str) -> Result<String, MockClusterError> {
        let name = region::parse_table_name(table.as_bytes());
        dumps::dump_table(self.cluster(), &name).ok_or_else(|| {
            let mut known = self.tables();
            known.retain(|name| !name.starts_with("hbase:"));
            let reason = format!(
                "there is no such table, or it is one of HBase itself; there are {known:?}"
            );
            MockClusterError::new(&format!("dump the table {table}"), &reason)
        })
    }

    /// Returns all tables as text, except for those of HBase itself, in the order of their names.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.load_tables("tallrow-mock tables 1\ntable \"t\"\nfamily \"f\"").unwrap();
    /// let other = MockCluster::start().await.unwrap();
    /// other.load_tables(&cluster.dump_tables()).unwrap();
    /// assert_eq!(other.tables(), cluster.tables());
    /// # });
    /// ```
    pub fn dump_tables(&self) -> String {
        dumps::dump_all(self.cluster())
    }
}
