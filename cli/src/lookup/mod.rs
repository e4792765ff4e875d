//! `tallrow lookup`.

mod fsck;
mod list;
mod names;
mod resolve;

use clap::Subcommand;

use crate::connection::block_on;
use crate::failure::Result;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum LookupCommand {
    Resolve(resolve::Resolve),
    List(list::List),
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
