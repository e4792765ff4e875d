//! Writes tables as text.

use std::collections::BTreeSet;
use std::sync::Arc;

use tallrow_wire::proto::{BytesBytesPair, NameStringPair, TableName, TableStateKind};
use tallrow_wire::region;

use super::line::push_bytes;
use super::{cell, title};
use crate::cells::StoredCell;
use crate::regions::RegionState;
use crate::schema::{self, RegionSchema};
use crate::state::{Cluster, SYSTEM_NAMESPACE, Table};

/// Returns the text of a table; `None` if there is no such table, or if it is one of HBase itself.
pub(crate) fn dump_table(cluster: &Cluster, name: &TableName) -> Option<String> {
    let catalog = cluster.catalog();
    let table = catalog.table(name).filter(|table| !is_system(table))?;
    let mut out = title() + "\n";
    push_table(&mut out, table);
    Some(out)
}

/// Returns the text of all tables but those of HBase itself, in the order of their names.
pub(crate) fn dump_all(cluster: &Cluster) -> String {
    let mut out = title() + "\n";
    // As long as the catalog is locked, no region is split, merged or removed.
    let catalog = cluster.catalog();
    catalog.tables.values().filter(|t| !is_system(t)).for_each(|t| push_table(&mut out, t));
    out
}

fn is_system(table: &Table) -> bool {
    table.name.namespace == SYSTEM_NAMESPACE
}

/// Appends a table as of one moment.
fn push_table(out: &mut String, table: &Table) {
    let states: Vec<_> = table.regions.iter().map(|region| region.lock()).collect();
    let schema = schema::without_defaults(&table.schema);
    out.push_str("\ntable ");
    push_bytes(out, &region::format_table_name(&table.name));
    out.push('\n');
    if table.state == TableStateKind::Disabled {
        out.push_str("state disabled\n");
    }
    push_settings(out, &schema.attributes, &schema.configuration);
    for family in &schema.column_families {
        out.push_str("family ");
        push_bytes(out, &family.name);
        out.push('\n');
        push_settings(out, &family.attributes, &family.configuration);
    }
    for region in table.regions.iter().skip(1) {
        out.push_str("split ");
        push_bytes(out, region.start_key());
        out.push('\n');
    }
    for state in &states {
        push_cells(out, state);
    }
}

fn push_settings(
    out: &mut String,
    attributes: &[BytesBytesPair],
    configuration: &[NameStringPair],
) {
    let mut push = |word: &str, name: &[u8], value: &[u8]| {
        out.push_str(word);
        push_bytes(out, name);
        out.push(' ');
        push_bytes(out, value);
        out.push('\n');
    };
    for pair in attributes {
        push("attribute ", &pair.first, &pair.second);
    }
    for pair in configuration {
        push("configuration ", pair.name.as_bytes(), pair.value.as_bytes());
    }
}

/// Appends the cells of a region.
fn push_cells(out: &mut String, state: &RegionState) {
    let schema = Arc::clone(&state.schema);
    let mut row: Vec<&StoredCell> = Vec::new();
    for cell in state.store.cells().iter() {
        if row.first().is_some_and(|first| first.row() != cell.row()) {
            push_row(out, &schema, &row);
            row.clear();
        }
        row.push(cell);
    }
    push_row(out, &schema, &row);
}

/// Appends the cells of a row. In a family with `NEW_VERSION_BEHAVIOR`, the order of the writes
/// decides what is seen, so the lines contain the numbers of the writes. In other families, this
/// order matters only among cells that differ only in their values, and the order of their lines
/// shows it.
fn push_row(out: &mut String, schema: &RegionSchema, row: &[&StoredCell]) {
    let in_order_of_writes =
        |cell: &StoredCell| schema.family(cell.family()).is_some_and(|f| f.new_version_behavior);
    let ordered = row.iter().filter(|cell| in_order_of_writes(cell));
    let writes: BTreeSet<u64> = ordered.map(|cell| cell.sequence_id()).collect();
    let writes: Vec<u64> = writes.into_iter().collect();
    let mut shown = vec![None; row.len()];
    let mut below: Option<(&StoredCell, u64)> = None;
    for (cell, shown) in row.iter().zip(&mut shown).rev() {
        // The number that the reader gives a cell whose line has none.
        let implied = match below {
            Some((other, number)) if is_same(other, cell) => number + 1,
            _ => 1,
        };
        let at = writes.partition_point(|id| *id < cell.sequence_id());
        let number = match in_order_of_writes(cell) {
            true => at as u64 + 1,
            false => implied,
        };
        *shown = Some(number).filter(|number| *number != implied);
        below = Some((cell, number));
    }
    for (cell, shown) in row.iter().zip(shown) {
        cell::push(out, cell, shown);
    }
}

/// Whether two cells of a row differ only in their values.
fn is_same(a: &StoredCell, b: &StoredCell) -> bool {
    (a.family(), a.qualifier(), a.timestamp(), a.kind())
        == (b.family(), b.qualifier(), b.timestamp(), b.kind())
}
