//! `tallrow table list`.

use clap::Args;
use serde_json::json;

use crate::connection::Connection;
use crate::failure::Result;
use crate::output::Output;

/// List the tables
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table list --url hbase+zk://localhost:2181")]
pub(crate) struct List {
    #[command(flatten)]
    connection: Connection,
}

impl List {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        for name in client.admin().list_tables().await? {
            output.result(name.to_string(), || json!({ "table": name.to_string() }))?;
        }
        Ok(())
    }
}
