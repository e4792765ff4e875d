//! The command `tallrow key decode`.

use clap::Args;
use serde_json::json;

use super::each::{ItemResult, run_for_each};
use crate::failure::Result;
use crate::files::lines::arguments_or_stdin_lines;
use crate::keys::json;
use crate::keys::key_format::KeyList;
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;

const AFTER: &str = "\
Each key is written as it was given, then a tab and its values.

Examples:
  tallrow key decode --schema event.key '\\x00\\x00\\x00\\x07\\x7F\\xFF\\xFEt0\\x1A\\x97\\xFF'
  hbase shell -n < scan.rb | tallrow key decode --schema event.key --json";

/// Show the values in row keys
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Decode {
    #[command(flatten)]
    layout: LayoutArguments,

    #[command(flatten)]
    list: KeyList,
}

impl Decode {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        let format = self.list.key_format;
        run_for_each(
            arguments_or_stdin_lines(self.list.keys, "row keys"),
            "row keys",
            output,
            |text| {
                let decoded = layouts.decode(&format.read(text)?);
                let (schema, fields) = decoded.map_err(|why| why + format.hint(text))?;
                let json = json!({ "key": text, "layout": schema.name(), "fields": json::fields(&fields) });
                Ok(ItemResult { text: format!("{text}\t{fields}"), json })
            },
        )
    }
}
