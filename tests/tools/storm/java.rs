//! The same load by the Java client, in a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::outages::Outages;
use crate::rows::PREFIXES;

/// `java/Storm.java` while it runs.
pub(crate) struct Java(Child);

impl Java {
    /// Starts it by a command that `run` gives, on the cluster in this folder.
    pub(crate) fn start(
        command: &str,
        table: &str,
        cluster: &Path,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("the command of the Java client is empty")?;
        let mut java = Command::new(program);
        java.args(words).arg(table).env("TALLROW_REAL_DIR", cluster);
        java.stdin(Stdio::piped()).stdout(Stdio::piped());
        Ok(Self(java.spawn()?))
    }

    /// Ends the load; returns the lines of its report, and when it could read rows again.
    pub(crate) fn end(mut self) -> Result<(Vec<String>, Vec<Outages>), Box<dyn std::error::Error>> {
        let mut input = self.0.stdin.take().ok_or("it has no input")?;
        input.write_all(b"end\n")?;
        let output = self.0.stdout.take().ok_or("it has no output")?;
        let (mut report, mut outages) = (Vec::new(), vec![Outages::default(); PREFIXES]);
        for line in BufReader::new(output).lines() {
            let line = line?;
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["outage", prefix, from, end] => {
                    if let Some(of) = outages.get_mut(prefix.parse::<usize>()?) {
                        of.ends.push((from.parse()?, end.parse()?));
                    }
                }
                _ => report.push(line),
            }
        }
        let status = self.0.wait()?;
        if !status.success() {
            return Err(format!("the Java client ended with {status}").into());
        }
        Ok((report, outages))
    }
}

impl Drop for Java {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
