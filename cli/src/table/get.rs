//! `tallrow table get`.

use clap::Args;

use super::row_text::write_row;
use super::scan::versions;
use crate::column::FamilyOrColumn;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::rows::ColumnArguments;
use crate::table_keys::KeyArguments;
use crate::value_format::ValueFormat;

const AFTER: &str = "\
Examples:
  tallrow table get events 'user=7, at=2023-11-14T22:13:20Z'
  tallrow table get events '\\x08\\x00\\x00\\x00\\x07' --key-format shell --column d:what";

/// Show one row; exit code 3 if there is none
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Get {
    /// The table
    table: String,

    /// The row key: the values of its fields if the layout is known, else bytes
    key: String,

    #[command(flatten)]
    columns: ColumnArguments,

    /// How many versions of each cell
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = versions)]
    versions: u32,

    /// How the values of cells are written
    #[arg(long, value_enum, default_value_t = ValueFormat::Shell)]
    value_format: ValueFormat,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Get {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let mut get = tallrow::Get::new(table.keys.read(&self.key)?).versions(self.versions);
        for of in self.columns.read(&table)? {
            get = match of {
                FamilyOrColumn::Family(family) => get.family(family),
                FamilyOrColumn::Column(column) => get.column(column.family, column.qualifier),
            };
        }
        match table.raw.get(get).await? {
            Some(row) => write_row(&row, &table.keys, self.value_format, output),
            None => {
                Err(Failure::not_found(format!("get {}: there is no row {}", self.table, self.key)))
            }
        }
    }
}
