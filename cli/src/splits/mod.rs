//! `tallrow splits`.

mod by_schema;
mod check;
mod numeric;
mod sample;
mod written;

use clap::Subcommand;

use crate::failure::Result;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum SplitsCommand {
    Schema(by_schema::BySchema),
    Hex(numeric::Hex),
    Decimal(numeric::Decimal),
    Uniform(numeric::Uniform),
    Sample(sample::Sample),
    Check(check::Check),
}

impl SplitsCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        match self {
            Self::Schema(command) => command.run(output),
            Self::Hex(command) => command.run(output),
            Self::Decimal(command) => command.run(output),
            Self::Uniform(command) => command.run(output),
            Self::Sample(command) => command.run(output),
            Self::Check(command) => command.run(output),
        }
    }
}
