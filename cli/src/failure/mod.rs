//! The failure of a command, and its exit code.

pub(crate) mod similar;
mod wording;

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use tallrow::ErrorKind;

pub(crate) use self::wording::in_cli_words;

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The failure of a command: what was attempted, on what, and what was found; the causes; and what
/// to do.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    text: String,
    causes: Vec<String>,
    so_far: Option<String>,
    advice: Option<String>,
}

/// The exit codes of commands that did not end as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Failed = 1,
    Usage = 2,
    NotFound = 3,
    Interrupted = 130,
    /// The reader of the output has closed it, so the rest is not needed.
    OutputClosed = 0,
}

impl Failure {
    fn with(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), causes: Vec::new(), so_far: None, advice: None }
    }

    /// Makes a failure of a command that did not do what was asked.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self::with(Code::Failed, text)
    }

    /// Makes a failure for arguments that do not make sense.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::with(Code::Usage, text)
    }

    /// Makes a failure for something that does not exist, or for a check that found something.
    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self::with(Code::NotFound, text)
    }

    /// Makes a failure of a command that was stopped by Ctrl-C.
    pub(crate) fn interrupted(text: impl Into<String>) -> Self {
        Self::with(Code::Interrupted, text)
    }

    /// Adds an error as the cause, with the causes of that error.
    pub(crate) fn caused_by(mut self, cause: impl Error) -> Self {
        self.causes.push(shown(&cause));
        self.causes_of(&cause);
        self
    }

    /// Adds the causes of an error.
    fn causes_of(&mut self, error: &dyn Error) {
        let mut source = error.source();
        while let Some(cause) = source {
            self.causes.push(shown(cause));
            source = cause.source();
        }
    }

    /// Adds advice on what to do about the failure.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds advice on what to do about the failure, unless it has advice already.
    pub(crate) fn advise_if_none(mut self, advice: impl Into<String>) -> Self {
        self.advice.get_or_insert_with(|| advice.into());
        self
    }

    /// Adds what was done before the failure.
    pub(crate) fn with_done_so_far(mut self, done: impl Into<String>) -> Self {
        self.so_far = Some(done.into());
        self
    }

    /// Writes the failure to standard error, and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if self.code != Code::OutputClosed {
            // If standard error is closed too, only the exit code tells of the failure.
            let _ = writeln!(io::stderr(), "tallrow: {self}");
        }
        ExitCode::from(self.code as u8)
    }
}

/// The maximum number of characters of a cause that are shown, because servers send whole table
/// descriptors and stack traces.
const SHOWN: usize = 400;

/// Returns the first line of the text of a cause, without the attributes of a table, and cut after
/// `SHOWN` characters.
fn shown(cause: &dyn Error) -> String {
    let text = in_cli_words(&cause.to_string());
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(", {TABLE_ATTRIBUTES").next().unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        // Errors of the client contain the text of their causes.
        for cause in self.causes.iter().filter(|cause| !self.text.contains(*cause)) {
            write!(f, "\n  caused by: {cause}")?;
        }
        if let Some(done) = &self.so_far {
            write!(f, "\n  so far: {done}")?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n  next: {advice}")?;
        }
        Ok(())
    }
}

/// Converts an error of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::with(Code::OutputClosed, ""),
            _ => Self::new("write to standard output").caused_by(error),
        }
    }
}

/// Converts an error of the client, which names the operation, the table, the server and what to
/// do.
impl From<tallrow::Error> for Failure {
    fn from(error: tallrow::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::TableNotFound
            | ErrorKind::NamespaceNotFound
            | ErrorKind::InstanceNotFound
            | ErrorKind::NoSuchFamily => Code::NotFound,
            ErrorKind::InvalidArgument => Code::Usage,
            _ => Code::Failed,
        };
        let mut failure = Self::with(code, in_cli_words(&error.to_string()));
        // The server's text is the whole descriptor of the table; the error already contains the
        // useful part.
        if error.kind() != ErrorKind::NoSuchFamily {
            failure.causes_of(&error);
        }
        failure
    }
}
