//! Creates the tables of a dump.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use tallrow_wire::cell::CellType;
use tallrow_wire::exception::RemoteException;

use super::DumpError;
use super::cell::CellLine;
use super::reader::{self, TableLines};
use crate::cells::{Cells, RowOrder, StoredCell};
use crate::procedures;
use crate::schema;
use crate::state::{AdminGuard, Cluster, SYSTEM_NAMESPACE, namespace};

/// The sequence id of a region without cells.
const FIRST_SEQUENCE_ID: u64 = 1;

/// What two cells have in common if only the order of their writes distinguishes them.
type CellKey<'a> = (&'a Bytes, &'a Bytes, &'a Bytes, u64, CellType);

/// Creates the tables of a dump with their cells, and the namespaces that are missing, and returns
/// the names of the tables. Nothing is created if there is a mistake in the text, or if one of the
/// tables exists.
pub(crate) fn load(cluster: &Cluster, text: &str) -> Result<Vec<String>, DumpError> {
    let tables = reader::read(text, cluster.clock.now())?;
    let cluster = &cluster.lock_admin();
    let mut names = HashSet::new();
    let mut ready = Vec::with_capacity(tables.len());
    for table in tables {
        check(cluster, &table)?;
        let name = schema::table_text(&table.name);
        if !names.insert(name.clone()) {
            let text = format!("the table {name} is in this text before");
            return Err(DumpError::new(table.line, 1, text));
        }
        let cells = cells_of(&table.cells)?;
        ready.push((name, TableLines { cells: Vec::new(), ..table }, cells));
    }
    let mut loaded: Vec<String> = Vec::with_capacity(ready.len());
    for (name, table, cells) in ready {
        create(cluster, &table, cells).map_err(|exception| {
            let before = match loaded.is_empty() {
                true => String::new(),
                false => format!("; before it, {} were loaded", loaded.join(", ")),
            };
            let reason = reason(&exception);
            DumpError::new(table.line, 1, format!("create {name}: {reason}{before}"))
        })?;
        loaded.push(name);
    }
    Ok(loaded)
}

/// Rejects a table that cannot be created.
fn check(cluster: &Cluster, table: &TableLines) -> Result<(), DumpError> {
    let name = schema::table_text(&table.name);
    let failed =
        |reason: &str| DumpError::new(table.line, 1, format!("the table {name}: {reason}"));
    let refused = |exception: RemoteException| failed(reason(&exception));
    schema::check_table_name(&table.name.namespace, &table.name.qualifier).map_err(refused)?;
    if table.name.namespace == SYSTEM_NAMESPACE {
        return Err(failed("the tables of HBase itself cannot be loaded"));
    }
    // A table of Bigtable may have no families.
    if !table.schema.column_families.is_empty() {
        let sanity_checks = cluster.settings.sanity_checks;
        schema::check_schema(&table.schema, sanity_checks).map_err(refused)?;
    }
    if procedures::has_too_long_region_name(&table.name, &table.splits) {
        return Err(failed("the first row of a region is too long"));
    }
    match cluster.catalog().table(&table.name) {
        None => Ok(()),
        Some(_) => Err(failed("it exists already")),
    }
}

fn reason(exception: &RemoteException) -> &str {
    &exception.message
}

fn create(
    cluster: &AdminGuard<'_>,
    table: &TableLines,
    mut cells: Cells,
) -> Result<(), RemoteException> {
    let of_table = String::from_utf8_lossy(&table.name.namespace).into_owned();
    let is_missing = !cluster.catalog().namespaces.contains_key(&of_table);
    if is_missing {
        procedures::create_namespace(cluster, &namespace(&of_table))?;
    }
    let schema = table.schema.clone();
    procedures::create_filled_table(cluster, schema, &table.splits, |region| {
        let later = match region.end_key() {
            [] => Cells::new(RowOrder::Bytes),
            end => cells.split_off(end),
        };
        let own = std::mem::replace(&mut cells, later);
        region.lock().store.load(own);
    })?;
    match table.is_disabled {
        true => procedures::disable_table(cluster, &table.name),
        false => Ok(()),
    }
}

/// Makes the cells of new regions. Among cells that differ only in their values, the first is the
/// newest.
fn cells_of(lines: &[CellLine]) -> Result<Cells, DumpError> {
    let mut last_writes: HashMap<CellKey<'_>, u64> = HashMap::with_capacity(lines.len());
    let mut cells = Cells::new(RowOrder::Bytes);
    for line in lines.iter().rev() {
        let of = &line.cell;
        let key = (&line.row, &of.family, &of.qualifier, of.timestamp, of.kind);
        let last = last_writes.entry(key).or_default();
        let write = line.write.unwrap_or(*last + 1);
        if write <= *last {
            let text = format!(
                "write {write}: the same cell is also further down, with write {last}, expected a \
                 higher number here"
            );
            return Err(DumpError::new(line.line, 1, text));
        }
        *last = write;
        let sequence_id = FIRST_SEQUENCE_ID + write;
        let parts = of.in_row(&line.row);
        let cell = StoredCell::new(&parts, line.ttl, sequence_id, RowOrder::Bytes)
            .map_err(|error| DumpError::new(line.line, 1, error.to_string()))?;
        cells.insert(cell);
    }
    Ok(cells)
}
