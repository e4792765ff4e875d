//! The table of quotas, `hbase:quota`.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::proto::Quotas;

use super::tables::create_table;
use crate::base::RemoteResult;
use crate::cells::NewCell;
use crate::regions::CellWrite;
use crate::schema;
use crate::state::AdminGuard;

/// Writes the cell of quotas, or deletes it if there are none. The table is created if it does not
/// exist. With the last quota of a user, HBase deletes the whole row.
pub(crate) fn write_quota_cell(
    cluster: &AdminGuard<'_>,
    (row, qualifier): (&str, &str),
    quotas: &Quotas,
    is_whole_row: bool,
) -> RemoteResult<()> {
    let table = schema::quota_table_name();
    if cluster.schema_of(&table).is_none() {
        create_table(cluster, schema::quota_schema(), &[])?;
    }
    let is_removed = *quotas == Quotas::default();
    let value = match is_removed {
        true => Vec::new(),
        false => [&b"PBUF"[..], &quotas.encode_to_vec()].concat(),
    };
    let qualifier = if is_removed && is_whole_row { "" } else { qualifier };
    let cell = NewCell {
        family: Bytes::from_static(b"q"),
        qualifier: qualifier.to_owned().into(),
        timestamp: cluster.unique_now(),
        kind: match (is_removed, is_whole_row) {
            (false, _) => CellType::Put,
            (true, false) => CellType::DeleteColumn,
            (true, true) => CellType::DeleteFamily,
        },
        value: value.into(),
    };
    if let Some(region) = cluster.regions_of(&table).first() {
        let row = row.to_owned().into();
        let write = CellWrite { row, cell, ttl: None, keep_older_versions: None };
        region.lock().store.write(&[write])?;
    }
    Ok(())
}
