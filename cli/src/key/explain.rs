//! `tallrow key explain`.

use clap::Args;
use serde_json::json;
use tallrow::key::schema::{Fields, Schema};
use tallrow::key::show::{self, Notation};

use super::each::{Answer, each};
use crate::columns::Columns;
use crate::failure::Result;
use crate::items::items;
use crate::json;
use crate::key_text::KeyForm;
use crate::layouts::LayoutArguments;
use crate::output::Output;
use crate::part::{Part, parts};

const AFTER: &str = "\
Examples:
  tallrow key explain --schema event.key '\\x00\\x00\\x00\\x07\\x7F\\xFF\\xFE\\x74\\x30\\x1A\\x97\\xFF'
  tallrow key explain --layout opentsdb --form hex 00000150e22700000001000001";

/// Show which bytes of row keys are which field
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Explain {
    #[command(flatten)]
    layout: LayoutArguments,

    /// How the keys are written
    #[arg(long, value_enum, default_value_t = KeyForm::Shell)]
    form: KeyForm,

    /// The row keys; without any, each line of standard input is one
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
}

impl Explain {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        each(items(self.keys, "row keys"), "row keys", output, |text| {
            let row = self.form.read(text)?;
            let (schema, fields) = layouts.decode(&row).map_err(|error| {
                format!("{error} (the key is {} bytes: {})", row.len(), show::hex(&row))
            })?;
            Ok(explained(schema, &fields, &row))
        })
    }
}

fn explained(schema: &Schema, fields: &Fields, row: &[u8]) -> Answer {
    let parts = parts(schema, fields, row);
    let bytes = |part: &Part| row.get(part.bytes.clone()).unwrap_or_default().to_vec();
    let mut columns = Columns::new(["bytes", "in hex", "field", "value", "encoding"]);
    for part in &parts {
        columns.row([
            range(part),
            show::hex(&bytes(part)).to_string(),
            part.name.clone(),
            part.value.as_ref().map(ToString::to_string).unwrap_or_default(),
            part.encoding.clone(),
        ]);
    }
    let key = Notation::Shell.write(row);
    let list: Vec<_> = parts
        .iter()
        .map(|part| {
            json!({
                "field": part.name,
                "start": part.bytes.start,
                "end": part.bytes.end,
                "hex": show::hex(&bytes(part)).to_string(),
                "value": part.value.as_ref().map(json::value),
                "encoding": part.encoding,
            })
        })
        .collect();
    Answer {
        text: format!("{key}: {}, {} bytes\n{columns}", schema.name(), row.len()),
        json: json!({ "key": key, "layout": schema.name(), "length": row.len(), "parts": list }),
    }
}

/// `0`, `1-4`, or nothing.
fn range(part: &Part) -> String {
    match (part.bytes.start, part.bytes.end) {
        (start, end) if end <= start => "none".into(),
        (start, end) if end == start + 1 => start.to_string(),
        (start, end) => format!("{start}-{}", end - 1),
    }
}
