//! Shows the progress of a simulation in a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::{process, thread};

use indicatif::{ProgressBar, ProgressStyle};

use crate::cluster::connection::block_on;
use crate::failure::Failure;
use crate::terminal::output::say;
use crate::terminal::progress::Interrupt;

/// A progress bar on standard error, if that is a terminal, and the message after Ctrl-C.
pub(super) struct SimulationProgress {
    bar: ProgressBar,
    made: Arc<AtomicU64>,
}

impl SimulationProgress {
    /// Starts the progress bar. From then on, Ctrl-C ends the process with a message that says how
    /// many of `keys` keys were made.
    pub(super) fn new(keys: u64) -> Self {
        let made = Arc::new(AtomicU64::new(0));
        let bar = match stderr().is_terminal() {
            true => ProgressBar::new(keys),
            false => ProgressBar::hidden(),
        };
        let template = "{msg} {wide_bar} {human_pos} of {human_len} keys, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let progress = Self { bar, made };
        progress.watch_interrupts(keys);
        progress
    }

    /// Shows to which design the next keys belong.
    pub(super) fn start_design(&self, design: &str, keys: u64) {
        match self.bar.is_hidden() {
            true => say(format!("making {keys} keys of {design}")),
            false => self.bar.set_message(design.to_owned()),
        }
    }

    /// Shows that `made` keys have been made so far, for all designs together.
    pub(super) fn show(&self, made: u64) {
        self.made.fetch_max(made, Ordering::Relaxed);
        self.bar.set_position(made);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Starts a thread that ends the process at once after Ctrl-C. Nothing has to be undone.
    fn watch_interrupts(&self, keys: u64) {
        let (bar, made) = (self.bar.clone(), Arc::clone(&self.made));
        let (ready, is_ready) = mpsc::channel();
        thread::spawn(move || {
            let pressed = block_on(async {
                let mut interrupt = Interrupt::new()?;
                // Sending fails only if the process ends.
                let _ = ready.send(());
                interrupt.wait().await;
                Ok(())
            });
            if pressed.is_ok() {
                bar.finish_and_clear();
                let made = made.load(Ordering::Relaxed);
                let text = format!("stopped by Ctrl-C after {made} of {keys} keys");
                let failure = Failure::interrupted(text)
                    .advise("no report was written; fewer --rows give nearly the same picture");
                failure.report();
                process::exit(130);
            }
        });
        // If the thread cannot watch for Ctrl-C, Ctrl-C ends the process by default, without the
        // message.
        let _ = is_ready.recv();
    }
}
