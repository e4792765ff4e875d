//! `tallrow splits schema`.

use clap::Args;

use super::written::SplitArguments;
use crate::failure::Result;
use crate::layouts::LayoutArguments;
use crate::output::Output;

const AFTER: &str = "\
Examples:
  tallrow splits schema --schema event.key --regions 16 > splits.txt
  tallrow splits schema --schema event.key --regions 16 --format shell";

/// Split between the buckets of a salt, or the values of a hash, in equal parts
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct BySchema {
    #[command(flatten)]
    layout: LayoutArguments,

    #[command(flatten)]
    splits: SplitArguments,
}

impl BySchema {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        self.splits.write(layouts.only()?.split_keys(self.splits.regions), output)
    }
}
