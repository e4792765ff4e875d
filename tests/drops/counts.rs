//! How operations ended.

use std::fmt;
use std::ops::AddAssign;

use tallrow::{Error, ErrorKind};

/// What became of operations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) answered: usize,
    pub(crate) dropped: usize,
    pub(crate) unknown: usize,
}

impl Counts {
    /// The answer, if there is one; only what must not be done twice may have none without being dropped.
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
