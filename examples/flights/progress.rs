//! The progress of the load, on stderr: a bar on a terminal, otherwise a line from time to time.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

const BAR: &str = "{wide_bar} {human_pos} of {human_len} rows, {per_sec}, {eta} left";

/// The number of lines that are printed instead of a bar.
const LINES: u64 = 50;

pub(crate) struct Progress {
    bar: ProgressBar,
    drawn: bool,
}

impl Progress {
    pub(crate) fn new(rows: usize) -> Self {
        let drawn = std::io::stderr().is_terminal();
        let bar = if drawn { ProgressBar::new(rows as u64) } else { ProgressBar::hidden() };
        bar.set_length(rows as u64);
        if let Ok(style) = ProgressStyle::with_template(BAR) {
            bar.set_style(style);
        }
        Self { bar, drawn }
    }

    pub(crate) fn add(&mut self, rows: usize) {
        let before = self.bar.position();
        let after = before + rows as u64;
        self.bar.set_position(after);
        let total = self.bar.length().unwrap_or(after).max(1);
        let lines = |rows: u64| rows * LINES / total;
        if !self.drawn && lines(after) > lines(before) {
            eprintln!("loaded {after} of {total} rows");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.abandon();
    }
}
