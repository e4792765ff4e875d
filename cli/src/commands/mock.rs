//! The command `tallrow mock`.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tallrow_mock::{ControlPort, MockCluster, Scenario};
use tokio::signal::unix::{SignalKind, signal};

use crate::cluster::connection::block_on;
use crate::failure::{Failure, Result};
use crate::terminal::output::{Output, say};
use crate::terminal::progress::Interrupt;

const AFTER: &str = "\
When the cluster is ready, one line of JSON is printed. The exit code is 0 after Ctrl-C.

Examples:
  tallrow mock
  tallrow mock --rpc-port 16000 --servers 3 --seed 7
  tallrow mock --zk-port 2181
  tallrow mock --bigtable-port 8086
  tallrow mock --load fixture.txt --dump after.txt
  tallrow mock --data tables --rpc-port 16000
  tallrow mock --control-port 8090 --scenario faults.json --transcript calls.txt";

/// Run a mock HBase cluster in memory, until Ctrl-C
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Mock {
    /// Address to listen on
    #[arg(
        long,
        value_name = "IP",
        default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
        value_parser = listen,
    )]
    listen: IpAddr,

    /// Bootstrap port; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    rpc_port: u16,

    /// Serve ZooKeeper too, on this port; 0 for any free one
    #[arg(long, value_name = "PORT")]
    zk_port: Option<u16>,

    /// Serve Bigtable too, on this port; 0 for any free one
    #[arg(long, value_name = "PORT")]
    bigtable_port: Option<u16>,

    /// Serve a status page, faults and changes by HTTP, on this port; 0 for any free one
    #[arg(long, value_name = "PORT")]
    control_port: Option<u16>,

    /// Keep the tables in this directory over restarts
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Create the tables of this file; may be repeated
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,

    /// Write all tables to this file, at the end
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,

    /// Inject the faults and make the changes of this file
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,

    /// Write the transcript of all calls to this file, at the end
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    /// Region servers, on free ports
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        value_parser = clap::value_parser!(u16).range(1..=1000),
    )]
    servers: u16,

    /// Seed of the random decisions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Parses the IP address of this machine on which the servers listen, with or without brackets.
fn listen(text: &str) -> std::result::Result<IpAddr, String> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    if let Ok(ip) = bare.parse() {
        return Ok(ip);
    }
    Err(match text.parse::<SocketAddr>() {
        Ok(address) => {
            format!("it has a port: write --listen {} --rpc-port {}", address.ip(), address.port())
        }
        Err(_) if text == "localhost" => "write 127.0.0.1, or ::1".into(),
        Err(_) => "it is not an IP address; write one of this machine, as 127.0.0.1, ::1, or \
                   0.0.0.0 for all"
            .into(),
    })
}

/// Reads the file of a scenario.
fn read_scenario(file: &Path) -> Result<Scenario> {
    let failed = || Failure::new(format!("read the scenario {}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| failed().caused_by(error))?;
    Scenario::from_json(&text).map_err(|error| failed().caused_by(error))
}

/// Creates the tables of files.
fn load_tables(cluster: &MockCluster, files: &[PathBuf]) -> Result<()> {
    for file in files {
        let failed = || Failure::new(format!("read the tables {}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| failed().caused_by(error))?;
        cluster.load_tables(&text).map_err(|error| failed().caused_by(error))?;
    }
    Ok(())
}

/// Opens the control port.
async fn serve_control(cluster: &MockCluster, ip: IpAddr, port: u16) -> Result<ControlPort> {
    let address = SocketAddr::new(ip, port);
    cluster.serve_control(address).await.map_err(|error| {
        Failure::new(format!("serve the control port on {address}"))
            .caused_by(error)
            .advise("0 takes any free port: --control-port 0")
    })
}

impl Mock {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(async {
            let address = SocketAddr::new(self.listen, self.rpc_port);
            let failed =
                |error| Failure::new(format!("start a mock cluster on {address}")).caused_by(error);
            let scenario = self.scenario.as_deref().map(read_scenario).transpose()?;
            let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
            let mut interrupt = Interrupt::new()?;
            let mut builder = MockCluster::builder()
                .servers(self.servers.into())
                .seed(self.seed)
                .listen(self.listen)
                .rpc_port(self.rpc_port);
            if let Some(port) = self.zk_port {
                builder = builder.zookeeper_port(port);
            }
            if let Some(port) = self.bigtable_port {
                builder = builder.bigtable_port(port);
            }
            if let Some(folder) = &self.data {
                builder = builder.data(folder);
            }
            let started = builder.start().await;
            let cluster = started.map_err(|error| match error.kind() {
                ErrorKind::AddrInUse => failed(error)
                    .advise("0 takes any free port: --rpc-port, --zk-port, --bigtable-port"),
                _ => failed(error),
            })?;
            if let Some(dropped) = cluster.dropped_data() {
                say(dropped);
            }
            load_tables(&cluster, &self.load)?;
            if self.transcript.is_some() {
                cluster.record_transcript();
            }
            let control = match self.control_port {
                None => None,
                Some(port) => Some(serve_control(&cluster, self.listen, port).await?),
            };
            for changed in cluster.changed_ports() {
                say(changed.to_string());
            }
            if let Some(scenario) = scenario {
                let played = cluster.play(&scenario);
                played.map_err(|error| Failure::new("play the scenario").caused_by(error))?;
            }
            let mut ready = json!({
                "ready": true,
                "hbase_rpc": cluster.rpc_address().to_string(),
                "url": cluster.url(),
            });
            let zookeeper = cluster.zookeeper_address().zip(cluster.zookeeper_url());
            if let (Some((at, url)), Some(ready)) = (zookeeper, ready.as_object_mut()) {
                ready.insert("hbase_zk".into(), at.to_string().into());
                ready.insert("zookeeper_url".into(), url.into());
            }
            let bigtable = cluster.bigtable_address().zip(cluster.bigtable_url());
            if let (Some((at, url)), Some(ready)) = (bigtable, ready.as_object_mut()) {
                ready.insert("bigtable".into(), at.to_string().into());
                ready.insert("bigtable_url".into(), url.into());
            }
            if let (Some(control), Some(ready)) = (&control, ready.as_object_mut()) {
                ready.insert("control".into(), control.address().to_string().into());
                ready.insert("control_url".into(), control.url().into());
            }
            output.write_text(&format!("{ready}\n"))?;
            tokio::select! {
                _ = terminate.recv() => {}
                () = interrupt.wait() => {}
                error = cluster.wait_for_data_failure() => {
                    return Err(Failure::new("run a mock cluster").caused_by(error));
                }
            }
            drop(control);
            cluster.shutdown().await;
            if let Some(file) = &self.dump {
                std::fs::write(file, cluster.dump_tables()).map_err(|error| {
                    Failure::new(format!("write the tables {}", file.display())).caused_by(error)
                })?;
            }
            match &self.transcript {
                None => Ok(()),
                Some(file) => std::fs::write(file, cluster.transcript()).map_err(|error| {
                    Failure::new(format!("write the transcript {}", file.display()))
                        .caused_by(error)
                }),
            }
        })
    }
}
