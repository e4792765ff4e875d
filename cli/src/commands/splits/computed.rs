//! The command `tallrow splits schema`, and the commands `hex`, `decimal` and `uniform`, which
//! split as HBase's `RegionSplitter` does.

use clap::Args;
use tallrow::key::split;

use super::split_output::SplitArguments;
use crate::failure::Result;
use crate::keys::layouts::LayoutArguments;
use crate::terminal::output::Output;

const AFTER: &str = "\
Examples:
  tallrow splits schema --schema event.key --regions 16 > splits.txt
  tallrow splits schema --schema event.key --regions 16 --format shell";

/// Split between the buckets of a salt, or the values of a hash, in equal parts
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct SchemaSplits {
    #[command(flatten)]
    layout: LayoutArguments,

    #[command(flatten)]
    splits: SplitArguments,
}

impl SchemaSplits {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let layouts = self.layout.read()?;
        self.splits.write(layouts.only()?.split_keys(self.splits.regions), output)
    }
}

/// Split keys that start with hex digits, as HBase's HexStringSplit does
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tallrow splits hex --regions 16
  tallrow splits hex --regions 8 --first 1000000000000000 --last 7fffffffffffffff")]
pub(crate) struct HexSplits {
    #[command(flatten)]
    splits: SplitArguments,

    /// The first number, of up to 16 hex digits; split keys have 16 digits then
    #[arg(long, value_name = "HEX", requires = "last")]
    first: Option<String>,

    /// The last number
    #[arg(long, value_name = "HEX", requires = "first")]
    last: Option<String>,
}

impl HexSplits {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let regions = self.splits.regions;
        match (&self.first, &self.last) {
            (Some(first), Some(last)) => {
                self.splits.write(split::hex_between(first, last, regions), output)
            }
            _ => self.splits.write(split::hex_string_splits(regions), output),
        }
    }
}

/// Split keys that start with decimal digits, as HBase's DecimalStringSplit does
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow splits decimal --regions 10")]
pub(crate) struct DecimalSplits {
    #[command(flatten)]
    splits: SplitArguments,
}

impl DecimalSplits {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        self.splits.write(split::decimal_string_splits(self.splits.regions), output)
    }
}

/// Split keys whose first bytes can be anything, as HBase's UniformSplit does
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow splits uniform --regions 4 --format shell")]
pub(crate) struct UniformSplits {
    #[command(flatten)]
    splits: SplitArguments,
}

impl UniformSplits {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        self.splits.write(split::uniform(self.splits.regions), output)
    }
}
