//! Continuation tokens: positions in the log of a table.

use crate::bigtable::status::{StatusResult, invalid};

/// A position in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Which log.
    pub(super) log: u64,
    pub(super) position: u64,
    /// When the token was made, in ms.
    pub(super) made_ms: u64,
}

impl Token {
    pub(super) fn to_text(self) -> String {
        let Self { log, position, made_ms } = self;
        format!("mock.{log:x}.{position:x}.{made_ms:x}")
    }

    pub(super) fn read(text: &str) -> StatusResult<Self> {
        let mut parts = text.strip_prefix("mock.").unwrap_or_default().split('.');
        let mut next = || u64::from_str_radix(parts.next()?, 16).ok();
        let found = (next(), next(), next());
        match (found, parts.next()) {
            ((Some(log), Some(position), Some(made_ms)), None) => {
                Ok(Self { log, position, made_ms })
            }
            _ => Err(invalid(format!("The continuation token {text:?} is none of this service"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_same_both_ways_and_nothing_else_is_one() {
        let token = Token { log: 1, position: u64::MAX, made_ms: 1_700_000_000_000 };
        assert_eq!(Token::read(&token.to_text()), Ok(token));
        for bad in ["", "mock", "mock.", "mock.1.2", "mock.1.2.3.4", "mock.1.x.3", "1.2.3"] {
            assert!(Token::read(bad).is_err(), "{bad}");
        }
    }
}
