//! `tallrow table diff`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::TableDescriptor;
use tallrow::admin::{KeyLayout, SchemaDiff};

use super::family::family;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::layouts;
use crate::output::{Output, say};
use crate::tables;

const AFTER: &str = "\
Prints the commands of the HBase shell that make the table as it is defined, and exits with code 3 if there are differences.
Only what is given is compared: families and options that are not named are left as they are.

Examples:
  tallrow table diff events --family d,VERSIONS=3 --schema event.key
  tallrow table diff events --schema event.key | hbase shell -n";

/// Compare a live table with its definition; exit code 3 if they differ
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Diff {
    /// The table
    table: String,

    /// A family, with options under HBase's names: NAME,OPTION=VALUE,..
    #[arg(long, value_name = "FAMILY")]
    family: Vec<String>,

    /// A file with the schema of the keys
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    connection: Connection,
}

impl Diff {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        if self.family.is_empty() && self.schema.is_none() {
            let text = format!("there is nothing to compare {} with", self.table);
            return Err(Failure::usage(text).advise(
                "give --family NAME,OPTION=VALUE,.. or --schema FILE; `tallrow table describe` shows the table",
            ));
        }
        let mut wanted = TableDescriptor::new(&self.table)?;
        for text in &self.family {
            wanted = wanted.family(family(text)?);
        }
        let schema = match &self.schema {
            Some(file) => Some(KeyLayout::of_layouts(layouts::of_file(file)?.all())),
            None => None,
        };
        let client = self.connection.connect().await?;
        let live = tables::describe(&client, &self.table).await?;
        // Where nothing is recorded, a layout is a difference that the shell can only record.
        let unrecorded = schema.as_ref().filter(|_| KeyLayout::recorded(&live).is_none());
        if let Some(layout) = &schema {
            wanted = layout.record_in(wanted);
        }
        let diff = client.admin().diff_table(&wanted).await?;
        if diff.is_empty() && unrecorded.is_none() {
            say(format!("{} is as it is defined", self.table));
            return if output.is_json() { self.write(&diff, output) } else { Ok(()) };
        }
        self.write(&diff, output)?;
        let mut found = Vec::new();
        if !diff.is_empty() {
            found.push(diff.to_string());
        }
        if unrecorded.is_some() {
            found.push("it records no layout of its row keys, so that was not compared".into());
        }
        let lost = diff.disallowed();
        let failure = Failure::not_found(format!(
            "{} is not as it is defined: {}",
            self.table,
            found.join("; ")
        ));
        Err(match (diff.key_layouts(), lost.is_empty()) {
            (Some(_), _) => failure.advise("copy the rows to a new table: `tallrow table create`, export, import"),
            (None, false) => failure.advise(format!(
                "run the printed commands in `hbase shell -n` only if what they lose is not needed: {}",
                lost.join(", ")
            )),
            (None, true) if diff.is_empty() => {
                failure.advise("`tallrow table sample` and `tallrow key decode` show whether its rows have the layout")
            }
            (None, true) => failure.advise("run the printed commands in `hbase shell -n`"),
        })
    }

    fn write(&self, diff: &SchemaDiff, output: &mut Output) -> Result<()> {
        if !output.is_json() {
            return output.text(&diff.to_shell());
        }
        let steps = diff.steps().iter().map(ToString::to_string);
        output.result("", || {
            json!({
                "table": self.table,
                "same": diff.is_empty(),
                "steps": steps.collect::<Vec<_>>(),
                "shell": diff.to_shell().lines().collect::<Vec<_>>(),
                "loses": diff.disallowed(),
                "not_compared": diff.unmanaged(),
                "other_layout": diff.key_layouts().map(|(live, _)| live.schema()),
            })
        })
    }
}
