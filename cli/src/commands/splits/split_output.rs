//! Writes split keys in several formats.

use clap::{Args, ValueEnum};
use serde_json::json;
use tallrow::key::show::{self, Notation};
use tallrow::key::split::SplitError;

use crate::failure::{Failure, Result};
use crate::terminal::output::Output;

/// How split keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SplitFormat {
    /// A line for each, in the shell's notation: a file for the shell's SPLITS_FILE and for
    /// --splits
    Lines,
    /// The SPLITS => [..] of the shell's create
    Shell,
    /// The call that creates a table with them, in Rust
    Rust,
}

/// The flags of every command that makes split keys.
#[derive(Args, Debug)]
pub(super) struct SplitArguments {
    /// How many regions
    #[arg(long, short = 'n', value_name = "N")]
    pub(super) regions: usize,

    /// How the split keys are written
    #[arg(long, value_enum, default_value_t = SplitFormat::Lines)]
    format: SplitFormat,
}

impl SplitArguments {
    /// Writes the split keys `made`, which were made for `regions` regions, in the chosen format.
    /// If making them failed, returns the error with advice.
    pub(super) fn write<K: AsRef<[u8]>>(
        &self,
        made: std::result::Result<Vec<K>, SplitError>,
        output: &mut Output,
    ) -> Result<()> {
        let splits = made.map_err(|error| {
            let advice = match error {
                SplitError::UnhashedValues | SplitError::MoreRegionsThanBuckets { .. } => {
                    "`tallrow splits sample` cuts samples of the keys into equal parts"
                }
                SplitError::InvalidHex | SplitError::NotAscending => {
                    "give --first and --last as numbers of up to 16 hex digits, the lower one first"
                }
                _ => "choose another number for --regions",
            };
            Failure::new(error.to_string()).advise(advice)
        })?;
        if output.is_json() {
            let keys: Vec<_> =
                splits.iter().map(|key| Notation::Shell.write(key.as_ref())).collect();
            return output
                .write_result("", || json!({ "regions": keys.len() + 1, "splits": keys }));
        }
        match self.format {
            SplitFormat::Shell => output.write_text(&format!("{}\n", show::shell_splits(&splits))),
            SplitFormat::Rust => output.write_text(&rust(&splits)),
            SplitFormat::Lines => {
                let lines = splits.iter().map(|key| format!("{}\n", show::shell(key.as_ref())));
                output.write_text(&lines.collect::<String>())
            }
        }
    }
}

/// Returns the Rust code that calls `Admin::create_table_with_splits` with these split keys.
fn rust<K: AsRef<[u8]>>(splits: &[K]) -> String {
    let literals = splits.iter().map(|key| format!("b\"{}\"", key.as_ref().escape_ascii()));
    let keys = literals.collect::<Vec<_>>().join(", ");
    format!(
        "admin.create_table_with_splits(&table, [{keys}] as [&[u8]; {}]).await?;\n",
        splits.len()
    )
}
