//! The arguments of the program: the commands, the flags that all commands have, and tips about
//! wrong usage.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::commands::copy::CopyTable;
use crate::commands::doctor::Doctor;
use crate::commands::export::Export;
use crate::commands::import::Import;
use crate::commands::key::KeyCommand;
use crate::commands::lookup::LookupCommand;
use crate::commands::mock::Mock;
use crate::commands::simulate::Simulate;
use crate::commands::splits::SplitsCommand;
use crate::commands::table::TableCommand;
use crate::failure::Result;
use crate::terminal::output::Output;

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
    Copy(Box<CopyTable>),
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
                output.write_text(&String::from_utf8_lossy(&script))
            }
        }
    }
}

/// Returns advice on two errors of usage, and none on others: a subcommand that is given without
/// its group, and the values of a row key that are not quoted.
pub(crate) fn tip(error: &clap::Error, given: impl Iterator<Item = String>) -> Option<String> {
    let given: Vec<String> = given.collect();
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        let all = Arguments::command();
        let places: Vec<String> = all
            .get_subcommands()
            .flat_map(|group| group.get_subcommands().map(move |command| (group, command)))
            .filter(|(_, command): &(&clap::Command, &clap::Command)| command.get_name() == name)
            .map(|(group, command)| {
                format!("`tallrow {} {}`", group.get_name(), command.get_name())
            })
            .collect();
        return (!places.is_empty()).then(|| format!("it is {}", places.join(" or ")));
    }
    let is_cut = |pair: &[String]| {
        pair.first().is_some_and(|text| text.ends_with(',') && text.contains('='))
    };
    let of_arguments =
        matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument);
    (of_arguments && given.windows(2).any(is_cut)).then(|| {
        "the values of a row key are one argument: write them in quotes, as 'user=7, at=1000'"
            .into()
    })
}
