//! The arguments of the program: which command, and the flags of all of them.

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::copy::Copy;
use crate::doctor::Doctor;
use crate::export::Export;
use crate::failure::Result;
use crate::import::Import;
use crate::key::KeyCommand;
use crate::lookup::LookupCommand;
use crate::mock::Mock;
use crate::output::Output;
use crate::simulate::Simulate;
use crate::splits::SplitsCommand;
use crate::table::TableCommand;

const AFTER: &str = "\
Results go to standard output, everything else to standard error.

Exit codes:
  0    done
  1    failed
  2    wrong usage
  3    not found, or a check found something
  130  stopped by Ctrl-C

Examples:
  tallrow key decode --schema event.key '\\x07\\x00\\x00\\x00\\x07'
  tallrow splits schema --schema event.key --regions 16
  tallrow simulate --schema event.key --field user=zipf:1000 --field at=sequence --regions 16
  tallrow table scan events --url hbase+zk://localhost:2181
  tallrow completions bash > /etc/bash_completion.d/tallrow";

/// Row keys, split keys and tables of HBase.
#[derive(Debug, Parser)]
#[command(name = "tallrow", version, after_help = AFTER, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Print JSON: one document, or one object for each line
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read, write and explain row keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Make and check the split keys of a table
    #[command(subcommand)]
    Splits(SplitsCommand),
    Simulate(Box<Simulate>),
    /// Tables and their rows
    #[command(subcommand)]
    Table(TableCommand),
    Import(Import),
    Export(Export),
    Copy(Box<Copy>),
    /// Names and their short ids
    #[command(subcommand)]
    Lookup(LookupCommand),
    Doctor(Doctor),
    Mock(Mock),
    /// Print the completions of a shell
    #[command(after_help = "Example:\n  tallrow completions zsh > ~/.zfunc/_tallrow")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Arguments {
    pub(crate) fn run(self) -> Result<()> {
        let mut output = Output::new(self.json);
        match self.command {
            Command::Key(command) => command.run(&mut output),
            Command::Splits(command) => command.run(&mut output),
            Command::Simulate(command) => command.run(&mut output),
            Command::Table(command) => command.run(&mut output),
            Command::Import(command) => command.run(&mut output),
            Command::Export(command) => command.run(&mut output),
            Command::Copy(command) => command.run(&mut output),
            Command::Lookup(command) => command.run(&mut output),
            Command::Doctor(command) => command.run(&mut output),
            Command::Mock(command) => command.run(&mut output),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Self::command(), "tallrow", &mut script);
                output.text(&String::from_utf8_lossy(&script))
            }
        }
    }
}
