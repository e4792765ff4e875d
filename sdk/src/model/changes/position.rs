//! `ChangePosition`, a position in a change stream that can be saved.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use prost::Message;

use super::frontier::WaitingToken;
use super::{ChangePartition, Frontier, PartitionStart, PartitionToken, StreamStart};
use crate::{Error, Result};

/// The first byte of a position in bytes.
const VERSION: u8 = 1;

/// A position in a change stream: which changes have been returned. Save it as bytes or as text,
/// and [resume](crate::changes::ChangeStreamBuilder::resume) the stream after a restart.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, PartialEq)]
pub struct ChangePosition {
    table: String,
    frontier: Frontier,
}

impl ChangePosition {
    pub(crate) fn new(table: String, frontier: Frontier) -> Self {
        Self { table, frontier }
    }

    /// The name of the table.
    pub(crate) fn table(&self) -> &str {
        &self.table
    }

    pub(crate) fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Returns the position as bytes.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Frontier { start, open, waiting } = &self.frontier;
        let message = PositionMessage {
            table: self.table.clone(),
            is_begun: start.is_none(),
            start_micros: match start {
                Some(StreamStart::Time(at)) => Some(*at),
                Some(StreamStart::Now) | None => None,
            },
            open: open
                .iter()
                .map(|(partition, start)| OpenMessage {
                    partition: Some(partition_message(partition)),
                    start_micros: match start {
                        PartitionStart::Now(at) | PartitionStart::Time(at) => Some(*at),
                        PartitionStart::Tokens(_) => None,
                    },
                    tokens: match start {
                        PartitionStart::Tokens(tokens) => {
                            tokens.iter().map(token_message).collect()
                        }
                        PartitionStart::Now(_) | PartitionStart::Time(_) => Vec::new(),
                    },
                })
                .collect(),
            waiting: waiting
                .iter()
                .map(|one| WaitingMessage {
                    token: Some(token_message(&one.token)),
                    of: Some(partition_message(&one.of)),
                })
                .collect(),
        };
        let mut bytes = vec![VERSION];
        bytes.extend(message.encode_to_vec());
        bytes
    }

    /// Reads a position from bytes.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    ///
    /// # Errors
    /// The bytes are no position: [`InvalidArgument`](crate::ErrorKind::InvalidArgument).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(|| {
            Error::invalid(format!(
                "these {} bytes are no position of a change stream; save all bytes of a \
                 position, and read the same bytes",
                bytes.len()
            ))
        })
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (version, message) = bytes.split_first()?;
        let message = PositionMessage::decode(message).ok().filter(|_| *version == VERSION)?;
        let start = match (message.is_begun, message.start_micros) {
            (true, _) => None,
            (false, Some(at)) => Some(StreamStart::Time(at)),
            (false, None) => Some(StreamStart::Now),
        };
        let mut frontier = Frontier { start, ..Frontier::new(StreamStart::Now) };
        for open in message.open {
            let start = match open.start_micros {
                Some(at) => PartitionStart::Time(at),
                None => {
                    let tokens = open.tokens.into_iter().map(read_token).collect::<Option<_>>()?;
                    PartitionStart::Tokens(tokens)
                }
            };
            frontier.open.insert(read_partition(open.partition?)?, start);
        }
        for one in message.waiting {
            let token = read_token(one.token?)?;
            frontier.waiting.push(WaitingToken { token, of: read_partition(one.of?)? });
        }
        frontier.is_sound().then_some(Self { table: message.table, frontier })
    }
}

/// As text: the bytes in the URL-safe alphabet of base64.
impl fmt::Display for ChangePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.to_bytes()))
    }
}

impl FromStr for ChangePosition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok();
        bytes.and_then(|bytes| Self::read(&bytes)).ok_or_else(|| {
            Error::invalid(format!(
                "this text of {} bytes is no position of a change stream; save the text of a \
                 `ChangePosition`, and read the same text",
                text.len()
            ))
        })
    }
}

