//! `tallrow splits check`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::key::show::Notation;

use crate::byte_pattern::BytePatterns;
use crate::columns::Columns;
use crate::connection::block_on;
use crate::failure::{Failure, Result};
use crate::key_text::KeyForm;
use crate::layouts::{self, LayoutArguments, Layouts, OtherLayout};
use crate::output::Output;
use crate::regions::live_splits;
use crate::split_file::read_splits;
use crate::tables;

const AFTER: &str = "\
A region is reported only if its rows cannot exist by the layout: the digits of a hash, the buckets of a salt, the bytes
of a text. That a region with possible keys has rows is not checked.

Examples:
  tallrow splits check --schema event.key --splits splits.txt
  tallrow splits check --schema event.key --live events --url hbase+zk://localhost:2181";

/// Find regions in which no row key of a layout can be; exit code 3 if there are any
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Check {
    #[command(flatten)]
    layout: LayoutArguments,

    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    other_layout: OtherLayout,

    /// How the split keys in the file are written
    #[arg(long, value_enum, default_value_t = KeyForm::Shell)]
    form: KeyForm,
}

impl Check {
    /// Returns the split keys of a live table, whose rows have these layouts.
    async fn splits_of(&self, layouts: &Layouts, table: &str) -> Result<Vec<Vec<u8>>> {
        let client = self.layout.connection().connect().await?;
        if let Some(flag) = self.layout.given_by() {
            let descriptor = tables::describe_if_allowed(&client, table).await?;
            let live = descriptor.as_ref().map(layouts::recorded).transpose()?.flatten();
            self.other_layout.check((flag, layouts), table, live.as_ref())?;
        }
        live_splits(&client, table).await
    }
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct Source {
    /// A file with a split key on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    splits: Option<PathBuf>,

    /// The regions of a live table
    #[arg(long, value_name = "TABLE")]
    live: Option<String>,
}

impl Check {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        let patterns: Vec<_> = layouts.all().iter().map(BytePatterns::of).collect();
        let splits = match (&self.source.splits, &self.source.live) {
            (Some(file), _) => read_splits(file, self.form)?,
            (_, Some(table)) => block_on(self.splits_of(&layouts, table))?,
            _ => {
                return Err(
                    Failure::usage("no split keys are given").advise("give --splits or --live")
                );
            }
        };
        let start = [Vec::new()].into_iter().chain(splits.iter().cloned());
        let ends = splits.iter().cloned().chain([Vec::new()]);
        let (mut columns, mut regions, mut dead) =
            (Columns::new(["region", "start", "end", "keys"]), Vec::new(), 0_usize);
        for (index, (start, end)) in start.zip(ends).enumerate() {
            let possible = patterns.iter().any(|patterns| patterns.can_be_in(&start, &end));
            dead += usize::from(!possible);
            let [start, end] = [start, end].map(|key| Notation::Shell.write(&key));
            regions.push(json!({ "start": start, "end": end, "possible": possible }));
            let keys = if possible { "possible" } else { "none" };
            columns.row([(index + 1).to_string(), start, end, keys.into()]);
        }
        let count = regions.len();
        output.result(columns.to_string(), || json!({ "dead": dead, "regions": regions }))?;
        match dead {
            0 => Ok(()),
            dead => {
                Err(Failure::not_found(format!("no row key can be in {dead} of {count} regions"))
                    .advise("`tallrow splits schema` makes split keys that fit the layout"))
            }
        }
    }
}
