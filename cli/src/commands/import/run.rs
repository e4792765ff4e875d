//! Runs an import: reads a file, writes batches of its lines, and records the progress.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinHandle;

use super::destination::Destination;
use super::mapping::Mapping;
use super::record::Record;
use super::refused::RefusedLines;
use super::source::LineSource;
use super::state::{ImportState, Position};
use super::writer::{LineBatch, Writer, WrittenBatch};
use crate::failure::{Failure, Result};
use crate::files::state_file::StateFile;
use crate::keys::equal_keys::DuplicateKeyCounter;
use crate::terminal::output::say;
use crate::terminal::progress::{Interrupt, Progress};

/// The approximate maximum size of the lines of a batch, in bytes.
const BATCH_BYTES: u64 = 4 << 20;

/// A running import.
pub(super) struct ImportRun {
    pub(super) source: LineSource,
    pub(super) mapping: Mapping,
    pub(super) destination: Destination,
    /// The row keys of the lines, if lines can overwrite each other's cells.
    pub(super) keys: Option<DuplicateKeyCounter>,
    pub(super) writer: Arc<Writer>,
    pub(super) refused: Option<RefusedLines>,
    /// The state file; `None` for standard input, which cannot be resumed.
    pub(super) file: Option<StateFile>,
    pub(super) state: ImportState,
    /// The position, in bytes, at which the next batch has to end, if a killed process may have
    /// counted that batch in some rows.
    pub(super) repeated: Option<u64>,
    /// The maximum number of lines in a batch.
    pub(super) batch_lines: u64,
    /// The maximum number of batches that are written concurrently.
    pub(super) window: usize,
}

/// The end of an import that read the whole file.
pub(super) struct ImportEnd {
    /// The position up to which all lines were acknowledged: the end of the file.
    pub(super) position: Position,
    /// The number of rows to which counts had been added before the import was resumed.
    pub(super) rows_already_counted: u64,
}

/// The reason why no more lines are read.
enum End {
    OfFile,
    Interrupt,
    Failure(Failure),
}

/// A batch that is being written.
struct InFlight {
    rows: HashSet<Vec<u8>>,
    task: JoinHandle<tallrow::Result<WrittenBatch>>,
}

impl ImportRun {
    /// Imports all lines.
    pub(super) async fn run(&mut self) -> Result<ImportEnd> {
        let mut interrupt = Interrupt::new()?;
        let mut progress = Progress::new(self.state.done.rows);
        let (mut in_flight, mut number) = (VecDeque::new(), self.state.last_batch);
        let mut rows_already_counted = 0;
        let mut end = None;
        loop {
            if end.is_none() && in_flight.len() < self.window {
                let (batch, ended) = match interrupt.run_until_pressed(std::future::ready(())).await
                {
                    Some(()) => self.next_batch(),
                    None => (None, Some(End::Interrupt)),
                };
                end = ended;
                if let Some(batch) = batch {
                    let rows: HashSet<_> = batch.cells.keys().cloned().collect();
                    // Of two lines with the same row, the later line must be written later.
                    while in_flight.iter().any(|other: &InFlight| !other.rows.is_disjoint(&rows)) {
                        let Some(first) = in_flight.pop_front() else { break };
                        match self.written(first).await {
                            Ok(count) => rows_already_counted += count,
                            Err(failure) => return Err(self.stopped(in_flight, failure).await),
                        }
                    }
                    number += 1;
                    // The import that is resumed may have sent lines after the end of this batch.
                    let sent = self.state.sent.clone();
                    if batch.end.bytes >= sent.bytes {
                        self.state.sent = batch.end.clone();
                    }
                    if let Err(failure) = self.save() {
                        self.state.sent = sent;
                        return Err(self.stopped(in_flight, failure).await);
                    }
                    let writer = self.writer.clone();
                    let task = tokio::spawn(async move { writer.write(number, batch).await });
                    in_flight.push_back(InFlight { rows, task });
                }
                if end.is_none() {
                    continue;
                }
            }
            let Some(mut first) = in_flight.pop_front() else { break };
            let done = match end {
                None => interrupt.run_until_pressed(&mut first.task).await,
                // Batches that were sent are awaited, with or without Ctrl-C.
                Some(_) => None,
            };
            let written = match done {
                Some(done) => self.joined(done),
                None => {
                    end.get_or_insert(End::Interrupt);
                    self.written(first).await
                }
            };
            match written {
                Ok(count) => rows_already_counted += count,
                Err(failure) => return Err(self.stopped(in_flight, failure).await),
            }
            let share = self
                .source
                .input()
                .len()
                .map(|all| self.state.done.bytes as f64 / all.max(1) as f64);
            progress.report(self.state.done.rows, share);
        }
        self.save()?;
        match end {
            Some(End::Failure(failure)) => Err(self.so_far(failure)),
            Some(End::Interrupt) => {
                Err(self
                    .so_far(Failure::interrupted("stopped by Ctrl-C").advise(self.how_to_go_on())))
            }
            _ => {
                progress.report_end(self.state.done.rows);
                Ok(ImportEnd { position: self.state.done.clone(), rows_already_counted })
            }
        }
    }

