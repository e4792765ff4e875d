//! `ChangePosition`, a position in a change stream that can be saved.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use prost::Message;

use super::frontier::WaitingToken;
use super::{ChangePartition, Frontier, PartitionStart, PartitionToken, StreamStart};
use crate::model::show;
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
                .values()
                .map(|one| WaitingMessage {
                    token: Some(token_message(&one.token)),
                    of: Some(partition_message(&one.of)),
                })
                .collect(),
            parts: Some(number_of(open.len() + waiting.len())),
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
        Self::read(bytes).map_err(|why| {
            Error::invalid(format!(
                "these {} bytes are no position of a change stream: {why}; save all bytes of a \
                 position, and read the same bytes",
                bytes.len()
            ))
        })
    }

    /// Reads a position; the error says what is wrong with the bytes.
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let Some((version, message)) = bytes.split_first() else {
            return Err("there are none".to_owned());
        };
        if *version != VERSION {
            return Err(format!("the first of them is {version}, not {VERSION}"));
        }
        let message = PositionMessage::decode(message).map_err(|error| error.to_string())?;
        let (parts, count) = (message.parts, number_of(message.open.len() + message.waiting.len()));
        if parts != Some(count) {
            let parts = parts.map_or_else(|| "an unknown number".into(), |parts| parts.to_string());
            return Err(format!("they are {count} parts of {parts}"));
        }
        let start = match (message.is_begun, message.start_micros) {
            (true, _) => None,
            (false, Some(at)) => Some(StreamStart::Time(at)),
            (false, None) => Some(StreamStart::Now),
        };
        let mut frontier = Frontier { start, ..Frontier::new(StreamStart::Now) };
        for open in message.open {
            let partition = read_partition(open.partition)?;
            let start = match open.start_micros {
                Some(_) if !open.tokens.is_empty() => {
                    return Err(format!("the partition {partition:?} has a time and tokens"));
                }
                Some(at) => PartitionStart::Time(at),
                None => {
                    let tokens = open.tokens.into_iter().map(read_token);
                    PartitionStart::Tokens(tokens.collect::<Result<_, _>>()?)
                }
            };
            if frontier.open.insert(partition.clone(), start).is_some() {
                return Err(format!("the partition {partition:?} is there twice"));
            }
        }
        for one in message.waiting {
            let token = read_token(one.token.unwrap_or_default())?;
            let (partition, of) = (token.partition.clone(), read_partition(one.of)?);
            let waiting = WaitingToken { token, of };
            if frontier.waiting.insert(partition.clone(), waiting).is_some() {
                return Err(format!("the partition {partition:?} waits twice"));
            }
        }
        match frontier.problem() {
            Some(problem) => Err(problem),
            None => Ok(Self { table: message.table, frontier }),
        }
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
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| error.to_string());
        bytes.and_then(|bytes| Self::read(&bytes)).map_err(|why| {
            Error::invalid(format!(
                "this text of {} bytes is no position of a change stream: {why}; save the text of \
                 a `ChangePosition`, and read the same text",
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
    /// How many partitions and waiting positions there are. It is the last field, so that bytes
    /// whose end is missing are recognized.
    #[prost(uint32, optional, tag = "6")]
    parts: Option<u32>,
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

/// The number of parts of a position.
fn number_of(parts: usize) -> u32 {
    u32::try_from(parts).unwrap_or(u32::MAX)
}

fn read_partition(message: Option<PartitionMessage>) -> Result<ChangePartition, String> {
    let Some(PartitionMessage { start, end }) = message else {
        return Err("a part has no partition".to_owned());
    };
    let (from, to) = (start.clone(), end.clone());
    ChangePartition::new(start, end).ok_or_else(|| {
        let (from, to) = (show::bytes(&from), show::bytes(&to));
        format!("no rows are from {from} to before {to}")
    })
}

fn read_token(message: TokenMessage) -> Result<PartitionToken, String> {
    let partition = read_partition(message.partition)?;
    Ok(PartitionToken { partition, token: message.token })
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
        assert_eq!(now.to_bytes(), b"\x01\x0a\x01t\x30\x00");
        assert_eq!(
            time.to_bytes(),
            b"\x01\x0a\x01t\x18\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01\x30\x00"
        );
        assert_eq!(over.to_bytes(), b"\x01\x0a\x01t\x10\x01\x30\x00");
        let expected = [
            &b"\x01\x0a\x01t\x10\x01"[..],
            b"\x22\x12\x0a\x03\x12\x01c\x1a\x0b\x0a\x03\x12\x01c\x12\x04here",
            b"\x22\x13\x0a\x06\x0a\x01c\x12\x01m\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x2a\x12\x0a\x0b\x0a\x03\x0a\x01m\x12\x04at m\x12\x03\x0a\x01c",
            b"\x30\x03",
        ];
        assert_eq!(begun.to_bytes(), expected.concat());
    }

    /// The error of a position that has these partitions, each with its start.
    fn refused(open: Vec<(ChangePartition, PartitionStart)>) -> String {
        let mut frontier = Frontier::new(StreamStart::Now);
        frontier.begin(Vec::new(), 0);
        frontier.open.extend(open);
        error_of(frontier)
    }

    fn error_of(frontier: Frontier) -> String {
        let bytes = ChangePosition::new("t".into(), frontier).to_bytes();
        ChangePosition::from_bytes(&bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let whole = positions()[2].to_bytes();
        for len in 0..whole.len() {
            let error = ChangePosition::from_bytes(&whole[..len]).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument, "{len}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            drop(ChangePosition::from_bytes(&changed));
        }
        let error = ChangePosition::from_bytes(&[2, 0]).unwrap_err().to_string();
        let text = "these 2 bytes are no position of a change stream: the first of them is 2, not \
                    1; save all bytes of a position, and read the same bytes";
        assert!(error.contains(text), "{error}");
        assert!("%".parse::<ChangePosition>().is_err());
        let at = |at| PartitionStart::Time(at);
        let error = refused(vec![(of("", "c"), at(9)), (of("b", ""), at(9))]);
        assert!(
            error.contains("two places for rows of [\"\", \"c\") and [\"b\", \"\")"),
            "{error}"
        );
        // A part that is missing, a part that is there twice, and a partition with two starts.
        let mut message = PositionMessage::decode(&whole[1..]).unwrap();
        message.open.pop();
        let read = |message: &PositionMessage| {
            let bytes = [&[VERSION][..], &message.encode_to_vec()].concat();
            ChangePosition::from_bytes(&bytes).unwrap_err().to_string()
        };
        let error = read(&message);
        assert!(error.contains("they are 2 parts of 3"), "{error}");
        message.open.push(message.open[0].clone());
        let error = read(&message);
        assert!(error.contains("[\"\", \"c\") is there twice"), "{error}");
        message.open.pop();
        message.open[0].start_micros = Some(7);
        message.parts = Some(2);
        let error = read(&message);
        assert!(error.contains("has a time and tokens"), "{error}");
        message.open[0].partition = None;
        let error = read(&message);
        assert!(error.contains("a part has no partition"), "{error}");
    }

    #[test]
    fn positions_that_wait_for_nothing_that_is_read_are_refused() {
        let mut frontier = Frontier::new(StreamStart::Now);
        frontier.begin(vec![of("m", "w")], 9);
        let token = token("", "c");
        let waiting = WaitingToken { token, of: of("", "m") };
        frontier.waiting.insert(of("", "c"), waiting);
        let error = error_of(frontier.clone());
        assert!(
            error.contains("nothing that is read comes to the rest of [\"\", \"m\")"),
            "{error}"
        );
        frontier.begin(vec![of("c", "m")], 9);
        let saved = ChangePosition::new("t".into(), frontier.clone()).to_bytes();
        ChangePosition::from_bytes(&saved).unwrap();
        let token = self::token("x", "z");
        frontier.waiting.insert(of("x", "z"), WaitingToken { token, of: of("", "m") });
        let error = error_of(frontier);
        assert!(error.contains("no part"), "{error}");
    }

    /// The service would refuse a position whose tokens have gaps, or return changes twice.
    #[test]
    fn tokens_that_are_not_the_parts_of_their_partition_are_refused() {
        const KEYS: [&str; 10] = ["", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..2_000 {
            // A partition, and random parts of it.
            let ends = [random.usize(0..6), random.usize(8..10)];
            let mut cuts: Vec<_> = (ends[0] + 1..ends[1]).filter(|_| random.bool()).collect();
            cuts.insert(0, ends[0]);
            cuts.push(ends[1]);
            let partition = of(KEYS[ends[0]], KEYS[ends[1]]);
            let parts = || -> Vec<_> {
                cuts.windows(2).map(|cut| token(KEYS[cut[0]], KEYS[cut[1]])).collect()
            };
            let start = |tokens| vec![(partition.clone(), PartitionStart::Tokens(tokens))];
            let mut frontier = Frontier::new(StreamStart::Now);
            frontier.begin(Vec::new(), 0);
            frontier.open.extend(start(parts()));
            let position = ChangePosition::new("t".into(), frontier);
            assert_eq!(ChangePosition::from_bytes(&position.to_bytes()).unwrap(), position);

            let mut tokens = parts();
            let at = random.usize(0..tokens.len());
            match random.u8(0..5) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[at].clone()),
                2 if tokens.len() > 1 => tokens.rotate_left(1),
                // Rows are left out, or are in two parts or outside.
                3 if cuts[at] + 1 < cuts[at + 1] => {
                    tokens[at] = token(KEYS[cuts[at] + 1], KEYS[cuts[at + 1]]);
                }
                _ if cuts[at] > 0 => {
                    tokens[at] = token(KEYS[cuts[at] - 1], KEYS[cuts[at + 1]]);
                }
                _ => tokens.clear(),
            }
            let error = refused(start(tokens));
            assert!(error.contains("which are not its parts in their order"), "{error}");
        }
    }
}
