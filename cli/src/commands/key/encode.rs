//! The command `tallrow key encode`.

use clap::Args;
use serde_json::json;
use tallrow::key::show::Notation;

use super::each::{ItemResult, run_for_each};
use crate::failure::Result;
use crate::files::lines::arguments_or_stdin_lines;
use crate::keys::key_format::KeyOutputFormat;
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;

const AFTER: &str = "\
VALUES are as `key decode` shows them: NAME=VALUE or NAME: VALUE, with commas between; or an
object, as `key decode --json` prints it.

Examples:
  tallrow key encode --schema event.key 'user=7, at=2023-11-14T22:13:20Z'
  tallrow key encode --schema event.key --key-format hex < values.txt";

/// Make row keys from values
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Encode {
    #[command(flatten)]
    layout: LayoutArguments,

    /// How the keys are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = KeyOutputFormat::Shell)]
    key_format: KeyOutputFormat,

    /// The values of each key; if none are given, each line of standard input has the values of a
    /// key
    #[arg(value_name = "VALUES")]
    values: Vec<String>,
}

impl Encode {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        run_for_each(
            arguments_or_stdin_lines(self.values, "the values of row keys"),
            "row keys",
            output,
            |values| {
                let row = match values.trim_start().starts_with('{') {
                    true => layouts.encode_json(values)?,
                    false => layouts.encode(values)?,
                };
                let text = Notation::from(self.key_format).write(&row);
                Ok(ItemResult { json: json!({ "values": values, "key": text }), text })
            },
        )
    }
}
