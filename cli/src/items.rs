//! The items that a command works on: its arguments, or the lines of standard input.

use std::io::{self, IsTerminal};

use crate::lines::{Item, Items, lines_of};
use crate::output::say;

/// Returns the arguments, or if there are none the lines of standard input.
pub(crate) fn items(arguments: Vec<String>, what: &str) -> Items {
    if !arguments.is_empty() {
        let item = |(at, text)| Ok(Item { text, place: format!("argument {}", at + 1) });
        return Box::new(arguments.into_iter().enumerate().map(item));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say(format!("reading {what} from standard input, one a line; Ctrl-D ends it"));
    }
    lines_of(stdin.lock(), "standard input".into())
}
