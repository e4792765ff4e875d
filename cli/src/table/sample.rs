//! `tallrow table sample`.

use clap::Args;
use serde_json::json;
use tallrow::key::show;

use crate::connection::Connection;
use crate::failure::Result;
use crate::output::{Output, counted, say};
use crate::sampling::{Sampling, sampled_keys};

const AFTER: &str = "\
Examples:
  tallrow table sample events --chance 0.01 > keys.txt
  tallrow table sample events --limit 1000 | tallrow key guess";

/// Show row keys, one a line, as the HBase shell writes them
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Sample {
    /// The table
    table: String,

    #[command(flatten)]
    sampling: Sampling,

    #[command(flatten)]
    connection: Connection,
}

impl Sample {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let keys = sampled_keys(&client, &self.table, &self.sampling).await?;
        for key in &keys {
            let key = show::shell(key).to_string();
            output.result(&key, || json!({ "key": key }))?;
        }
        say(counted(keys.len() as u64, "row key"));
        Ok(())
    }
}
