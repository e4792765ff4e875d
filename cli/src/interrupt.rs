//! Ctrl-C.

use std::pin::Pin;

use tokio::signal;

/// Whether Ctrl-C was pressed.
pub(crate) struct Interrupt(Pin<Box<dyn Future<Output = ()>>>);

impl Interrupt {
    /// From now on, Ctrl-C does not end the process.
    pub(crate) fn new() -> Self {
        Self(Box::pin(async {
            if signal::ctrl_c().await.is_err() {
                // It ends the process as before.
                std::future::pending::<()>().await;
            }
        }))
    }

    /// Returns what `work` returns, or none if Ctrl-C comes first.
    pub(crate) async fn unless<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = &mut self.0 => None,
            done = work => Some(done),
        }
    }
}
