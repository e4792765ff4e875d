//! The program `tallrow`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tallrow_cli::run()
}
