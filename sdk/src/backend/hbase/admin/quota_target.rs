//! What a quota applies to: a user, a table, a namespace, or every region server.

use crate::TableName;

/// Whose requests or rows a quota limits.
///
/// See [`HBaseAdmin::set_throttle`](crate::admin::HBaseAdmin::set_throttle) for an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum QuotaTarget {
    /// All requests of a user.
    User(String),
    /// The requests of a user to a table.
    UserTable(String, TableName),
    /// The requests of a user to the tables of a namespace.
    UserNamespace(String, String),
    /// A table.
    Table(TableName),
    /// The tables of a namespace together.
    Namespace(String),
    /// All requests to each region server (`all`); only requests can be limited.
    RegionServers,
}
