//! Why the program could not start, or ended otherwise than by a signal.

use std::error::Error;
use std::fmt;

/// Why the program could not start, or ended otherwise than by a signal: what it attempted, the
/// cause, and what to do.
#[derive(Debug)]
pub struct ProgramError {
    attempt: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
    advice: Option<&'static str>,
}

impl ProgramError {
    pub(super) fn new(attempt: impl Into<String>) -> Self {
        Self { attempt: attempt.into(), cause: None, advice: None }
    }

    pub(super) fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    pub(super) fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    /// What was attempted, and on what.
    pub fn attempt(&self) -> &str {
        &self.attempt
    }

    /// The cause, if it is not in the text of the attempt.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync)> {
        self.cause.as_deref()
    }

    /// What to do about it.
    pub fn advice(&self) -> Option<&str> {
        self.advice
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.attempt)?;
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        match self.advice {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl Error for ProgramError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.cause.as_deref()?)
    }
}
