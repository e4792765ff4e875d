//! The command `tallrow key explain`.

use clap::Args;
use serde_json::json;
use tallrow::key::schema::{PartLayout, RowPart, Schema};
use tallrow::key::show::{self, Notation};

use super::each::{ItemResult, run_for_each};
use crate::failure::Result;
use crate::files::lines::arguments_or_stdin_lines;
use crate::keys::json;
use crate::keys::key_format::KeyList;
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;
use crate::terminal::text_table::TextTable;

const AFTER: &str = "\
Examples:
  tallrow key explain --schema event.key '\\x00\\x00\\x00\\x07\\x7F\\xFF\\xFEt0\\x1A\\x97\\xFF'
  tallrow key explain --layout opentsdb --key-format hex 00000150e22700000001000001";

/// Show which bytes of row keys are which field
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Explain {
    #[command(flatten)]
    layout: LayoutArguments,

    #[command(flatten)]
    list: KeyList,
}

impl Explain {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        let format = self.list.key_format;
        run_for_each(
            arguments_or_stdin_lines(self.list.keys, "row keys"),
            "row keys",
            output,
            |text| {
                let row = format.read(text)?;
                let answer = layouts.decode(&row).and_then(|(schema, _)| {
                    let parts = schema.parts(&row).map_err(|error| error.to_string())?;
                    Ok(explained(schema, &parts, &row))
                });
                answer.map_err(|error| {
                    let hint = format.hint(text);
                    format!("{error} (the key is {} bytes: {}){hint}", row.len(), show::hex(&row))
                })
            },
        )
    }
}

fn explained(schema: &Schema, parts: &[RowPart<'_>], row: &[u8]) -> ItemResult {
    let bytes = |part: &RowPart<'_>| row.get(part.bytes.clone()).unwrap_or_default().to_vec();
    let mut columns = TextTable::new(["bytes", "in hex", "field", "value", "encoding"]);
    for part in parts {
        let (name, encoding) = described(part);
        columns.push_row([
            range(part),
            show::hex(&bytes(part)).to_string(),
            name,
            part.value.as_ref().map(ToString::to_string).unwrap_or_default(),
            encoding,
        ]);
    }
    let key = Notation::Shell.write(row);
    let list: Vec<_> = parts
        .iter()
        .map(|part| {
            let (name, encoding) = described(part);
            json!({
                "field": name,
                "start": part.bytes.start,
                "end": part.bytes.end,
                "hex": show::hex(&bytes(part)).to_string(),
                "value": part.value.as_ref().map(json::value),
                "encoding": encoding,
            })
        })
        .collect();
    ItemResult {
        text: format!("{key}: {}, {} bytes\n{columns}", schema.name(), row.len()),
        json: json!({ "key": key, "layout": schema.name(), "length": row.len(), "parts": list }),
    }
}

/// Returns the name of a part, and the words in the text of the schema that determine the bytes of
/// the part.
fn described(part: &RowPart<'_>) -> (String, String) {
    let line = part.layout.to_string();
    match (part.layout, line.split_once(": ")) {
        (PartLayout::KeyPrefix(_) | PartLayout::Field(_), Some((name, encoding))) => {
            (name.into(), encoding.into())
        }
        _ => (part.name.into(), line),
    }
}

/// Returns the positions of the bytes of a part: `0`, `1-4` or `none`.
fn range(part: &RowPart<'_>) -> String {
    match (part.bytes.start, part.bytes.end) {
        (start, end) if end <= start => "none".into(),
        (start, end) if end == start + 1 => start.to_string(),
        (start, end) => format!("{start}-{}", end - 1),
    }
}
