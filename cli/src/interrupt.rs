//! Ctrl-C.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::{Failure, Result};

/// Whether Ctrl-C was pressed.
#[derive(Debug)]
pub(crate) struct Interrupt(Signal);

impl Interrupt {
    /// Keeps Ctrl-C from ending the process from now on.
    pub(crate) fn new() -> Result<Self> {
        let failed = |error| Failure::new("watch for Ctrl-C").caused_by(error);
        signal(SignalKind::interrupt()).map(Self).map_err(failed)
    }

    /// Returns when Ctrl-C is pressed, or was since the last time.
    pub(crate) async fn pressed(&mut self) {
        self.0.recv().await;
    }

    /// Returns what `work` returns, or none if Ctrl-C comes first.
    pub(crate) async fn unless<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.pressed() => None,
            done = work => Some(done),
        }
    }
}
