//! `tallrow table describe`.

use clap::Args;
use serde_json::json;
use tallrow::Client;
use tallrow::admin::KeyLayout;
use tallrow::key::show;

use crate::columns::Columns;
use crate::connection::Connection;
use crate::failure::Result;
use crate::output::{Output, counted};
use crate::tables;

/// Show the families, the regions and the layout of the keys of a table
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table describe events --url hbase+zk://localhost:2181")]
pub(crate) struct Describe {
    /// The table
    table: String,

    #[command(flatten)]
    connection: Connection,
}

impl Describe {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let descriptor = tables::describe(&client, &self.table).await?;
        let regions = regions(&client, &self.table).await?;
        let layout = KeyLayout::recorded(&descriptor);
        let families: Vec<&str> = descriptor.families().iter().map(|f| f.name()).collect();
        let mut columns = Columns::new(["start", "server"]);
        for region in &regions {
            let server = region.server.as_deref().unwrap_or("none").to_owned();
            columns.row([format!("'{}'", show::shell(&region.start)), server]);
        }
        let keys = layout
            .as_ref()
            .map_or("not recorded\n".into(), |layout| format!("\n{}", indented(layout.schema())));
        let text = format!(
            "{descriptor}\n\nfamilies: {}\nlayout of the keys: {keys}{}:\n{}",
            families.join(", "),
            counted(regions.len() as u64, "region"),
            indented(&columns.to_string()).trim_end()
        );
        output.result(text, || {
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

/// A region of HBase, or a part of a table of Bigtable, which is on no server.
struct Region {
    start: Vec<u8>,
    end: Vec<u8>,
    name: Option<String>,
    server: Option<String>,
}

async fn regions(client: &Client, table: &str) -> Result<Vec<Region>> {
    let Ok(hbase) = client.admin().hbase() else {
        let parts = client.region_locator(table)?.all().await?;
        let parts = parts.iter().map(|part| Region {
            start: part.start_key().to_vec(),
            end: part.end_key().to_vec(),
            name: None,
            server: None,
        });
        return Ok(parts.collect());
    };
    let regions = hbase.regions(table).await?;
    let regions = regions.iter().map(|region| Region {
        start: region.start_key().to_vec(),
        end: region.end_key().to_vec(),
        name: Some(region.encoded_name().to_owned()),
        server: region.server().map(str::to_owned),
    });
    Ok(regions.collect())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
