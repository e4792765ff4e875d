//! `tallrow table delete`.

use clap::Args;
use serde_json::json;

use crate::column::FamilyOrColumn;
use crate::confirm::Confirm;
use crate::connection::Connection;
use crate::failure::Result;
use crate::output::{Output, say};
use crate::table_keys::KeyArguments;

const AFTER: &str = "\
Examples:
  tallrow table delete events 'user=7, at=2023-11-14T22:13:20Z'
  tallrow table delete events 'user=7, at=2023-11-14T22:13:20Z' d:what --yes";

/// Delete a row, or columns of it, with all their versions
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Delete {
    /// The table
    table: String,

    /// The row key: the values of its fields if the layout is known, else bytes
    key: String,

    /// Only these families, or these columns
    #[arg(value_name = "FAMILY[:QUALIFIER]")]
    columns: Vec<String>,

    #[command(flatten)]
    confirm: Confirm,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Delete {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let mut delete = tallrow::Delete::new(table.keys.read(&self.key)?);
        for text in &self.columns {
            delete = match table.column("column", text)? {
                FamilyOrColumn::Family(family) => delete.family(family),
                FamilyOrColumn::Column(column) => delete.column(column.family, column.qualifier),
            };
        }
        let what = match &self.columns[..] {
            [] => format!("row {} of {}", self.key, self.table),
            columns => format!("{} in row {} of {}", columns.join(", "), self.key, self.table),
        };
        self.confirm.ask(&format!("delete {what}"))?;
        table.raw.delete(delete).await?;
        say(format!("deleted {what}"));
        if output.is_json() {
            let object = json!({ "table": self.table, "key": self.key, "columns": self.columns });
            return output.result("", || object);
        }
        Ok(())
    }
}
