//! How operations ended.

use std::fmt;
use std::ops::AddAssign;

use tallrow::{Error, ErrorKind};

/// How many operations ended in which way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) answered: usize,
    pub(crate) dropped: usize,
    pub(crate) unknown: usize,
}

impl Counts {
    /// The result, if there is one. An operation that was not dropped must have one unless it is
    /// not idempotent.
    pub(crate) fn take<T>(&mut self, answer: Option<Result<T, Error>>) -> Option<T> {
        match answer {
            Some(Ok(answer)) => {
                self.answered += 1;
                Some(answer)
            }
            Some(Err(error)) => {
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
                self.unknown += 1;
                None
            }
            None => {
                self.dropped += 1;
                None
            }
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.answered += other.answered;
        self.dropped += other.dropped;
        self.unknown += other.unknown;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { answered, dropped, unknown } = self;
        write!(f, "{answered} answered, {dropped} dropped, {unknown} unknown")
    }
}
