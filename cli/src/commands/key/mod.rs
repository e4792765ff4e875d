//! The command `tallrow key`.

mod decode;
mod each;
mod encode;
mod explain;
mod find;
mod guess;
mod schema;

use clap::Subcommand;

use crate::failure::Result;
use crate::terminal::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    Decode(decode::Decode),
    Encode(encode::Encode),
    Explain(explain::Explain),
    Find(find::Find),
    Guess(guess::Guess),
    Schema(schema::ShowSchema),
}

impl KeyCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        match self {
            Self::Decode(command) => command.run(output),
            Self::Encode(command) => command.run(output),
            Self::Explain(command) => command.run(output),
            Self::Find(command) => command.run(output),
            Self::Guess(command) => command.run(output),
            Self::Schema(command) => command.run(output),
        }
    }
}
