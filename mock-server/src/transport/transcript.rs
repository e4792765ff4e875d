//! The transcript of a cluster: what its servers received and what came of it, a line for each
//! event. It contains neither times nor ports, so two runs with the same seed and the same calls
//! have the same transcript.
//!
//! # Invariants
//!
//! - Two runs with one seed and the same calls have the same transcript, byte for byte. Tests:
//!   `mock-server/tests/suite/transcripts.rs`.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::{limits, lock};

/// The latest events, if they are recorded.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    recording: AtomicBool,
    events: Mutex<Events>,
}

#[derive(Debug, Default)]
struct Events {
    /// The number of events, of which `lines` holds the latest.
    count: u64,
    lines: VecDeque<String>,
}

impl Transcript {
    /// Records what happens from now on.
    pub(crate) fn start(&self) {
        self.recording.store(true, Ordering::Release);
    }

    /// Whether events are recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.recording.load(Ordering::Acquire)
    }

    /// Records an event, if events are recorded.
    pub(crate) fn record(&self, event: impl Display) {
        if !self.is_recording() {
            return;
        }
        // What a client sends is in the event only as printable ASCII, but a change is as its caller
        // wrote it.
        let mut line = event.to_string().replace(char::is_control, "?");
        let end = (0..=limits::TRANSCRIPT_LINE_BYTES).rev().find(|at| line.is_char_boundary(*at));
        line.truncate(end.unwrap_or(0));
        let mut events = lock(&self.events);
        events.count += 1;
        if events.lines.len() == limits::TRANSCRIPT_LINES {
            events.lines.pop_front();
        }
        events.lines.push_back(line);
    }

    /// Returns the numbered lines of the latest events, at most `count`. If older events were
    /// dropped, the first number is not 1.
    pub(crate) fn latest(&self, count: usize) -> Vec<String> {
        let events = lock(&self.events);
        let skipped = events.lines.len().saturating_sub(count);
        let first = events.count - (events.lines.len() - skipped) as u64 + 1;
        let lines = events.lines.iter().skip(skipped);
        lines.zip(first..).map(|(line, number)| format!("{number} {line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_lines_are_kept_with_their_numbers() {
        let transcript = Transcript::default();
        transcript.record("before the start");
        transcript.start();
        for n in 0..limits::TRANSCRIPT_LINES + 2 {
            transcript.record(format_args!("event {n}\n{}", "é".repeat(500)));
        }
        let all = transcript.latest(usize::MAX);
        assert_eq!(all.len(), limits::TRANSCRIPT_LINES);
        assert!(all[0].starts_with("3 event 2?é"), "{}", all[0]);
        assert!(all.iter().all(|line| line.len() <= limits::TRANSCRIPT_LINE_BYTES + 8));
        let last = transcript.latest(1);
        assert!(last[0].starts_with("100002 event 100001?"), "{last:?}");
    }
}
