//! The command `tallrow`: row keys, split keys and tables of HBase and Bigtable from a terminal.
//!
//! `tallrow --help` lists the commands; `docs/command-line.md` describes them. Each top-level
//! module uses only the top-level modules below it in this list:
//!
//! - `arguments`: the arguments of the program, and tips about wrong usage.
//! - `commands`: the commands, each in its own module.
//! - `rows`: tables that are opened to read or write rows, the selection of rows, and samples of
//!   row keys.
//! - `keys`: the layouts of row keys, and keys as text, as JSON and as columns of a file.
//! - `cells`: columns, and the values of cells, as they are written in a terminal or a file.
//! - `cluster`: the cluster that a command works on, and its tables.
//! - `files`: files with lines, and files with the progress of a command.
//! - `terminal`: results, questions, progress and Ctrl-C.
//! - `failure`: why a command failed, in the words of the command line, and what to do.

mod arguments;
mod cells;
mod cluster;
mod commands;
mod failure;
mod files;
mod keys;
mod rows;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

/// Runs the command that the arguments of this process name, and returns its exit code.
pub fn run() -> ExitCode {
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // The error is help, the version, or an error of usage.
        Err(error) => {
            let _ = error.print();
            if let Some(tip) = arguments::tip(&error, std::env::args().skip(1)) {
                terminal::output::say(format!("\n  tip: {tip}"));
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
