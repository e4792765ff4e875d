//! `tallrow key`.

mod decode;
mod each;
mod encode;
mod explain;
mod guess;

use clap::Subcommand;

use crate::failure::Result;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    Decode(decode::Decode),
    Encode(encode::Encode),
    Explain(explain::Explain),
    Guess(guess::Guess),
}

impl KeyCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        match self {
            Self::Decode(command) => command.run(output),
            Self::Encode(command) => command.run(output),
            Self::Explain(command) => command.run(output),
            Self::Guess(command) => command.run(output),
        }
    }
}
