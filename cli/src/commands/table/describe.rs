//! The commands `tallrow table list` and `describe`, which show the tables and their definitions.

use clap::Args;
use serde_json::json;
use tallrow::admin::KeyLayout;
use tallrow::key::show;

use crate::cluster::connection::ConnectionArguments;
use crate::cluster::tables;
use crate::failure::Result;
use crate::terminal::output::{Output, count_with_noun};
use crate::terminal::text_table::TextTable;

/// Show the families, the regions and the layout of the keys of a table
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table describe events --url hbase+zk://localhost:2181")]
pub(crate) struct DescribeTable {
    /// The table
    table: String,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl DescribeTable {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let descriptor = tables::describe(&client, &self.table).await?;
        let regions = tables::regions(&client, &self.table).await?;
        let layout = KeyLayout::of_table(&descriptor);
        let families: Vec<&str> = descriptor.families().iter().map(|f| f.name()).collect();
        let mut columns = TextTable::new(["start", "server"]);
        for region in &regions {
            let server = region.server.as_deref().unwrap_or("none").to_owned();
            columns.push_row([format!("'{}'", show::shell(&region.start)), server]);
        }
        let keys = layout
            .as_ref()
            .map_or("not recorded\n".into(), |layout| format!("\n{}", indented(layout.schema())));
        let text = format!(
            "{descriptor}\n\nfamilies: {}\nlayout of the keys: {keys}{}:\n{}",
            families.join(", "),
            count_with_noun(regions.len() as u64, "region"),
            indented(&columns.to_string()).trim_end()
        );
        output.write_result(text, || {
            let regions = regions.iter().map(|region| {
                json!({
                    "start": show::shell(&region.start).to_string(),
                    "end": show::shell(&region.end).to_string(),
                    "name": region.name,
                    "server": region.server,
                })
            });
            json!({
                "table": descriptor.name().to_string(),
                "families": families,
                "schema": layout.as_ref().map(KeyLayout::schema),
                "shell": descriptor.to_string(),
                "regions": regions.collect::<Vec<_>>(),
            })
        })
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// List the tables
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table list --url hbase+zk://localhost:2181")]
pub(crate) struct ListTables {
    #[command(flatten)]
    connection: ConnectionArguments,
}

impl ListTables {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        for name in client.admin().list_tables().await? {
            output.write_result(name.to_string(), || json!({ "table": name.to_string() }))?;
        }
        Ok(())
    }
}
