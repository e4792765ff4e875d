//! The increments that took more than one attempt, for a counter that is not what it should be.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tallrow::{Client, Config, Error};

/// Those of each counter that took long and were sent more than once, in order.
#[derive(Clone, Default)]
pub(crate) struct History(Arc<Mutex<HashMap<String, Vec<String>>>>);

impl History {
    /// Connects a client whose increments are remembered.
    pub(crate) async fn connect(self, url: &str) -> Result<Client, Error> {
        let since = Instant::now();
        let config = Config::new().slow_operations(Duration::from_millis(50), move |slow| {
            if slow.operation() == "increment" && slow.attempts().len() > 1 {
                let text = format!("at {:.3} s: {slow}", since.elapsed().as_secs_f64());
                let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                rows.entry(slow.row().unwrap_or_default()).or_default().push(text);
            }
        });
        Client::connect_with(url, config).await
    }

    /// The last few of a row.
    pub(crate) fn of(&self, row: &str) -> String {
        let rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = rows.get(&format!("{row:?}")).map(Vec::as_slice).unwrap_or_default();
        all.get(all.len().saturating_sub(5)..).unwrap_or_default().join("\n")
    }
}
