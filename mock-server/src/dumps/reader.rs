//! Reads a dump: its tables with their schemas, split keys and cells.

use bytes::Bytes;
use tallrow_wire::proto::{
    BytesBytesPair, ColumnFamilySchema, NameStringPair, TableName, TableSchema,
};
use tallrow_wire::region;

use super::cell::{self, CellLine};
use super::line::Line;
use super::{DumpError, TITLE, VERSION, title};

/// A table as it was read.
#[derive(Debug)]
pub(super) struct TableLines {
    /// The number of the table's first line, from 1.
    pub(super) line: usize,
    /// The name of the table.
    pub(super) name: TableName,
    /// The schema, without the defaults of absent attributes.
    pub(super) schema: TableSchema,
    /// Whether the table is disabled.
    pub(super) is_disabled: bool,
    /// The first rows of the regions after the first.
    pub(super) splits: Vec<Bytes>,
    /// The cells, in the order of their lines.
    pub(super) cells: Vec<CellLine>,
}

/// What may follow in a table.
const EXPECTED: &str = "table, state, family, attribute, configuration, split, put, delete, \
                        delete-column, delete-family or delete-family-version";

/// Reads the tables of a dump. Cells without a time are written at `now`.
pub(super) fn read(text: &str, now: u64) -> Result<Vec<TableLines>, DumpError> {
    let mut tables: Vec<TableLines> = Vec::new();
    let mut has_title = false;
    let mut lines = 0;
    for (at, text) in text.lines().enumerate() {
        lines = at + 1;
        let mut line = Line::new(lines, text);
        if line.is_at_end() {
            continue;
        }
        if !has_title {
            read_title(&mut line)?;
            has_title = true;
            continue;
        }
        match (line.peek(), tables.last_mut()) {
            ("table", _) => tables.push(read_table(&mut line)?),
            (_, None) => return Err(line.unexpected("table, with the name of the first table")),
            (_, Some(table)) => read_line(&mut line, table, now)?,
        }
        line.finish()?;
    }
    match has_title {
        true => Ok(tables),
        false => Err(DumpError::new(lines.max(1), 1, format!("the text ends without {}", title()))),
    }
}

fn read_title(line: &mut Line<'_>) -> Result<(), DumpError> {
    for word in TITLE {
        if line.peek() != word {
            return Err(line.unexpected(&format!("{word}, of the first line {}", title())));
        }
        line.word();
    }
    if line.peek() != VERSION {
        return Err(line.unexpected(&format!("version {VERSION} of the format")));
    }
    line.word();
    line.finish()
}

fn read_table(line: &mut Line<'_>) -> Result<TableLines, DumpError> {
    line.word();
    let name = region::parse_table_name(&line.bytes("the name of a table")?);
    let schema = TableSchema { table_name: Some(name.clone()), ..Default::default() };
    let (splits, cells) = (Vec::new(), Vec::new());
    Ok(TableLines { line: line.number, name, schema, is_disabled: false, splits, cells })
}

/// Reads a line of a table.
fn read_line(line: &mut Line<'_>, table: &mut TableLines, now: u64) -> Result<(), DumpError> {
    let column = line.column();
    if let Some(kind) = cell::kind_of(line.peek()) {
        line.word();
        let families = &table.schema.column_families;
        let has_family = |name: &[u8]| families.iter().any(|family| family.name == name);
        table.cells.push(cell::read(line, kind, now, has_family)?);
        return Ok(());
    }
    let late = |line: &Line<'_>| {
        let text = "found it after a cell, expected the schema before all cells of the table";
        DumpError::new(line.number, column, text)
    };
    let word = line.peek();
    if matches!(word, "state" | "family" | "attribute" | "configuration" | "split") {
        line.word();
        if !table.cells.is_empty() {
            return Err(late(line));
        }
    }
    match word {
        "state" => {
            table.is_disabled = match line.peek() {
                "enabled" => false,
                "disabled" => true,
                _ => return Err(line.unexpected("enabled or disabled")),
            };
            line.word();
        }
        "family" => {
            let column = line.column();
            let name = line.bytes("the name of a family")?;
            if table.schema.column_families.iter().any(|family| family.name == name) {
                return Err(DumpError::new(line.number, column, "the table has this family"));
            }
            let family = ColumnFamilySchema { name, ..Default::default() };
            table.schema.column_families.push(family);
        }
        "attribute" => {
            let column = line.column();
            let first = line.bytes("the name of an attribute")?;
            let second = line.bytes("the value of the attribute")?;
            let attributes = match table.schema.column_families.last_mut() {
                Some(family) => &mut family.attributes,
                None => &mut table.schema.attributes,
            };
            if attributes.iter().any(|pair| pair.first == first) {
                let text = "the table or family has this attribute";
                return Err(DumpError::new(line.number, column, text));
            }
            attributes.push(BytesBytesPair { first, second });
        }
        "configuration" => {
            let name = line.text("the name of a setting")?;
            let value = line.text("the value of the setting")?;
            let configuration = match table.schema.column_families.last_mut() {
                Some(family) => &mut family.configuration,
                None => &mut table.schema.configuration,
            };
            configuration.push(NameStringPair { name, value });
        }
        "split" => {
            let column = line.column();
            let key = line.bytes("the first row of a region")?;
            if key.is_empty() || table.splits.last().is_some_and(|last| *last >= key) {
                let text = "expected the first row of a region, after those of the regions before";
                return Err(DumpError::new(line.number, column, text));
            }
            table.splits.push(key);
        }
        _ => return Err(line.unexpected(EXPECTED)),
    }
    Ok(())
}
