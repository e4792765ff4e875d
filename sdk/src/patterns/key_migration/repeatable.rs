//! The error of a call that may be repeated after a lost reply, so that its outcome need not be
//! reported as unknown.

use crate::{Error, ErrorKind};

/// The error of a call that may be made again: what is not known to be done is then found done, or done again with the
/// same effect.
pub(super) fn repeatable(error: Error) -> Error {
    match error.kind() {
        ErrorKind::OutcomeUnknown => {
            error.into_kind(ErrorKind::Unreachable, "a reply was lost; it is safe to repeat")
        }
        _ => error,
    }
}
