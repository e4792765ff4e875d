//! The command `tallrow key ranges`.

use clap::Args;
use serde_json::json;
use tallrow::key::show;

use crate::failure::{Failure, Result};
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;

const AFTER: &str = "\
A line for each range: `range`, the first row, and the row after the last, with tabs between. If
ranges are not enough, a line with the row and the mask of a FuzzyRowFilter: 1 for each byte that
may have any value.

Examples:
  tallrow key ranges --schema event.key user=7
  tallrow key ranges --schema log.key event=9";

/// Show the ranges of the rows in which fields have some values
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Ranges {
    #[command(flatten)]
    layout: LayoutArguments,

    /// Values of some fields: NAME=VALUE, NAME=VALUE
    values: String,
}

impl Ranges {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        let found = layouts.select(&self.values)?.map_err(|why| {
            Failure::new(format!("key ranges {:?}: {why}", self.values)).advise(format!(
                "write the values of some fields, as {}",
                layouts.values_template()
            ))
        })?;
        for range in &found.ranges {
            let start = show::shell(range.start()).to_string();
            let stop = range.stop().map(|stop| show::shell(stop).to_string());
            let text = format!("range\t{start}\t{}", stop.as_deref().unwrap_or_default());
            output.write_result(text, || json!({ "start": start, "stop": stop }))?;
        }
        if let Some(fuzzy) = &found.fuzzy {
            let mask: String = fuzzy.mask.iter().map(ToString::to_string).collect();
            let row = show::shell(&fuzzy.row).to_string();
            output.write_result(
                format!("fuzzy\t{row}\t{mask}"),
                || json!({ "fuzzy": row, "mask": mask }),
            )?;
        }
        Ok(())
    }
}
