//! The command `tallrow`: row keys, split keys and tables of HBase from a terminal.
//!
//! `tallrow --help` lists the commands; `docs/command-line.md` shows them.

mod arguments;
mod built_in;
mod byte_pattern;
mod cell_column;
mod column;
mod columns;
mod confirm;
mod connection;
mod copy;
mod doctor;
mod equal_keys;
mod export;
mod failure;
mod field_text;
mod file_format;
mod files;
mod guess;
mod import;
mod interrupt;
mod items;
mod json;
mod key;
mod key_columns;
mod key_text;
mod layouts;
mod lines;
mod lookup;
mod mock;
mod output;
mod progress;
mod rows;
mod sampling;
mod similar;
mod simulate;
mod split_file;
mod splits;
mod state_file;
mod table;
mod table_keys;
mod tables;
mod usage_tip;
mod value_format;
mod wording;

use std::process::ExitCode;

use clap::Parser;

/// Runs the command that the arguments of this process name, and returns its exit code.
pub fn run() -> ExitCode {
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help, the version, and errors of usage.
        Err(error) => {
            let _ = error.print();
            if let Some(tip) = usage_tip::tip(&error, std::env::args().skip(1)) {
                output::say(format!("\n  tip: {tip}"));
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
