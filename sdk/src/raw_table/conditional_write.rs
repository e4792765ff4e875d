//! Conditional changes for callers that continue after a lost reply: the result says that the reply
//! was lost, which is not an error.

use crate::request::op::CheckAndMutate;
use crate::{Error, ErrorKind, RawTable, Result};

/// The result of a conditional change.
pub(crate) enum ConditionalOutcome {
    Applied,
    NotApplied,
    /// The reply was lost.
    Unknown(Error),
}

impl ConditionalOutcome {
    /// Makes a change if its condition holds.
    pub(crate) async fn send(table: &RawTable, check: CheckAndMutate) -> Result<Self> {
        match table.check_and_mutate(check).await {
            Ok(result) if result.is_applied() => Ok(Self::Applied),
            Ok(_) => Ok(Self::NotApplied),
            Err(error) if error.kind() == ErrorKind::OutcomeUnknown => Ok(Self::Unknown(error)),
            Err(error) => Err(error),
        }
    }
}
