//! Decodes and encodes the row keys of a table by their schema, without the Rust type.
//!
//! ```text
//! $ echo '\x07\x00\x00\x00\x07\x7F\xFF\xFE\x74\x30\x1A\x97\xFF' | cargo run -q --example rowkey decode event.key shell
//! \x07\x00\x00\x00\x07\x7F\xFF\xFE\x74\x30\x1A\x97\xFF    user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)
//! ```
//!
//! `--help` lists the rest.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use tallrow::key::schema::Schema;
use tallrow::key::show::{self, Notation};

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--help" | "-h"] = arguments[..] {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            print!("{HELP}");
            ExitCode::from(2)
        }
        // The reader of the output has closed it.
        Err(error) if error.downcast_ref().is_some_and(is_closed) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rowkey: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Runs a command; returns false if there is none.
fn run(arguments: &[&str]) -> Result<bool, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    match arguments {
        ["decode", file, notation] => {
            let (schema, notation) = (read(file)?, notation_of(notation)?);
            each_line(out, |line| {
                Ok(schema.decode_text(line, notation).map_err(|e| e.to_string())?.to_string())
            })?;
        }
        ["encode", file, notation] => {
            let (schema, notation) = (read(file)?, notation_of(notation)?);
            each_line(out, |line| {
                Ok(notation.write(&schema.encode_text(line).map_err(|e| e.to_string())?))
            })?;
        }
        ["find", file, values] => {
            let schema = read(file)?;
            let found = schema.select_rows(&schema.read_text(values)?)?;
            for range in &found.ranges {
                let stop = range.stop().map(|stop| show::shell(stop).to_string());
                let (start, stop) = (show::shell(range.start()), stop.unwrap_or_default());
                writeln!(out, "range\t{start}\t{stop}")?;
            }
            if let Some(fuzzy) = found.fuzzy {
                let mask: String = fuzzy.mask.iter().map(|bit| bit.to_string()).collect();
                writeln!(out, "fuzzy\t{}\t{mask}", show::shell(&fuzzy.row))?;
            }
        }
        ["create", file, regions, families @ ..] if !families.is_empty() => {
            writeln!(out, "{}", read(file)?.shell_create(families, regions.parse()?)?)?;
        }
        ["phoenix", file] => {
            let key = read(file)?.phoenix_key()?;
            let statement = key.create_table().ok_or("the schema names no table")?;
            writeln!(out, "{statement}")?;
        }
        ["json", file] => writeln!(out, "{}", read(file)?.to_json())?,
        ["text", file] => write!(out, "{}", read(file)?)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn read(file: &str) -> Result<Schema, Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("read {file}: {error}"))?;
    let schema =
        if text.starts_with('{') { Schema::from_json(&text) } else { Schema::parse(&text) };
    Ok(schema.map_err(|error| format!("{file}: {error}"))?)
}

fn notation_of(word: &str) -> Result<Notation, String> {
    match word {
        "shell" => Ok(Notation::Shell),
        "hex" => Ok(Notation::Hex),
        "base64" => Ok(Notation::Base64),
        _ => Err(format!("{word} is not a notation; use shell, hex or base64")),
    }
}

/// Writes each line of standard input followed by its result, or by `!` and an error.
fn each_line(
    mut out: impl Write,
    answer: impl Fn(&str) -> Result<String, String>,
) -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        match answer(&line) {
            Ok(answer) => writeln!(out, "{line}\t{answer}")?,
            Err(reason) => writeln!(out, "{line}\t!{reason}")?,
        }
    }
    Ok(())
}
