//! Frames: a title at the start of a file, then records, each with its length and checksums.
//!
//! | bytes | |
//! |---|---|
//! | 8 | the length of the record, little-endian |
//! | 4 | the CRC-32 of the record |
//! | 4 | the CRC-32 of these 12 bytes, so that a damaged length is not taken for the end of the file |
//! | | the record, a protobuf message |

use std::io::{self, Read};

use bytes::Bytes;
use prost::Message;

use super::record::Record;

/// The start of a file, before the version.
const TITLE: &[u8] = b"tallrow-mock data ";

/// The version of the format.
const VERSION: &[u8] = b"1\n";

/// The bytes before each record.
const HEADER_BYTES: usize = 16;

/// Returns the first bytes of a file.
pub(super) fn title() -> Vec<u8> {
    [TITLE, VERSION].concat()
}

/// Returns the frame of a record.
pub(super) fn encode(record: &Record) -> Vec<u8> {
    let payload = record.encode_to_vec();
    let mut frame = Vec::with_capacity(HEADER_BYTES + payload.len());
    frame.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    frame.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
    let check = crc32fast::hash(&frame);
    frame.extend_from_slice(&check.to_le_bytes());
    frame.extend_from_slice(&payload);
    frame
}

/// What follows in a file.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// A record.
    Record(Box<Record>),
    /// The end of the file.
    End,
    /// A record that was not written to its end, before the end of the file.
    Torn(&'static str),
}

/// Why a file cannot be read on.
#[derive(Debug)]
pub(super) enum FrameError {
    /// The system cannot read it.
    Io(io::Error),
    /// The bytes at the position of the reader are not what they must be.
    Damaged(String),
}

impl From<io::Error> for FrameError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads the frames of a file of known length.
#[derive(Debug)]
pub(super) struct FrameReader<R> {
    input: R,
    /// The end of the last frame that was read.
    at: u64,
    len: u64,
}

impl<R: Read> FrameReader<R> {
    /// Reads the title of a file with `len` bytes.
    pub(super) fn new(mut input: R, len: u64) -> Result<Self, FrameError> {
        let mut start = Vec::new();
        let at = (TITLE.len() + VERSION.len()) as u64;
        (&mut input).take(at).read_to_end(&mut start)?;
        let Some(version) = start.strip_prefix(TITLE) else {
            return Err(FrameError::Damaged(format!(
                "it begins with \"{}\", and not with \"{}\" as a data file of the mock",
                start.escape_ascii(),
                TITLE.escape_ascii()
            )));
        };
        if version != VERSION {
            return Err(FrameError::Damaged(format!(
                "it has version {} of the format, and this program reads version {}",
                version.trim_ascii().escape_ascii(),
                VERSION.trim_ascii().escape_ascii()
            )));
        }
        Ok(Self { input, at, len })
    }

    /// The end of what has been read.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Reads the next record.
    pub(super) fn next_record(&mut self) -> Result<Next, FrameError> {
        let rest = self.len.saturating_sub(self.at);
        if rest == 0 {
            return Ok(Next::End);
        }
        if rest < HEADER_BYTES as u64 {
            return Ok(Next::Torn("the file ends within the length of the record"));
        }
        let (mut len, mut checksum, mut check) = ([0; 8], [0; 4], [0; 4]);
        self.input.read_exact(&mut len)?;
        self.input.read_exact(&mut checksum)?;
        self.input.read_exact(&mut check)?;
        if crc32fast::hash(&[&len[..], &checksum].concat()) != u32::from_le_bytes(check) {
            return self.without_length(&[&len[..], &checksum, &check].concat());
        }
        let len = u64::from_le_bytes(len);
        let rest = rest - HEADER_BYTES as u64;
        if len > rest {
            return Ok(Next::Torn("the file ends within the record"));
        }
        let mut payload = Vec::new();
        (&mut self.input).take(len).read_to_end(&mut payload)?;
        if payload.len() as u64 != len {
            return Ok(Next::Torn("the file ends within the record"));
        }
        if crc32fast::hash(&payload) != u32::from_le_bytes(checksum) {
            return match len == rest {
                true => Ok(Next::Torn("its checksum is wrong")),
                false => Err(FrameError::Damaged("the checksum of a record is wrong".into())),
            };
        }
        let record = Record::decode(Bytes::from(payload)).map_err(|error| {
            FrameError::Damaged(format!("a record is not one of this format: {error}"))
        })?;
        self.at += HEADER_BYTES as u64 + len;
        Ok(Next::Record(Box::new(record)))
    }

    /// Decides what a header with a wrong checksum means: after a power cut, a file may end with
    /// zeros.
    fn without_length(&mut self, header: &[u8]) -> Result<Next, FrameError> {
        let mut block = [0; 4096];
        let mut is_zero = header.iter().all(|byte| *byte == 0);
        while is_zero {
            let count = self.input.read(&mut block)?;
            if count == 0 {
                return Ok(Next::Torn("the file ends with zeros"));
            }
            is_zero = block.iter().take(count).all(|byte| *byte == 0);
        }
        Err(FrameError::Damaged("the length of a record is damaged".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::CatalogChange;
    use super::*;

    fn record(name: &str) -> Record {
        CatalogChange { removed_snapshots: vec![name.to_owned()], ..Default::default() }.into()
    }

    fn read_all(bytes: &[u8]) -> (Vec<Record>, Result<&'static str, FrameError>, u64) {
        let mut reader = FrameReader::new(bytes, bytes.len() as u64).unwrap();
        let mut records = Vec::new();
        let end = loop {
            match reader.next_record() {
                Ok(Next::Record(record)) => records.push(*record),
                Ok(Next::End) => break Ok(""),
                Ok(Next::Torn(why)) => break Ok(why),
                Err(error) => break Err(error),
            }
        };
        (records, end, reader.position())
    }

    #[test]
    fn a_file_that_is_cut_anywhere_loses_its_last_record_only() {
        let (first, second) = (record("a"), record("b"));
        let start = [title(), encode(&first)].concat();
        let whole = [start.clone(), encode(&second)].concat();
        for len in start.len()..=whole.len() {
            let (records, end, at) = read_all(&whole[..len]);
            match len == whole.len() {
                true => assert_eq!(records, [first.clone(), second.clone()]),
                false => assert_eq!((&records[..], at), (&[first.clone()][..], start.len() as u64)),
            }
            let is_between = len == start.len() || len == whole.len();
            assert_eq!(end.unwrap().is_empty(), is_between, "{len}");
        }
        let zeros = [start.clone(), vec![0; 10_000]].concat();
        assert_eq!(read_all(&zeros).1.unwrap(), "the file ends with zeros");
    }

    #[test]
    fn a_changed_byte_is_noticed_and_only_in_the_last_record_taken_for_its_end() {
        let whole = [title(), encode(&record("a")), encode(&record("b"))].concat();
        let second = whole.len() - encode(&record("b")).len();
        for at in title().len()..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            let (records, end, position) = read_all(&changed);
            let is_dropped = at >= second + HEADER_BYTES;
            assert_eq!(end.is_ok(), is_dropped, "{at}");
            assert_eq!(records.len(), usize::from(at >= second), "{at}");
            assert!(position <= at as u64);
        }
    }
}
