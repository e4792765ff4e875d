//! Progress messages of a command that works on many rows, and Ctrl-C, which ends the command.

use std::io::{self, IsTerminal};
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

use crate::failure::{Failure, Result};
use crate::terminal::output::say;

/// Messages that say from time to time how many rows are done, how many rows per second, and which
/// share of all work is done.
#[derive(Debug)]
pub(crate) struct Progress {
    started: Instant,
    rows_before: u64,
    last: Instant,
    every: Duration,
}

impl Progress {
    /// Starts the messages. `rows_before` is the number of rows that were done before.
    pub(crate) fn new(rows_before: u64) -> Self {
        let seconds = if io::stderr().is_terminal() { 1 } else { 10 };
        let now = Instant::now();
        Self { started: now, rows_before, last: now, every: Duration::from_secs(seconds) }
    }

    /// Writes how many rows are done, if it is time for a message; `share` is the part of all work
    /// that is done, if known.
    pub(crate) fn report(&mut self, rows: u64, share: Option<f64>) {
        if self.last.elapsed() >= self.every {
            self.last = Instant::now();
            let share = share.map_or(String::new(), |share| format!(", {:.0} %", 100.0 * share));
            say(format!("{rows} rows, {} rows/s{share}", self.rate(rows)));
        }
    }

    /// Returns how many rows were done per second.
    fn rate(&self, rows: u64) -> u64 {
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        (rows.saturating_sub(self.rows_before) as f64 / seconds) as u64
    }

    /// Writes how long the work took, if there were progress messages.
    pub(crate) fn report_end(&self, rows: u64) {
        if self.last > self.started {
            say(format!(
                "{:.1} s, {} rows/s",
                self.started.elapsed().as_secs_f64(),
                self.rate(rows)
            ));
        }
    }
}

/// A watch for Ctrl-C.
#[derive(Debug)]
pub(crate) struct Interrupt(Signal);

impl Interrupt {
    /// Starts to watch for Ctrl-C. From then on, Ctrl-C does not end the process by itself.
    pub(crate) fn new() -> Result<Self> {
        let failed = |error| Failure::new("watch for Ctrl-C").caused_by(error);
        signal(SignalKind::interrupt()).map(Self).map_err(failed)
    }

    /// Waits until Ctrl-C is pressed; returns at once if it was pressed since the last call.
    pub(crate) async fn wait(&mut self) {
        self.0.recv().await;
    }

    /// Returns what `work` returns, or none if Ctrl-C is pressed first.
    pub(crate) async fn run_until_pressed<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        tokio::select! {
            biased;
            () = self.wait() => None,
            done = work => Some(done),
        }
    }
}
