//! A program that a test has started.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A program of this test, which has printed its ready line.
pub(crate) struct Running {
    pub(crate) child: Child,
    /// The ready line, with its end.
    pub(crate) ready: String,
}

impl Running {
    /// Starts the program, and waits for its ready line.
    pub(crate) fn start(mut command: Command, arguments: &[&str]) -> Self {
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        Self { child, ready }
    }

    /// A field of the ready line.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.ready.split_once(&format!("\"{name}\":\""))?;
        Some(rest.split_once('"').unwrap().0)
    }

    /// What the control port answers to a GET.
    pub(crate) fn get(&self, path: &str) -> String {
        let url = format!("{}{path}", self.field("control_url").unwrap());
        let output = Command::new("curl").args(["-s", &url]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Sends a signal, and returns the exit code.
    pub(crate) fn signal(&mut self, signal: &str) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }

    /// Ends the program by SIGTERM.
    pub(crate) fn end(mut self) {
        assert_eq!(self.signal("TERM"), Some(0));
    }
}

impl Drop for Running {
    /// Kills the program, unless it has ended already.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
