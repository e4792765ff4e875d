//! What the program does, from its start to the signal that ends it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::error::ProgramError;
use crate::control::{ControlPort, Scenario};
use crate::mock_cluster::{MockCluster, MockClusterBuilder};

/// What to do if a port is taken.
const FREE_PORTS: &str =
    "0 takes any free port: --rpc-port, --zk-port, --bigtable-port, --control-port";

/// The program, as its flags say.
#[derive(Clone, Debug)]
pub struct Program {
    /// What is set in the builder alone.
    pub(super) builder: MockClusterBuilder,
    pub(super) listen: IpAddr,
    pub(super) rpc_port: u16,
    pub(super) control_port: Option<u16>,
    pub(super) data: Option<PathBuf>,
    pub(super) load: Vec<PathBuf>,
    pub(super) dump: Option<PathBuf>,
    pub(super) scenario: Option<PathBuf>,
    pub(super) transcript: Option<PathBuf>,
}

impl Default for Program {
    /// The program without flags.
    fn default() -> Self {
        Self {
            builder: MockCluster::builder(),
            listen: Ipv4Addr::LOCALHOST.into(),
            rpc_port: 0,
            control_port: None,
            data: None,
            load: Vec::new(),
            dump: None,
            scenario: None,
            transcript: None,
        }
    }
}

/// The program from its ready line to its end.
#[derive(Debug)]
pub struct RunningProgram {
    program: Program,
    cluster: MockCluster,
    control: Option<ControlPort>,
    terminate: Signal,
    interrupt: Signal,
}

impl Program {
    /// Starts the cluster, and all that is served. `say` gets what a user should know, but what is
    /// no error: a record that was dropped, and ports that have changed.
    ///
    /// # Errors
    /// A port cannot be bound, a file cannot be read, or what it says is not possible.
    pub async fn start(self, say: impl Fn(&str)) -> Result<RunningProgram, ProgramError> {
        // Files are read first: nothing has happened yet if one of them is missing.
        let scenario = self.scenario.as_deref().map(scenario).transpose()?;
        let tables: Vec<String> =
            self.load.iter().map(|file| table_text(file)).collect::<Result<_, _>>()?;
        let terminate = watch(SignalKind::terminate())?;
        let interrupt = watch(SignalKind::interrupt())?;

        let mut builder = self.builder.clone().listen(self.listen).rpc_port(self.rpc_port);
        if let Some(folder) = &self.data {
            builder = builder.data(folder);
        }
        let cluster = builder.start().await.map_err(|error| self.not_started(error))?;
        if let Some(dropped) = cluster.dropped_data() {
            say(dropped);
        }
        for (file, text) in self.load.iter().zip(&tables) {
            cluster.load_tables(text).map_err(|error| unread_tables(file).caused_by(error))?;
        }
        if self.transcript.is_some() {
            cluster.record_transcript();
        }
        let control =
            match self.control_port {
                None => None,
                Some(port) => {
                    let at = SocketAddr::new(self.listen, port);
                    let served = cluster.serve_control(at).await;
                    Some(served.map_err(|error| {
                        of_start(format!("serve the control port on {at}"), error)
                    })?)
                }
            };
        for changed in cluster.changed_ports() {
            say(&changed.to_string());
        }
        if let Some(scenario) = scenario {
            let played = cluster.play(&scenario);
            played.map_err(|error| ProgramError::new("play the scenario").caused_by(error))?;
        }
        Ok(RunningProgram { program: self, cluster, control, terminate, interrupt })
    }

    fn not_started(&self, error: io::Error) -> ProgramError {
        let address = SocketAddr::new(self.listen, self.rpc_port);
        let attempt = match &self.data {
            None => format!("start the mock on {address}"),
            Some(folder) => {
                format!("start the mock on {address} with data in {}", folder.display())
            }
        };
        of_start(attempt, error)
    }
}

impl RunningProgram {
    /// The line that tells where the cluster is: an object of JSON, without the end of the line.
    pub fn ready_line(&self) -> String {
        let (cluster, control) = (&self.cluster, &self.control);
        let address = |at: SocketAddr| at.to_string();
        // The addresses come first: they are what clients of all kinds are told.
        let fields = [
            ("hbase_rpc", Some(address(cluster.rpc_address()))),
            ("hbase_zk", cluster.zookeeper_address().map(address)),
            ("bigtable", cluster.bigtable_address().map(address)),
            ("control", control.as_ref().map(|control| address(control.address()))),
            ("url", Some(cluster.url())),
            ("zookeeper_url", cluster.zookeeper_url()),
            ("bigtable_url", cluster.bigtable_url()),
            ("control_url", control.as_ref().map(ControlPort::url)),
        ];
        let mut line = "{\"ready\":true".to_owned();
        for (name, value) in fields {
            if let Some(value) = value {
                // Neither addresses nor URLs have a character that JSON escapes.
                line.push_str(&format!(",\"{name}\":\"{value}\""));
            }
        }
        line.push('}');
        line
    }

    /// Serves until SIGTERM or SIGINT, and then writes what is written at the end.
    ///
    /// # Errors
    /// The data cannot be kept any more, or a file cannot be written.
    pub async fn wait(mut self) -> Result<(), ProgramError> {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            error = self.cluster.wait_for_data_failure() => {
                return Err(ProgramError::new(error.to_string()));
            }
        }
        drop(self.control);
        self.cluster.shutdown().await;
        if let Some(file) = &self.program.dump {
            write(file, "tables", &self.cluster.dump_tables())?;
        }
        if let Some(file) = &self.program.transcript {
            write(file, "transcript", &self.cluster.transcript())?;
        }
        Ok(())
    }
}

fn watch(kind: SignalKind) -> Result<Signal, ProgramError> {
    signal(kind).map_err(|error| ProgramError::new("watch for signals").caused_by(error))
}

fn of_start(attempt: String, error: io::Error) -> ProgramError {
    let is_taken = error.kind() == io::ErrorKind::AddrInUse;
    let failed = ProgramError::new(attempt).caused_by(error);
    if is_taken { failed.advise(FREE_PORTS) } else { failed }
}

/// Reads a scenario.
fn scenario(file: &Path) -> Result<Scenario, ProgramError> {
    let failed = || ProgramError::new(format!("read the scenario {}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| failed().caused_by(error))?;
    Scenario::from_json(&text).map_err(|error| failed().caused_by(error))
}

fn unread_tables(file: &Path) -> ProgramError {
    ProgramError::new(format!("read the tables {}", file.display()))
}

/// Reads a file of tables.
fn table_text(file: &Path) -> Result<String, ProgramError> {
    std::fs::read_to_string(file).map_err(|error| unread_tables(file).caused_by(error))
}

fn write(file: &Path, what: &str, text: &str) -> Result<(), ProgramError> {
    std::fs::write(file, text).map_err(|error| {
        ProgramError::new(format!("write the {what} {}", file.display())).caused_by(error)
    })
}
