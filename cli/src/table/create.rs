//! `tallrow table create`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::TableDescriptor;

use super::family::family;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::key_text::KeyFormat;
use crate::layouts;
use crate::output::{Output, counted, say};
use crate::split_file::read_splits;

const AFTER: &str = "\
A schema is recorded with the table, so that the other commands know the layout of its keys.

Examples:
  tallrow table create events --family d --schema event.key --regions 16
  tallrow table create logs --family d,VERSIONS=3,TTL=86400 --splits splits.txt
  tallrow table create logs --family d --dry-run";

/// Create a table
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Create {
    /// The name of the table, with its namespace if it is not the default one
    table: String,

    /// A family, with options under HBase's names: NAME,OPTION=VALUE,..
    #[arg(long, required = true, value_name = "FAMILY")]
    family: Vec<String>,

    /// A file with the schema of the keys
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// How many regions, split by the schema; without it, one for each bucket of its salt, up to
    /// 256
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "splits")]
    regions: Option<usize>,

    /// A file with a split key on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    splits: Option<PathBuf>,

    /// Only print the command of the HBase shell that creates it
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    connection: Connection,
}

impl Create {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let descriptor = self.descriptor()?;
        if self.dry_run {
            return output
                .result(descriptor.to_string(), || json!({ "shell": descriptor.to_string() }));
        }
        let client = self.connection.connect().await?;
        client.admin().create_table(&descriptor).await?;
        let regions = descriptor.split_keys().len() + 1;
        say(format!(
            "created table {} in {}",
            descriptor.name(),
            counted(regions as u64, "region")
        ));
        if output.is_json() {
            let name = descriptor.name().to_string();
            return output.result("", || json!({ "table": name, "regions": regions }));
        }
        Ok(())
    }

    fn descriptor(&self) -> Result<TableDescriptor> {
        if let (Some(regions), None) = (self.regions, &self.schema) {
            let text = format!("--regions {regions}: where to split is not known without --schema");
            return Err(Failure::usage(text).advise(
                "give --schema FILE, or --splits FILE: `tallrow splits uniform` and `splits hex` make such files",
            ));
        }
        let mut descriptor = TableDescriptor::new(&self.table)?;
        for text in &self.family {
            descriptor = descriptor.family(family(text)?);
        }
        if let Some(file) = &self.schema {
            descriptor = descriptor.key_layouts(layouts::of_file(file)?.all());
            if let Some(regions) = self.regions {
                descriptor = descriptor.regions(regions).map_err(|error| {
                    Failure::new(error.message())
                        .advise("`tallrow splits` makes split keys for --splits in other ways")
                })?;
            }
        }
        if let Some(file) = &self.splits {
            descriptor = descriptor.splits(read_splits(file, KeyFormat::Shell)?);
        }
        Ok(descriptor)
    }
}
