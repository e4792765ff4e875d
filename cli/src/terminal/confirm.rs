//! Asks for confirmation before changes that cannot be undone.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;

use crate::failure::{Failure, Result};

/// The flag of every command that destroys something.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Confirm {
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl Confirm {
    /// Whether the change is already confirmed, so that nobody is asked.
    pub(crate) fn is_given(self) -> bool {
        self.yes
    }

    /// Asks the user whether to do `what`, unless the change is already confirmed.
    ///
    /// # Errors
    /// If the answer is not yes, or if nobody can be asked.
    pub(crate) fn ask(self, what: &str) -> Result<()> {
        if self.yes {
            return Ok(());
        }
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            return Err(Failure::usage(format!(
                "{what}: standard input is not a terminal, so nobody can be asked"
            ))
            .advise("give --yes to do it without a question; nothing was changed"));
        }
        let mut errors = io::stderr();
        let asked = write!(errors, "{what}? [y/N] ").and_then(|()| errors.flush());
        let mut answer = String::new();
        let read = asked.and_then(|()| stdin.lock().read_line(&mut answer));
        match (read, answer.trim().to_lowercase().as_str()) {
            (Ok(_), "y" | "yes") => Ok(()),
            (Ok(_), _) => Err(Failure::new(format!("{what}: not confirmed, nothing was changed"))),
            (Err(error), _) => Err(Failure::new(format!("{what}: ask")).caused_by(error)),
        }
    }
}
