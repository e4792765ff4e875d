//! Reads values and writes row-key bytes: to try an encoding, or to compare this library with
//! another implementation.
//!
//! ```text
//! $ printf 'OrderedBytes\tint64\tdesc\t7\n' | cargo run -q -p tallrow-examples --example encodings
//! OrderedBytes    int64    desc    7    d37ffffffffffffff8
//! ```
//!
//! `--help` lists codecs, types and inputs.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use tallrow::key::show;

mod hbase;
mod line;
mod native;
mod ordered;
mod phoenix;
mod splits;
mod type_name;
mod types;
mod value;
mod write;

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    if std::env::args().len() > 1 {
        let help = std::env::args().any(|argument| argument == "--help" || argument == "-h");
        print!("{HELP}");
        return if help { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    match filter(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("encodings: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes each line followed by its bytes in hex, or by `!` and an error.
fn filter(mut lines: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        while let [.., b'\n' | b'\r'] = line[..] {
            line.pop();
        }
        let answer = match std::str::from_utf8(&line) {
            Ok(text) => line::answer(text),
            Err(_) => Err("the line is not UTF-8".into()),
        };
        out.write_all(&line)?;
        match answer {
            Ok(row) => writeln!(out, "\t{}", show::hex(&row))?,
            Err(reason) => writeln!(out, "\t!{reason}")?,
        }
        out.flush()?;
        line.clear();
    }
    Ok(())
}
