//! A server program that a benchmark starts.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::cpu_time_of;

/// A server program that was started. It is killed when this value is dropped.
///
/// ```
/// use std::process::Command;
/// use tallrow_bench::Program;
///
/// let mut command = Command::new("echo");
/// let program = Program::start(command.arg(r#"{"hbase_rpc":"127.0.0.1:1"}"#), "hbase_rpc")?;
/// assert_eq!(program.address(), "127.0.0.1:1");
/// assert!(Program::start(&mut Command::new("echo"), "hbase_rpc").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Program {
    process: Child,
    address: String,
}

impl Program {
    /// Starts a program, and waits for its ready line: JSON, whose field `field` has the address.
    ///
    /// See [`Program`] for an example.
    ///
    /// # Errors
    /// The program cannot be started, or prints another first line.
    pub fn start(command: &mut Command, field: &str) -> Result<Self, String> {
        let mut process =
            command.stdout(Stdio::piped()).spawn().map_err(|e| format!("{command:?}: {e}"))?;
        let mut ready = String::new();
        let read = process.stdout.take().map(|output| BufReader::new(output).read_line(&mut ready));
        let field = format!("\"{field}\"");
        let address = ready.split_once(&field).and_then(|(_, rest)| rest.split('"').nth(1));
        // If there is no address, the process is killed too.
        let program = Self { process, address: address.unwrap_or_default().to_owned() };
        match program.address.is_empty() {
            false => Ok(program),
            true => Err(format!("{command:?} printed {ready:?}, and not where it is: {read:?}")),
        }
    }

    /// The address in the ready line, `host:port`.
    ///
    /// See [`Program`] for an example.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The id of the process.
    ///
    /// ```
    /// use std::process::Command;
    /// use tallrow_bench::Program;
    ///
    /// let program = Program::start(Command::new("echo").arg(r#"{"zk":"h:1"}"#), "zk")?;
    /// assert_ne!(program.id(), std::process::id());
    /// # Ok::<(), String>(())
    /// ```
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The CPU time that the program has used so far; see [`cpu_time_of`].
    ///
    /// ```
    /// use std::process::Command;
    /// use tallrow_bench::Program;
    ///
    /// let program = Program::start(Command::new("echo").arg(r#"{"zk":"h:1"}"#), "zk")?;
    /// assert!(program.cpu_time() < std::time::Duration::from_secs(1_000));
    /// # Ok::<(), String>(())
    /// ```
    pub fn cpu_time(&self) -> Duration {
        cpu_time_of(self.id())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
