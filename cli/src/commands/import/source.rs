//! Reads the lines of a file, and records the position up to which they were read.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use csv::ByteRecord;

use super::other_format;
use super::record::{Header, Record, Values};
use super::state::Position;
use crate::failure::{Failure, Result};
use crate::files;
use crate::files::FileFormat;

/// The file to read, and its format.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) file: PathBuf,
    pub(super) format: FileFormat,
    pub(super) delimiter: u8,
}

impl Input {
    pub(super) fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }

    /// Returns the name of the input for errors.
    pub(super) fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.file.display().to_string() }
    }

    fn open(&self) -> Result<Box<dyn Read + Send>> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin()));
        }
        Ok(Box::new(files::open(&self.file)?))
    }

    /// Returns the length of the input, if it is a regular file.
    pub(super) fn len(&self) -> Option<u64> {
        let metadata = self.file.metadata().ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// Fails if the beginning of the file, up to this position, has changed since it was read, or
    /// if the last line that was read has become longer.
    pub(super) fn verify_unchanged(&self, position: &Position) -> Result<()> {
        let mut file = BufReader::new(files::open(&self.file)?).take(position.bytes);
        let (mut found, mut last) = (Position::start(), None);
        loop {
            let buffer = file.fill_buf().map_err(|error| self.failed(found.line_feeds, error))?;
            if buffer.is_empty() {
                break;
            }
            found.advance(buffer);
            last = buffer.last().copied();
            let count = buffer.len();
            file.consume(count);
        }
        let goes_on = self.len().is_some_and(|len| len > position.bytes);
        if goes_on && last.is_some_and(|last| !matches!(last, b'\r' | b'\n')) {
            let text = format!(
                "{}, line {}: it has become longer since it was read",
                self.name(),
                found.line_feeds + 1
            );
            return Err(Failure::new(text).advise("write new lines after a line feed"));
        }
        if (found.bytes, found.hash) == (position.bytes, position.hash) {
            return Ok(());
        }
        let text = format!(
            "{} has changed in its first {} lines, which were read before",
            self.name(),
            position.line_feeds
        );
        Err(Failure::new(text).advise(
            "restore the file to go on, or give --restart to import all of it: its counters are \
             then added again",
        ))
    }

    fn failed(&self, line_feeds: u64, error: io::Error) -> Failure {
        Failure::new(format!("{}, line {}: read it", self.name(), line_feeds + 1)).caused_by(error)
    }
}

/// A file that is being read.
pub(super) struct LineSource {
    input: Input,
    reader: LineReader,
    position: Position,
}

enum LineReader {
    Csv {
        reader: csv::Reader<RecordingReader<Box<dyn Read + Send>>>,
        header: Arc<Header>,
        line: Bytes,
    },
    Json(BufReader<Box<dyn Read + Send>>),
}

impl LineSource {
    /// Opens a file at its beginning, or at the position `from`, up to which it was read before.
    pub(super) fn open(input: Input, from: Option<&Position>) -> Result<Self> {
        let seek = |from: &Position| {
            let mut file = files::open(&input.file)?;
            let sought = file.seek(SeekFrom::Start(from.bytes));
            sought.map_err(|error| input.failed(from.line_feeds, error))?;
            Ok::<_, Failure>(Box::new(file) as Box<dyn Read + Send>)
        };
        let mut position = Position::start();
        let reader = match input.format {
            FileFormat::Json => {
                let file = from.map_or_else(|| input.open(), seek)?;
                LineReader::Json(BufReader::with_capacity(1 << 16, file))
            }
            FileFormat::Csv => {
                let csv = |file| {
                    let mut builder = csv::ReaderBuilder::new();
                    builder.has_headers(false).flexible(true).delimiter(input.delimiter);
                    builder.buffer_capacity(1 << 16).from_reader(RecordingReader::new(file))
                };
                let mut reader = csv(input.open()?);
                let first = next_csv(&mut reader).map_err(|error| input.failed(0, error))?;
                let Some((record, line)) = first else {
                    let text = format!(
                        "{}, line 1: expected the names of the columns, found the end",
                        input.name()
                    );
                    return Err(Failure::new(text));
                };
                position.advance(&line);
                let wrong = |what| Failure::new(format!("{}, line 1: {what}", input.name()));
                if let Some((what, advice)) = other_format::unreadable_format(&line) {
                    return Err(wrong(what).advise(advice));
                }
                if other_format::is_json(&line) {
                    return Err(wrong("it is JSON, and read as CSV").advise("give --format json"));
                }
                let header = Header::new(&record).map_err(|why| {
                    Failure::new(format!("{}, line 1: {why}", input.name()))
                        .advise("the first line has the names of the columns, each once")
                })?;
                if let Some(from) = from {
                    reader = csv(seek(from)?);
                }
                LineReader::Csv { reader, header: Arc::new(header), line }
            }
        };
        let position = from.cloned().unwrap_or(position);
        Ok(Self { input, reader, position })
    }

    pub(super) fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the position up to which the file was read.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the position, so that the caller can count imported and refused lines in it.
    pub(super) fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Returns the names of the columns, if the file has a line with names.
    pub(super) fn names(&self) -> Option<&[String]> {
        match &self.reader {
            LineReader::Csv { header, .. } => Some(&header.names),
            LineReader::Json(_) => None,
        }
    }

