//! The command `tallrow key`.

mod decode;
mod each;
mod encode;
mod explain;
mod guess;
mod ranges;
mod schema;

use clap::Subcommand;

use crate::failure::Result;
use crate::terminal::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    Decode(decode::Decode),
    Encode(encode::Encode),
    Explain(explain::Explain),
    Guess(guess::Guess),
    Ranges(ranges::Ranges),
    Schema(schema::ShowSchema),
}

impl KeyCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        match self {
            Self::Decode(command) => command.run(output),
            Self::Encode(command) => command.run(output),
            Self::Explain(command) => command.run(output),
            Self::Guess(command) => command.run(output),
            Self::Ranges(command) => command.run(output),
            Self::Schema(command) => command.run(output),
        }
    }
}
