//! The program `tallrow-mock`.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::ExitCode;

use lexopt::Arg::{Long, Short, Value};
use tallrow_mock::program::{EXAMPLES, FLAGS, Flag, Program, READY};

const TITLE: &str = "tallrow-mock: a mock of HBase with ZooKeeper, and of Cloud Bigtable, by their \
                     protocols, in memory";

/// The width of the column of flags in the help.
const WIDTH: usize = 24;

fn help() -> String {
    let mut help = format!("{TITLE}\n\nUsage: tallrow-mock [flags]\n\n");
    let mut line = |flag: &str, text: &str| help.push_str(&format!("  {flag:WIDTH$}{text}\n"));
    for Flag { name, value, help, default, .. } in &FLAGS {
        let value = value.map_or_else(String::new, |value| format!(" {value}"));
        line(&format!("--{name}{value}"), &format!("{help} (default {default})"));
    }
    line("--help", "Print this help");
    help.push_str(&format!("\n{READY}\n\nExamples:\n"));
    for example in EXAMPLES {
        let command = format!("tallrow-mock {example}");
        help.push_str(&format!("  {}\n", command.trim_end()));
    }
    help
}

/// Reads the arguments; returns `None` for `--help`.
fn program(mut parser: lexopt::Parser) -> Result<Option<Program>, String> {
    let mut program = Program::default();
    let mut given = Vec::new();
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        let name = match arg {
            Short('h') => return Ok(None),
            Short(short) => return Err(unknown(&format!("-{short}"))),
            Value(value) => return Err(unknown(&value.to_string_lossy())),
            Long("help") => return Ok(None),
            Long(name) => name.to_owned(),
        };
        let Some(flag) = FLAGS.iter().find(|flag| flag.name == name) else {
            return Err(unknown(&format!("--{name}")));
        };
        if given.contains(&flag.name) && !flag.is_repeatable {
            return Err(format!("--{name} is given twice"));
        }
        given.push(flag.name);
        let value = match flag.value {
            None => OsString::new(),
            Some(_) => value_of(&mut parser).ok_or_else(|| format!("--{name} needs a value"))?,
        };
        flag.set(&mut program, &value)
            .map_err(|error| format!("--{name} {}: {error}", value.to_string_lossy()))?;
    }
    Ok(Some(program))
}

/// The value of a flag: after `=`, or the next argument. The next flag is no value, so that a
/// forgotten one is noticed.
fn value_of(parser: &mut lexopt::Parser) -> Option<OsString> {
    if let Some(value) = parser.optional_value() {
        return Some(value);
    }
    let mut rest = parser.try_raw_args()?;
    let is_flag = |next: &OsStr| next.len() > 1 && next.as_encoded_bytes().starts_with(b"-");
    if rest.peek().is_none_or(is_flag) { None } else { rest.next() }
}

fn unknown(argument: &str) -> String {
    let names: Vec<String> = FLAGS.iter().map(|flag| format!("--{}", flag.name)).collect();
    format!("unknown flag {argument}; the flags are {}, --help", names.join(", "))
}

/// Prints a line to standard error, for the user.
fn say(text: &str) {
    // If standard error is closed, nobody can read the line.
    let _ = writeln!(std::io::stderr(), "tallrow-mock: {text}");
}

async fn serve(program: Program) -> Result<(), String> {
    let running = program.start(say).await.map_err(|error| error.to_string())?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", running.ready_line())
        .and_then(|()| out.flush())
        .map_err(|error| format!("print the ready line: {error}"))?;
    running.wait().await.map_err(|error| error.to_string())
}

#[tokio::main]
async fn main() -> ExitCode {
    let program = match program(lexopt::Parser::from_env()) {
        Ok(Some(program)) => program,
        Ok(None) => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            say(&error);
            return ExitCode::from(2);
        }
    };
    match serve(program).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error);
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Option<String>, String> {
        Ok(program(lexopt::Parser::from_args(args))?.map(|program| format!("{program:?}")))
    }

    #[test]
    fn flags_have_two_forms() {
        let given = read(&["--rpc-port", "16000", "--servers=3", "--torn-rows"]).unwrap();
        assert_eq!(read(&["--rpc-port=16000", "--torn-rows", "--servers", "3"]).unwrap(), given);
        assert_ne!(read(&[]).unwrap(), given);
        let twice = read(&["--load", "a", "--load=b"]).unwrap().unwrap();
        assert!(twice.contains("[\"a\", \"b\"]"), "{twice}");
        assert!(read(&["--dump=--x"]).unwrap().unwrap().contains("\"--x\""));
        assert!(read(&["--dump", "-"]).unwrap().unwrap().contains("\"-\""));
        for help in ["--help", "-h"] {
            assert_eq!(read(&["--servers", "3", help]).unwrap(), None);
        }
    }

    #[test]
    fn bad_flags_say_what_was_expected() {
        let error = |args: &[&str]| read(args).unwrap_err();
        assert!(error(&["--port", "1"]).starts_with("unknown flag --port; the flags are --listen"));
        assert!(error(&["-p"]).starts_with("unknown flag -p; "));
        assert!(error(&["start"]).starts_with("unknown flag start; "));
        assert_eq!(
            error(&["--rpc-port", "70000"]),
            "--rpc-port 70000: expected a port, 0 to 65535"
        );
        assert_eq!(error(&["--servers=0"]), "--servers 0: expected a number from 1 to 1000");
        assert_eq!(
            error(&["--bigtable-port", "none"]),
            "--bigtable-port none: expected a port, 0 to 65535"
        );
        assert_eq!(error(&["--seed"]), "--seed needs a value");
        assert_eq!(error(&["--dump", "--seed", "7"]), "--dump needs a value");
        assert_eq!(error(&["--seed", "7", "--seed=8"]), "--seed is given twice");
        assert_eq!(
            error(&["--torn-rows=yes"]),
            "unexpected argument for option '--torn-rows': \"yes\""
        );
        assert_eq!(error(&["--setting", "a"]), "--setting a: expected NAME=VALUE");
        assert_eq!(error(&["--scenario"]), "--scenario needs a value");
        assert_eq!(
            error(&["--authorization", "a,,b"]),
            "--authorization a,,b: expected names of users, separated by commas"
        );
    }
}
