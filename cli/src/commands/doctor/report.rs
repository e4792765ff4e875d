//! The report of `tallrow doctor`: which steps were checked, and what was found in each step.

use std::fmt;

use tallrow::ErrorKind;

use crate::failure::in_cli_words;

/// A step of the report.
#[derive(Debug)]
pub(super) struct Step {
    /// The name of the step: `address`, `name`, `port`, ..
    pub(super) name: &'static str,
    /// What the step checked: a host, a server, a table.
    pub(super) subject: String,
    pub(super) found: String,
    /// What to do about the failure; none if the step did not fail.
    pub(super) next: Option<String>,
}

/// The steps, in the order in which they were checked.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) steps: Vec<Step>,
}

impl Report {
    pub(super) fn add_passed(&mut self, name: &'static str, subject: &str, found: String) {
        self.steps.push(Step { name, subject: subject.into(), found, next: None });
    }

    pub(super) fn add_failed(
        &mut self,
        name: &'static str,
        subject: &str,
        found: String,
        next: String,
    ) {
        self.steps.push(Step { name, subject: subject.into(), found, next: Some(next) });
    }

    /// Adds a step with the result `found`, and returns the value if the step succeeded. `shown`
    /// converts the value into text, and `next` returns what to do about an error of the given
    /// kind.
    pub(super) fn add_result<T>(
        &mut self,
        name: &'static str,
        subject: &str,
        found: tallrow::Result<T>,
        shown: impl FnOnce(&T) -> String,
        next: impl FnOnce(ErrorKind) -> &'static str,
    ) -> Option<T> {
        let failed = |error: &tallrow::Error| in_cli_words(&error.to_string());
        match &found {
            Ok(found) => self.add_passed(name, subject, shown(found)),
            Err(error) => self.add_failed(name, subject, failed(error), next(error.kind()).into()),
        }
        found.ok()
    }

    /// Returns how many steps failed.
    pub(super) fn failed_count(&self) -> usize {
        self.steps.iter().filter(|step| step.next.is_some()).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            let Step { name, subject, found, next } = step;
            let mark = if next.is_some() { "FAILED" } else { "ok" };
            write!(
                f,
                "{}{mark:6}  {name:8}  {subject}  {found}",
                if index == 0 { "" } else { "\n" }
            )?;
            if let Some(next) = next {
                write!(f, "\n        next: {next}")?;
            }
        }
        Ok(())
    }
}
