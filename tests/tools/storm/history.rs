//! The attempts of increments and of slow gets, for a counter that is not what it should be and for
//! a row that was read late.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tallrow::{Client, Config, Error};

use crate::outages::now;

/// A get that took this long was read late.
const LATE: Duration = Duration::from_millis(200);

/// An operation: when it ended, as ms since 1970, and its attempts.
type Ended = (u64, String);

/// Those of each row, in order.
#[derive(Clone, Default)]
pub(crate) struct History(Arc<Mutex<HashMap<String, Vec<Ended>>>>);

impl History {
    /// Connects a client whose increments and gets are remembered.
    pub(crate) async fn connect(self, url: &str) -> Result<Client, Error> {
        let config = Config::new().slow_operations(Duration::from_millis(50), move |slow| {
            let is_kept = match slow.operation() {
                "increment" => slow.attempts().len() > 1,
                "get" => slow.elapsed() >= LATE,
                _ => false,
            };
            if is_kept {
                let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                let of_row = rows.entry(slow.row().unwrap_or_default()).or_default();
                of_row.push((now(), slow.to_string()));
            }
        });
        Client::connect_with(url, config).await
    }

    /// The last few of a row.
    pub(crate) fn of(&self, row: &str) -> String {
        let rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = rows.get(&format!("{row:?}")).map(Vec::as_slice).unwrap_or_default();
        let last = all.get(all.len().saturating_sub(5)..).unwrap_or_default();
        last.iter().map(|(at, text)| format!("at {at}: {text}")).collect::<Vec<_>>().join("\n")
    }

    /// The one of a row that ended at this time, or up to 20 ms before.
    pub(crate) fn ended(&self, row: &str, end: u64) -> Option<String> {
        let rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = rows.get(&format!("{row:?}"))?;
        let (_, text) = all.iter().rfind(|(at, _)| (end.saturating_sub(20)..=end).contains(at))?;
        Some(text.clone())
    }
}
