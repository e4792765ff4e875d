//! The tables of a cluster and their regions, and the error for a missing table.

use tallrow::regions::RegionLocation;
use tallrow::{Client, ErrorKind, TableDescriptor};

use crate::failure::similar::similar;
use crate::failure::{Failure, Result};

/// Returns the descriptor of a table.
pub(crate) async fn describe(client: &Client, table: &str) -> Result<TableDescriptor> {
    let described = client.admin().describe(table).await;
    suggest_similar_table(client, table, described).await
}

/// Returns the descriptor of a table; none if the user is not allowed to read it.
pub(crate) async fn describe_if_allowed(
    client: &Client,
    table: &str,
) -> Result<Option<TableDescriptor>> {
    match client.admin().describe(table).await {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
        described => suggest_similar_table(client, table, described).await.map(Some),
    }
}

/// Returns the result `found` of a request about a table. If the table does not exist, the error
/// suggests a table with a similar name, if there is one.
pub(crate) async fn suggest_similar_table<T>(
    client: &Client,
    table: &str,
    found: tallrow::Result<T>,
) -> Result<T> {
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

/// A region of an HBase table, or a key range of a Bigtable table; the latter has no server.
pub(crate) struct TableRegion {
    pub(crate) start: Vec<u8>,
    pub(crate) end: Vec<u8>,
    /// The encoded name of the region; none for Bigtable.
    pub(crate) name: Option<String>,
    pub(crate) server: Option<String>,
}

/// Returns the regions of a table, in the order of their keys.
pub(crate) async fn regions(client: &Client, table: &str) -> Result<Vec<TableRegion>> {
    let Ok(hbase) = client.admin().hbase() else {
        let parts =
            suggest_similar_table(client, table, client.region_locator(table)?.all_regions().await)
                .await?;
        let part = |part: &RegionLocation| TableRegion {
            start: part.start_key().to_vec(),
            end: part.end_key().to_vec(),
            name: None,
            server: None,
        };
        return Ok(parts.iter().map(part).collect());
    };
    let regions = suggest_similar_table(client, table, hbase.regions(table).await).await?;
    let regions = regions.iter().map(|region| TableRegion {
        start: region.start_key().to_vec(),
        end: region.end_key().to_vec(),
        name: Some(region.encoded_name().to_owned()),
        server: region.server().map(str::to_owned),
    });
    Ok(regions.collect())
}

/// Returns the split keys of a table: the start keys of all regions but the first.
pub(crate) async fn split_keys(client: &Client, table: &str) -> Result<Vec<Vec<u8>>> {
    let starts = regions(client, table).await?.into_iter().map(|region| region.start);
    Ok(starts.filter(|start| !start.is_empty()).collect())
}
