//! `tallrow table`.

mod count;
mod create;
mod delete;
mod describe;
mod diff;
mod drop;
mod family;
mod get;
mod incr;
mod list;
mod put;
mod row_text;
mod sample;
mod scan;

use clap::Subcommand;

use crate::connection::block_on;
use crate::failure::Result;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    List(list::List),
    Create(create::Create),
    Describe(describe::Describe),
    Diff(diff::Diff),
    Drop(drop::Drop),
    Scan(scan::Scan),
    Count(count::Count),
    Sample(sample::Sample),
    Get(get::Get),
    Put(put::Put),
    Incr(incr::Incr),
    Delete(delete::Delete),
}

impl TableCommand {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(async {
            match self {
                Self::List(command) => command.run(output).await,
                Self::Create(command) => command.run(output).await,
                Self::Describe(command) => command.run(output).await,
                Self::Diff(command) => command.run(output).await,
                Self::Drop(command) => command.run(output).await,
                Self::Scan(command) => command.run(output).await,
                Self::Count(command) => command.run(output).await,
                Self::Sample(command) => command.run(output).await,
                Self::Get(command) => command.run(output).await,
                Self::Put(command) => command.run(output).await,
                Self::Incr(command) => command.run(output).await,
                Self::Delete(command) => command.run(output).await,
            }
        })
    }
}
