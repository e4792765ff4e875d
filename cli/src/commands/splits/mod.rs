//! The command `tallrow splits`.

mod byte_pattern;
mod check;
mod computed;
mod sample;
mod split_output;

use clap::Subcommand;

use crate::failure::Result;
use crate::terminal::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum SplitsCommand {
    Schema(computed::SchemaSplits),
    Hex(computed::HexSplits),
    Decimal(computed::DecimalSplits),
    Uniform(computed::UniformSplits),
    Sample(sample::SampledSplits),
    Check(check::CheckSplits),
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
