//! The command `tallrow table`.

mod define;
mod describe;
mod read;
mod write;

use clap::Subcommand;

use crate::cluster::connection::block_on;
use crate::failure::Result;
use crate::terminal::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    List(describe::ListTables),
    Create(define::CreateTable),
    Describe(describe::DescribeTable),
    Diff(define::DiffTable),
    Drop(define::DropTable),
    Scan(read::ScanRows),
    Count(read::CountRows),
    Sample(read::SampleKeys),
    Get(read::GetRow),
    Put(write::PutCells),
    Incr(write::IncrementCounters),
    Delete(write::DeleteCells),
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
