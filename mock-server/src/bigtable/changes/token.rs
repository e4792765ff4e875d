//! Continuation tokens: where a reader of a partition is in the log of a table.

use bytes::Bytes;

use crate::bigtable::status::{StatusResult, invalid};
use crate::state::KeySpan;

/// A position in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Which log.
    pub(super) log: u64,
    pub(super) position: u64,
    /// Where the life of the partition has begun.
    pub(super) since: u64,
    /// When the token was made, in ms.
    pub(super) made_ms: u64,
    /// Rows whose changes were read up to a later position.
    pub(super) known: Vec<(KeySpan, u64)>,
}

impl Token {
    pub(super) fn to_text(&self) -> String {
        let Self { log, position, since, made_ms, known } = self;
        let mut text = format!("mock.{log:x}.{position:x}.{since:x}.{made_ms:x}");
        for (span, to) in known {
            text += &format!(".{}-{}-{to:x}", hex(&span.start), hex(&span.end));
        }
        text
    }

    pub(super) fn read(text: &str) -> StatusResult<Self> {
        let found = text.strip_prefix("mock.").and_then(|text| {
            let mut parts = text.split('.');
            let mut next = || number(parts.next()?);
            let (log, position, since, made_ms) = (next()?, next()?, next()?, next()?);
            let known = parts.map(known).collect::<Option<_>>()?;
            Some(Self { log, position, since, made_ms, known })
        });
        found.ok_or_else(|| {
            invalid(format!("The continuation token {text:?} is none of this service"))
        })
    }
}

fn number(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

fn known(text: &str) -> Option<(KeySpan, u64)> {
    let mut parts = text.splitn(3, '-');
    let (start, end) = (bytes(parts.next()?)?, bytes(parts.next()?)?);
    Some((KeySpan { start, end }, number(parts.next()?)?))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Bytes> {
    let digits: Vec<u8> =
        hex.chars().map(|c| u8::try_from(c.to_digit(16)?).ok()).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    Some(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_same_both_ways_and_nothing_else_is_one() {
        let known = |start: &'static str, end: &'static str| {
            (KeySpan { start: start.into(), end: end.into() }, 7)
        };
        let token = Token {
            log: 1,
            position: u64::MAX,
            since: 5,
            made_ms: 1_700_000_000_000,
            known: vec![known("", "c.-\0"), known("c.-\0", "")],
        };
        assert_eq!(Token::read(&token.to_text()), Ok(token.clone()));
        let token = Token { known: Vec::new(), ..token };
        assert_eq!(Token::read(&token.to_text()), Ok(token));
        for bad in [
            "",
            "mock",
            "mock.",
            "mock.1.2",
            "mock.1.2.3",
            "mock.1.x.3.4",
            "1.2.3.4",
            "mock.1.2.3.4.",
            "mock.1.2.3.4.5",
            "mock.1.2.3.4.61-62",
            "mock.1.2.3.4.6-62-1",
            "mock.1.2.3.4.61-6g-1",
            "mock.1.2.3.4.61-62-1-2",
            "mock.1.2.3.4.\u{e9}-62-1",
        ] {
            assert!(Token::read(bad).is_err(), "{bad}");
        }
    }
}
