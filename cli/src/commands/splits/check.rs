//! The command `tallrow splits check`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::key::show::Notation;

use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::cluster::tables;
use crate::commands::splits::byte_pattern::BytePatterns;
use crate::failure::{Failure, Result};
use crate::keys::key_format::KeyFormat;
use crate::keys::layouts::{self, GivenLayout, Layouts, OtherLayoutFlag};
use crate::keys::split_file::read_splits;
use crate::terminal::output::Output;
use crate::terminal::text_table::TextTable;

const AFTER: &str = "\
A region is reported only if its rows cannot exist by the layout: the digits of a hash, the
buckets of a salt, the bytes of a text. That a region with possible keys has rows is not checked.

Examples:
  tallrow splits check --schema event.key --splits splits.txt
  tallrow splits check --schema event.key --table events --url hbase+zk://localhost:2181";

/// Find regions in which no row key of a layout can be; exit code 3 if there are any
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CheckSplits {
    #[command(flatten)]
    given: GivenLayout,

    /// A file with a split key on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    splits: Option<PathBuf>,

    /// A live table: its regions are checked unless --splits is given, by the layout that it
    /// records unless --schema or --layout is given (needs --url)
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,

    #[command(flatten)]
    other_layout: OtherLayoutFlag,

    /// How the split keys in the file are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = KeyFormat::Shell)]
    key_format: KeyFormat,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl CheckSplits {
    /// Returns the layouts and the split keys that are given by flags or read from the live table.
    async fn read(&self) -> Result<(Layouts, Vec<Vec<u8>>)> {
        let given = self.given.read()?;
        let splits = |file: &PathBuf| read_splits(file, self.key_format);
        let splits = self.splits.as_ref().map(splits).transpose()?;
        let Some(table) = &self.table else {
            let (_, layouts) = given.ok_or_else(layouts::no_layout)?;
            let splits = splits.ok_or_else(|| {
                Failure::usage("no split keys are given")
                    .advise("give --splits FILE, or --table TABLE for those of a live table")
            })?;
            return Ok((layouts, splits));
        };
        let client = self.connection.connect().await?;
        match (given, splits) {
            (Some((flag, _)), Some(_)) => Err(Failure::usage(format!(
                "{flag} gives the layout and --splits the split keys, so --table {table} gives \
                 nothing"
            ))
            .advise("leave out one of the three")),
            (Some((flag, layouts)), None) => {
                self.other_layout.check_live((flag, &layouts), &client, table).await?;
                Ok((layouts, tables::split_keys(&client, table).await?))
            }
            (None, splits) => {
                let layouts = layouts::of_table(&client, table).await?;
                let splits = match splits {
                    Some(splits) => splits,
                    None => tables::split_keys(&client, table).await?,
                };
                Ok((layouts, splits))
            }
        }
    }

    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let (layouts, splits) = block_on(self.read())?;
        let patterns: Vec<_> = layouts.all().iter().map(BytePatterns::of).collect();
        let start = [Vec::new()].into_iter().chain(splits.iter().cloned());
        let ends = splits.iter().cloned().chain([Vec::new()]);
        let (mut columns, mut regions, mut dead) =
            (TextTable::new(["region", "start", "end", "keys"]), Vec::new(), 0_usize);
        for (index, (start, end)) in start.zip(ends).enumerate() {
            let possible = patterns.iter().any(|patterns| patterns.can_match_range(&start, &end));
            dead += usize::from(!possible);
            let [start, end] = [start, end].map(|key| Notation::Shell.write(&key));
            regions.push(json!({ "start": start, "end": end, "possible": possible }));
            let keys = if possible { "possible" } else { "none" };
            columns.push_row([(index + 1).to_string(), start, end, keys.into()]);
        }
        let count = regions.len();
        output.write_result(columns.to_string(), || json!({ "dead": dead, "regions": regions }))?;
        match dead {
            0 => Ok(()),
            dead => {
                Err(Failure::not_found(format!("no row key can be in {dead} of {count} regions"))
                    .advise("`tallrow splits schema` makes split keys that fit the layout"))
            }
        }
    }
}