impl fmt::Debug for ChangePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangePosition")
            .field("table", &self.table)
            .field("open", &self.frontier.open.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[derive(Clone, PartialEq, prost::Message)]
struct PositionMessage {
    #[prost(string, tag = "1")]
    table: String,
    #[prost(bool, tag = "2")]
    is_begun: bool,
    #[prost(int64, optional, tag = "3")]
    start_micros: Option<i64>,
    #[prost(message, repeated, tag = "4")]
    open: Vec<OpenMessage>,
    #[prost(message, repeated, tag = "5")]
    waiting: Vec<WaitingMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct OpenMessage {
    #[prost(message, optional, tag = "1")]
    partition: Option<PartitionMessage>,
    #[prost(int64, optional, tag = "2")]
    start_micros: Option<i64>,
    #[prost(message, repeated, tag = "3")]
    tokens: Vec<TokenMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct WaitingMessage {
    #[prost(message, optional, tag = "1")]
    token: Option<TokenMessage>,
    #[prost(message, optional, tag = "2")]
    of: Option<PartitionMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct TokenMessage {
    #[prost(message, optional, tag = "1")]
    partition: Option<PartitionMessage>,
    #[prost(string, tag = "2")]
    token: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct PartitionMessage {
    #[prost(bytes = "bytes", tag = "1")]
    start: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    end: Bytes,
}

fn partition_message(partition: &ChangePartition) -> PartitionMessage {
    let (start, end) = partition.keys();
    PartitionMessage { start: start.clone(), end: end.clone() }
}

fn token_message(token: &PartitionToken) -> TokenMessage {
    let partition = Some(partition_message(&token.partition));
    TokenMessage { partition, token: token.token.clone() }
}

fn read_partition(message: PartitionMessage) -> Option<ChangePartition> {
    ChangePartition::new(message.start, message.end)
}

fn read_token(message: TokenMessage) -> Option<PartitionToken> {
    let partition = read_partition(message.partition?)?;
    Some(PartitionToken { partition, token: message.token })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: &'static str, end: &'static str) -> ChangePartition {
        ChangePartition::new(start.into(), end.into()).unwrap()
    }

    fn token(start: &'static str, end: &'static str) -> PartitionToken {
        PartitionToken { partition: of(start, end), token: format!("at {start}") }
    }

    fn positions() -> Vec<ChangePosition> {
        let named = |frontier| ChangePosition::new("t".into(), frontier);
        let time = Frontier::new(StreamStart::Time(-5));
        let mut begun = time.clone();
        begun.begin(vec![of("", "c"), of("c", "m"), of("m", "")], 9);
        begun.close(&of("m", ""), vec![(token("m", ""), of("c", ""))]).unwrap();
        begun.advance(&of("", "c"), "here".into());
        let mut over = begun.clone();
        over.open.clear();
        over.waiting.clear();
        [Frontier::new(StreamStart::Now), time, begun, over].map(named).into()
    }

    #[test]
    fn a_position_is_the_same_as_bytes_and_as_text() {
        for position in positions() {
            assert_eq!(ChangePosition::from_bytes(&position.to_bytes()).unwrap(), position);
            assert_eq!(position.to_string().parse::<ChangePosition>().unwrap(), position);
        }
        // A stream that begins now is resumed at the time at which it began.
        let mut now = Frontier::new(StreamStart::Now);
        now.begin(vec![of("", "")], 9);
        let saved = ChangePosition::new("t".into(), now).to_bytes();
        let read = ChangePosition::from_bytes(&saved).unwrap();
        assert_eq!(read.frontier().start_of(&of("", "")), Some(&PartitionStart::Time(9)));
    }

    #[test]
    fn the_bytes_of_a_position_stay_as_they_are() {
        let all = positions();
        let [now, time, begun, over] = &all[..] else { panic!() };
        assert_eq!(now.to_bytes(), b"\x01\x0a\x01t");
        assert_eq!(time.to_bytes(), b"\x01\x0a\x01t\x18\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01");
        assert_eq!(over.to_bytes(), b"\x01\x0a\x01t\x10\x01");
        let expected = [
            &b"\x01\x0a\x01t\x10\x01"[..],
            b"\x22\x12\x0a\x03\x12\x01c\x1a\x0b\x0a\x03\x12\x01c\x12\x04here",
            b"\x22\x13\x0a\x06\x0a\x01c\x12\x01m\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x2a\x12\x0a\x0b\x0a\x03\x0a\x01m\x12\x04at m\x12\x03\x0a\x01c",
        ];
        assert_eq!(begun.to_bytes(), expected.concat());
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let whole = positions()[2].to_bytes();
        for len in 0..whole.len() {
            // A shorter message may be one of its own, which then lacks rows.
            if let Ok(read) = ChangePosition::from_bytes(&whole[..len]) {
                assert!(read.frontier().is_sound());
            }
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            drop(ChangePosition::from_bytes(&changed));
        }
        let error = ChangePosition::from_bytes(&[2, 0]).unwrap_err().to_string();
        let text = "these 2 bytes are no position of a change stream; save all bytes of a position, \
                    and read the same bytes";
        assert!(error.contains(text), "{error}");
        assert!("%".parse::<ChangePosition>().is_err());
        // Two partitions with the same rows.
        let mut twice = Frontier::new(StreamStart::Now);
        twice.begin(vec![of("", "c"), of("b", "")], 9);
        assert!(
            ChangePosition::from_bytes(&ChangePosition::new("t".into(), twice).to_bytes()).is_err()
        );
    }
}