    /// Returns the line with the names of the columns, as it is in the file; empty for JSON.
    pub(super) fn first_line(&self) -> &[u8] {
        match &self.reader {
            LineReader::Csv { line, .. } => line,
            LineReader::Json(_) => b"",
        }
    }

    /// Returns the next line.
    pub(super) fn next(&mut self) -> Result<Option<Record>> {
        let line_feeds = self.position.line_feeds;
        let failed = |error| self.input.failed(line_feeds, error);
        match &mut self.reader {
            LineReader::Csv { reader, header, .. } => {
                let Some((record, raw)) = next_csv(reader).map_err(failed)? else {
                    return Ok(None);
                };
                let line = self.position.line_feeds + 1 + leading_line_feeds(&raw);
                self.position.advance(&raw);
                let (expected, found) = (header.names.len(), record.len());
                let last = self.position.line_feeds + u64::from(!raw.ends_with(b"\n"));
                let values = if is_unclosed(&raw, self.input.delimiter) {
                    Err(format!("a quote is not closed; the value goes on to line {last}"))
                } else if expected == found {
                    Ok(Values::Csv { header: header.clone(), record })
                } else {
                    let goes_on = match last > line {
                        true => format!("; it goes on to line {last}: is a quote not closed?"),
                        false => String::new(),
                    };
                    Err(format!("expected {expected} values, found {found}{goes_on}"))
                };
                Ok(Some(Record { line, raw, values }))
            }
            LineReader::Json(reader) => loop {
                let mut raw = Vec::new();
                let mut bounded = reader.take(MAX_LINE as u64);
                let count = bounded.read_until(b'\n', &mut raw).map_err(failed)?;
                if count == MAX_LINE && !raw.ends_with(b"\n") {
                    return Err(failed(too_long_error()));
                }
                if count == 0 {
                    return Ok(None);
                }
                let line = self.position.line_feeds + 1;
                self.position.advance(&raw);
                if raw.trim_ascii().is_empty() {
                    continue;
                }
                let values = serde_json::from_slice(raw.trim_ascii_end()).map(Values::Json);
                let values =
                    values.map_err(|error| other_format::not_an_object_error(&raw, line, &error));
                return Ok(Some(Record { line, raw: raw.into(), values }));
            },
        }
    }
}

/// Returns the next record and its bytes, including the empty lines before the record.
fn next_csv<R: Read>(
    reader: &mut csv::Reader<RecordingReader<R>>,
) -> io::Result<Option<(ByteRecord, Bytes)>> {
    let mut record = ByteRecord::new();
    let start = reader.position().byte();
    let found = reader.read_byte_record(&mut record).map_err(io::Error::from)?;
    let count = reader.position().byte().saturating_sub(start);
    let raw = reader.get_mut().take(usize::try_from(count).unwrap_or(usize::MAX));
    Ok(found.then_some((record, raw)))
}

/// Returns whether the last value of a record starts with a quote that is not closed.
fn is_unclosed(raw: &[u8], delimiter: u8) -> bool {
    let (mut is_start, mut is_quoted) = (true, false);
    let mut bytes = raw.iter().peekable();
    while let Some(byte) = bytes.next() {
        if is_quoted {
            // In a quoted value, two quotes represent one quote.
            is_quoted = *byte != b'"' || bytes.next_if(|next| **next == b'"').is_some();
        } else {
            is_quoted = is_start && *byte == b'"';
            is_start = *byte == delimiter || matches!(byte, b'\r' | b'\n');
        }
    }
    is_quoted
}

fn leading_line_feeds(raw: &[u8]) -> u64 {
    let blank = raw.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    blank.filter(|byte| **byte == b'\n').count() as u64
}

/// The maximum length of a line, in bytes. Without it, a value with a quote that is not closed
/// would extend over the rest of the file.
pub(super) const MAX_LINE: usize = 16 << 20;

/// A reader that keeps the bytes that were read until they are taken.
pub(super) struct RecordingReader<R> {
    reader: R,
    bytes: BytesMut,
}

impl<R> RecordingReader<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, bytes: BytesMut::new() }
    }

    /// Takes the next `count` of the kept bytes, or all of them if there are fewer.
    pub(super) fn take(&mut self, count: usize) -> Bytes {
        self.bytes.split_to(count.min(self.bytes.len())).freeze()
    }
}

impl<R: Read> Read for RecordingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.len() > MAX_LINE {
            return Err(too_long_error());
        }
        let count = self.reader.read(buffer)?;
        self.bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Makes the error for a line that is too long.
pub(super) fn too_long_error() -> io::Error {
    io::Error::other("it is longer than 16 MiB; is a quote not closed?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_closed_by_one_that_is_not_doubled() {
        for closed in [
            "a,b\n",
            "\"a\",b\n",
            "a,\"b\n\"\n",
            "a,\"\"\"b\"\r\n",
            "5\" pipe,b\n",
            "\n\"\",\"\"",
            "",
        ] {
            assert!(!is_unclosed(closed.as_bytes(), b','), "{closed:?}");
        }
        for unclosed in ["a,\"b\n", "\"a,b\n", "a,\"b\"\"\n", "\n\"a", "a,b\r\n\""] {
            assert!(is_unclosed(unclosed.as_bytes(), b','), "{unclosed:?}");
        }
    }
}