    /// Reads the next batch. Returns the batch, if it has any lines, and the reason why no more
    /// lines are read, if there is one.
    fn next_batch(&mut self) -> (Option<LineBatch>, Option<End>) {
        let start = self.source.position().clone();
        let mut batch = LineBatch::new(&start);
        let repeated = self.repeated.take();
        let mut lines = 0;
        let end = loop {
            let read = self.source.position().bytes;
            let is_full = match repeated {
                Some(end) => read >= end,
                None => lines == self.batch_lines || read - start.bytes >= BATCH_BYTES,
            };
            if is_full {
                break None;
            }
            match self.next_line(&mut batch) {
                Ok(true) => lines += 1,
                Ok(false) => break Some(End::OfFile),
                // A part of this batch must not be sent: its mark would say that all of its lines
                // were counted.
                Err(failure) if repeated.is_some() => return (None, Some(End::Failure(failure))),
                Err(failure) => break Some(End::Failure(failure)),
            }
        };
        ((batch.end != start).then_some(batch), end)
    }

    /// Adds the next line to a batch; returns whether there was a line.
    fn next_line(&mut self, batch: &mut LineBatch) -> Result<bool> {
        let before = self.source.position().clone();
        let Some(Record { line, raw, values }) = self.source.next()? else {
            return Ok(false);
        };
        match values.and_then(|values| self.destination.change(&self.mapping, &values)) {
            Ok(change) => {
                if let Some(keys) = &mut self.keys {
                    keys.add(&change.row);
                }
                batch.add(change);
                self.source.position_mut().rows += 1;
            }
            Err(why) => {
                let text = refused_text(&self.source, line, &why);
                let Some(refused) = &mut self.refused else {
                    let bad = Failure::new(text);
                    let to_correct = match &self.file {
                        Some(_) => format!(
                            "correct the line and give the same command, which goes on after line \
                             {}",
                            before.line_feeds
                        ),
                        None => "correct the line, and import all from a file to be able to go on"
                            .into(),
                    };
                    return Err(bad.advise(format!(
                        "{to_correct}; or give --skip-bad FILE, which gets such lines"
                    )));
                };
                say(text);
                let length = refused.add(&raw)?;
                let position = self.source.position_mut();
                position.refused += 1;
                position.refused_bytes += length;
            }
        }
        batch.end = self.source.position().clone();
        Ok(true)
    }

    async fn written(&mut self, batch: InFlight) -> Result<u64> {
        let done = batch.task.await;
        self.joined(done)
    }

    /// Records that the oldest batch in flight was acknowledged, and returns the number of rows to
    /// which the counts of this batch had been added before.
    fn joined(
        &mut self,
        done: std::result::Result<tallrow::Result<WrittenBatch>, tokio::task::JoinError>,
    ) -> Result<u64> {
        let written = done.map_err(|error| Failure::new("write a batch").caused_by(error))??;
        self.state.done = written.end;
        self.state.last_batch += 1;
        Ok(written.rows_already_counted)
    }

    /// Ends a failed import: saves the position up to which all lines were acknowledged, and adds
    /// it to the failure.
    async fn stopped(&mut self, in_flight: VecDeque<InFlight>, failure: Failure) -> Failure {
        for batch in in_flight {
            // A resumed import writes these batches again, because acknowledged batches are
            // recorded in order.
            let _ = batch.task.await;
        }
        // If this fails too, the file has an earlier state, from which it is safe to go on.
        let _ = self.save();
        let advice = self.how_to_go_on();
        self.so_far(failure).advise_if_none(advice)
    }

    fn how_to_go_on(&self) -> String {
        match &self.file {
            Some(_) => {
                format!("the same command goes on after line {}", self.state.done.line_feeds)
            }
            None => "standard input cannot be read again: give a file to be able to go on".into(),
        }
    }

    fn so_far(&self, failure: Failure) -> Failure {
        let ImportState { done, sent, .. } = &self.state;
        let mut text =
            format!("{} rows up to line {} are in the table", done.rows, done.line_feeds);
        if sent != done {
            text += &format!(", and some of the lines up to {} may be", sent.line_feeds);
        }
        failure.with_done_so_far(text)
    }

    fn save(&mut self) -> Result<()> {
        if let Some(refused) = &mut self.refused {
            refused.sync()?;
        }
        self.state.touch();
        match &mut self.file {
            Some(file) => file.save(&self.state),
            None => Ok(()),
        }
    }
}

/// Returns the message about a refused line.
pub(super) fn refused_text(source: &LineSource, line: u64, why: &str) -> String {
    format!("{}, line {line}: {why}", source.input().name())
}

/// Opens the file of refused lines; returns none if no path is given.
pub(super) fn open_refused_lines(
    path: Option<&Path>,
    source: &mut LineSource,
    resumed: Option<&ImportState>,
) -> Result<Option<RefusedLines>> {
    let Some(path) = path else { return Ok(None) };
    let length = resumed.map_or(0, |state| state.done.refused_bytes);
    if length > 0 {
        return RefusedLines::resume(path, length).map(Some);
    }
    let (lines, length) = RefusedLines::create(path, source.first_line())?;
    source.position_mut().refused_bytes = length;
    Ok(Some(lines))
}
