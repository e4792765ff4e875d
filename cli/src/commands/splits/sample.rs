//! The command `tallrow splits sample`.

use std::path::PathBuf;

use clap::Args;
use tallrow::key::split;

use super::split_output::SplitArguments;
use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::failure::{Failure, Result};
use crate::files::lines::lines;
use crate::keys::key_format::KeyFormat;
use crate::rows::sampling::{Sampling, sample_keys};
use crate::terminal::output::{Output, say};

const AFTER: &str = "\
Examples:
  tallrow splits sample --file keys.txt --regions 8
  tallrow splits sample --table events --regions 8 --url hbase+zk://localhost:2181";

/// Split so that each region has an equal part of samples: lines of a file, or rows of a live table
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct SampledSplits {
    #[command(flatten)]
    source: SampleSource,

    #[command(flatten)]
    sampling: Sampling,

    /// How the keys in the file are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = KeyFormat::Shell)]
    key_format: KeyFormat,

    #[command(flatten)]
    splits: SplitArguments,

    #[command(flatten)]
    connection: ConnectionArguments,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct SampleSource {
    /// A file with a row key on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// A live table
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
}

impl SampledSplits {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let (rows, from) = match (&self.source.file, &self.source.table) {
            (Some(file), _) => (self.rows_of(file)?, file.display().to_string()),
            (_, Some(table)) => {
                let rows = block_on(async {
                    let client = self.connection.connect().await?;
                    sample_keys(&client, table, &self.sampling).await
                })?;
                (rows, format!("table {table}"))
            }
            _ => {
                return Err(Failure::usage("no samples are given").advise("give --file or --table"));
            }
        };
        let regions = self.splits.regions;
        let splits = split::from_samples(&rows, regions);
        if let Ok(splits) = &splits
            && splits.len() + 1 < regions
        {
            let text = format!(
                "{} row keys of {from} give {} regions, not {regions}",
                rows.len(),
                splits.len() + 1
            );
            return Err(Failure::new(text).advise("give more samples, or fewer regions"));
        }
        say(format!("cut {} row keys of {from}", rows.len()));
        self.splits.write(splits, output)
    }

    fn rows_of(&self, file: &std::path::Path) -> Result<Vec<Vec<u8>>> {
        let rows = lines(file)?.map(|line| {
            let line = line?;
            self.key_format.read(&line.text).map_err(|error| {
                Failure::new(format!("{}, {}: {error}", file.display(), line.place)).advise(
                    "--key-format says how the keys are written: shell, hex, base64 or region",
                )
            })
        });
        rows.collect()
    }
}
