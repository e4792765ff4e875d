//! The command `tallrow lookup`.

mod fsck;
mod list;
mod names;
mod resolve;

use clap::Subcommand;

use crate::cluster::connection::block_on;
use crate::failure::Result;
use crate::terminal::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum LookupCommand {
    Resolve(resolve::Resolve),
    List(list::ListNames),
    Fsck(fsck::Fsck),
}

impl LookupCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(async {
            match self {
                Self::Resolve(command) => command.run(output).await,
                Self::List(command) => command.run(output).await,
                Self::Fsck(command) => command.run(output).await,
            }
        })
    }
}
