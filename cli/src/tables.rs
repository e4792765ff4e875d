//! Tables of a cluster, and what to say when one is not there.

use tallrow::{Client, ErrorKind, TableDescriptor};

use crate::failure::{Failure, Result};
use crate::similar::similar;

/// Describes a table.
pub(crate) async fn describe(client: &Client, table: &str) -> Result<TableDescriptor> {
    let described = client.admin().describe(table).await;
    found(client, table, described).await
}

/// Describes a table; none where that is not allowed.
pub(crate) async fn describe_if_allowed(
    client: &Client,
    table: &str,
) -> Result<Option<TableDescriptor>> {
    match client.admin().describe(table).await {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
        described => found(client, table, described).await.map(Some),
    }
}

/// Returns what was found of a table; if it is not there, with the table that was perhaps meant.
pub(crate) async fn found<T>(client: &Client, table: &str, found: tallrow::Result<T>) -> Result<T> {
    let error = match found {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    if error.kind() != ErrorKind::TableNotFound {
        return Err(error.into());
    }
    let names = client.admin().list_tables().await.unwrap_or_default();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let advice = match similar(table, names.iter().map(String::as_str)) {
        Some(name) => format!("is it {name}? `tallrow table list` shows all tables"),
        None => "`tallrow table list` shows all tables; names have their namespace, as in ns:table"
            .to_owned(),
    };
    Err(Failure::not_found(format!("there is no table {table}")).advise(advice))
}
