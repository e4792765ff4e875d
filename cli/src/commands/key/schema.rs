//! The command `tallrow key schema`.

use clap::{Args, ValueEnum};

use crate::failure::{Failure, Result};
use crate::keys::layouts::LayoutArguments;
use crate::keys::rust_type::rust_type;
use crate::terminal::output::Output;

const AFTER: &str = "\
Examples:
  tallrow key schema --table events --url hbase+zk://localhost:2181 > event.key
  tallrow key schema --schema event.key --format phoenix
  tallrow key schema --table visits --from bigtable://project/instance";

/// How a schema is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaFormat {
    /// As in a lock file
    Text,
    Json,
    /// The statement that maps the table in Phoenix
    Phoenix,
    /// The row key schema of Bigtable, or the reason why there is none
    Bigtable,
    /// The Rust type, for layouts that a row key schema of Bigtable has
    Rust,
}

/// Show the schema of row keys, checked and with its fingerprint
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ShowSchema {
    #[command(flatten)]
    layout: LayoutArguments,

    /// The instance of Bigtable with the table; like --url, but the Rust type is written
    #[arg(long, value_name = "URL", requires = "table")]
    from: Option<String>,

    /// How the schema is written: text, or rust with --from; --json means json
    #[arg(long, value_enum)]
    format: Option<SchemaFormat>,
}

impl ShowSchema {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = match &self.from {
            Some(url) => self.layout.clone().at_url(url).read()?,
            None => self.layout.read()?,
        };
        let schema = layouts.only()?;
        let default = if self.from.is_some() { SchemaFormat::Rust } else { SchemaFormat::Text };
        match self.format.unwrap_or(default) {
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
            SchemaFormat::Bigtable => {
                let key = schema.bigtable_key().map_err(|error| Failure::new(error.to_string()))?;
                output.write_text(&format!("{key}\n"))
            }
            SchemaFormat::Rust => {
                let text = rust_type(schema).map_err(Failure::new)?;
                output.write_text(&text)
            }
        }
    }
}
