//! `tallrow table drop`.

use clap::Args;
use serde_json::json;

use crate::confirm::Confirm;
use crate::connection::Connection;
use crate::failure::Result;
use crate::output::{Output, say};

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
        let is_enabled = admin.hbase()?.is_enabled(table).await?;
        self.confirm.ask(&format!("drop table {table} with all its rows"))?;
        if is_enabled {
            admin.hbase()?.disable_table(table).await?;
        }
        admin.delete_table(table).await?;
        say(format!("dropped table {table}"));
        if output.is_json() {
            return output.result("", || json!({ "table": table }));
        }
        Ok(())
    }
}
