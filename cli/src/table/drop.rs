//! `tallrow table drop`.

use clap::Args;
use serde_json::json;

use crate::confirm::Confirm;
use crate::connection::Connection;
use crate::failure::Result;
use crate::output::{Output, say};
use crate::tables;

/// Disable and delete a table with all its rows
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table drop events --yes")]
pub(crate) struct Drop {
    /// The table
    table: String,

    #[command(flatten)]
    confirm: Confirm,

    #[command(flatten)]
    connection: Connection,
}

impl Drop {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let (admin, table) = (client.admin(), &*self.table);
        // A table that does not exist is reported before anything is asked.
        // Tables of Bigtable are never disabled.
        let enabled = match admin.hbase() {
            Ok(hbase) => {
                let is_enabled = hbase.is_enabled(table).await;
                tables::found(&client, table, is_enabled).await?.then_some(hbase)
            }
            Err(_) => tables::describe(&client, table).await.map(|_| None)?,
        };
        self.confirm.ask(&format!("drop table {table} with all its rows"))?;
        if let Some(hbase) = enabled {
            hbase.disable_table(table).await?;
        }
        admin.delete_table(table).await?;
        say(format!("dropped table {table}"));
        if output.is_json() {
            return output.result("", || json!({ "table": table }));
        }
        Ok(())
    }
}
