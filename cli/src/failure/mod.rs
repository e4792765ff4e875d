//! Why a command failed, and the exit code that says so.

pub(crate) mod similar;
mod wording;

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use tallrow::ErrorKind;

pub(crate) use self::wording::of_command;

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// What was attempted, on what, and what was found; its causes; and what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    text: String,
    causes: Vec<String>,
    so_far: Option<String>,
    advice: Option<String>,
}

/// The exit codes that are not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Failed = 1,
    Usage = 2,
    NotFound = 3,
    Interrupted = 130,
    /// The reader of the output has closed it, so nobody wants the rest.
    OutputClosed = 0,
}

impl Failure {
    fn with(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), causes: Vec::new(), so_far: None, advice: None }
    }

    /// The command did not do what was asked.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self::with(Code::Failed, text)
    }

    /// The arguments do not make sense.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::with(Code::Usage, text)
    }

    /// What was asked for does not exist, or a check found something.
    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self::with(Code::NotFound, text)
    }

    /// Ctrl-C was pressed.
    pub(crate) fn interrupted(text: impl Into<String>) -> Self {
        Self::with(Code::Interrupted, text)
    }

    /// Adds the cause.
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

    /// Adds what to do about it.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds what to do about it, unless that is there already.
    pub(crate) fn advise_also(mut self, advice: impl Into<String>) -> Self {
        self.advice.get_or_insert_with(|| advice.into());
        self
    }

    /// Adds what was done before it failed.
    pub(crate) fn after(mut self, done: impl Into<String>) -> Self {
        self.so_far = Some(done.into());
        self
    }

    /// Writes it to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if self.code != Code::OutputClosed {
            // If standard error is closed too, the exit code has to do.
            let _ = writeln!(io::stderr(), "tallrow: {self}");
        }
        ExitCode::from(self.code as u8)
    }
}

/// How much of a cause is shown: servers send descriptors of tables, and the calls of their
/// threads.
const SHOWN: usize = 400;

/// Returns the first line of the text of a cause, or as much of it as is shown.
fn shown(cause: &dyn Error) -> String {
    let text = of_command(&cause.to_string());
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

/// An error of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::with(Code::OutputClosed, ""),
            _ => Self::new("write to standard output").caused_by(error),
        }
    }
}

/// An error of the client, which names the operation, the table, the server and what to do.
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
        let mut failure = Self::with(code, of_command(&error.to_string()));
        // The server's text is the whole descriptor of the table; the useful part of it is in the
        // error.
        if error.kind() != ErrorKind::NoSuchFamily {
            failure.causes_of(&error);
        }
        failure
    }
}
