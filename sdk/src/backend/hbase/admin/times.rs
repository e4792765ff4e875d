//! Times and durations as the master's messages carry them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time in ms since 1970; `None` for 0, which means none.
pub(super) fn millis_to_time(millis: u64) -> Option<SystemTime> {
    (millis > 0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(millis))).flatten()
}

/// A duration in whole seconds, at least one.
pub(super) fn whole_seconds(duration: Duration) -> Result<i64, String> {
    match i64::try_from(duration.as_secs()) {
        Ok(seconds @ 1..) if duration.subsec_nanos() == 0 => Ok(seconds),
        _ => Err(format!("{duration:?} is not a whole number of seconds, at least one")),
    }
}
