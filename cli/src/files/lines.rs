//! The lines of a file or of standard input, and arguments that are used in place of lines.

use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

use crate::failure::{Failure, Result};
use crate::files;
use crate::terminal::output::say;

/// One line or one argument, and its place.
#[derive(Debug)]
pub(crate) struct InputItem {
    pub(crate) text: String,
    /// The place in errors, such as `argument 2` or `line 17`.
    pub(crate) place: String,
}

/// An iterator over items.
pub(crate) type InputItems = Box<dyn Iterator<Item = Result<InputItem>>>;

/// Returns the lines of a file; `-` is standard input.
pub(crate) fn lines(file: &Path) -> Result<InputItems> {
    if file == Path::new("-") {
        return Ok(lines_of(io::stdin().lock(), "standard input".into()));
    }
    let name = file.display().to_string();
    Ok(lines_of(BufReader::new(files::open(file)?), name))
}

/// Returns the lines of a reader; `name` is its name in errors.
pub(crate) fn lines_of(reader: impl BufRead + 'static, name: String) -> InputItems {
    Box::new(reader.lines().enumerate().map(move |(at, line)| {
        let place = format!("line {}", at + 1);
        match line {
            Ok(text) => Ok(InputItem { text, place }),
            Err(error) => Err(Failure::new(format!("read {name}, {place}")).caused_by(error)),
        }
    }))
}

/// Returns the arguments, or the lines of standard input if there are no arguments.
pub(crate) fn arguments_or_stdin_lines(arguments: Vec<String>, what: &str) -> InputItems {
    if !arguments.is_empty() {
        let item = |(at, text)| Ok(InputItem { text, place: format!("argument {}", at + 1) });
        return Box::new(arguments.into_iter().enumerate().map(item));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say(format!("reading {what} from standard input, one a line; Ctrl-D ends it"));
    }
    lines_of(stdin.lock(), "standard input".into())
}
