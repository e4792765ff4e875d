//! The command `tallrow mock`: the flags and the program of the mock, read by clap.

use std::ffi::{OsStr, OsString};

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use tallrow_mock::program::{EXAMPLES, FLAGS, Flag, Program, ProgramError, READY};

use crate::cluster::connection::block_on;
use crate::failure::{Failure, Result};
use crate::terminal::output::{Output, say};

const ABOUT: &str = "Run a mock of HBase with ZooKeeper, and of Bigtable, until Ctrl-C";

/// The program that the flags describe.
#[derive(Debug)]
pub(crate) struct Mock(Program);

impl Args for Mock {
    fn augment_args(command: Command) -> Command {
        let examples = EXAMPLES.map(|example| format!("  tallrow mock {example}"));
        let examples: Vec<&str> = examples.iter().map(|example| example.trim_end()).collect();
        let after = format!("{READY}\n\nExamples:\n{}", examples.join("\n"));
        command.about(ABOUT).after_help(after).args(FLAGS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Describes a flag to clap.
fn argument(flag: &'static Flag) -> Arg {
    let help = format!("{} [default: {}]", flag.help, flag.default);
    let argument = Arg::new(flag.name).long(flag.name).help(help);
    let Some(value) = flag.value else { return argument.action(ArgAction::SetTrue) };
    let action = if flag.is_repeatable { ArgAction::Append } else { ArgAction::Set };
    // Set twice: here for an error that names the argument, and then for the program itself.
    let parser = OsStringValueParser::new()
        .try_map(|value| flag.set(&mut Program::default(), &value).map(|()| value));
    argument.value_name(value).action(action).value_parser(parser)
}

impl FromArgMatches for Mock {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut mock = Self(Program::default());
        mock.update_from_arg_matches(matches)?;
        Ok(mock)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for flag in &FLAGS {
            let values: Vec<&OsStr> = match flag.value {
                None if matches.get_flag(flag.name) => vec![OsStr::new("")],
                None => Vec::new(),
                Some(_) => {
                    let values = matches.get_many::<OsString>(flag.name);
                    values.into_iter().flatten().map(OsString::as_os_str).collect()
                }
            };
            for value in values {
                flag.set(&mut self.0, value)
                    .map_err(|error| Error::raw(ErrorKind::ValueValidation, error))?;
            }
        }
        Ok(())
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Self {
        let mut failure = Self::new(error.attempt());
        if let Some(cause) = error.cause() {
            failure = failure.caused_by(cause);
        }
        match error.advice() {
            Some(advice) => failure.advise(advice),
            None => failure,
        }
    }
}

impl Mock {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(async {
            let running = self.0.start(|text| say(text)).await?;
            output.write_text(&format!("{}\n", running.ready_line()))?;
            Ok(running.wait().await?)
        })
    }
}
