//! The command `tallrow key schema`.

use clap::{Args, ValueEnum};

use crate::failure::{Failure, Result};
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;

const AFTER: &str = "\
Examples:
  tallrow key schema --table events --url hbase+zk://localhost:2181 > event.key
  tallrow key schema --schema event.key --format phoenix";

/// How a schema is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaFormat {
    /// As in a lock file
    Text,
    Json,
    /// The statement that maps the table in Phoenix
    Phoenix,
}

/// Show the schema of row keys, checked and with its fingerprint
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ShowSchema {
    #[command(flatten)]
    layout: LayoutArguments,

    /// How the schema is written; --json means json
    #[arg(long, value_enum, default_value_t = SchemaFormat::Text)]
    format: SchemaFormat,
}

impl ShowSchema {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        let schema = layouts.only()?;
        match self.format {
            SchemaFormat::Text if !output.is_json() => output.write_text(&schema.to_string()),
            SchemaFormat::Text | SchemaFormat::Json => {
                output.write_text(&format!("{}\n", schema.to_json()))
            }
            SchemaFormat::Phoenix => {
                let key = schema.phoenix_key().map_err(|error| Failure::new(error.to_string()))?;
                let statement = key.create_table_statement().ok_or_else(|| {
                    Failure::new("the schema names no table")
                        .advise("add a line `table NAME` to it")
                })?;
                output.write_text(&format!("{statement}\n"))
            }
        }
    }
}
