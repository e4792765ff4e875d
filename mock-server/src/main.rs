//! The program `tallrow-mock`.

use std::fmt::Display;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use lexopt::Arg::{Long, Short, Value};
use tallrow_mock::{ControlPort, MockCluster, Scenario};
use tokio::signal::unix::{SignalKind, signal};

const HELP: &str = "\
tallrow-mock: a mock of HBase with ZooKeeper, and of Cloud Bigtable, by their protocols, in memory

usage: tallrow-mock [flags]

  --listen IP           address to listen on                     (default 127.0.0.1)
  --rpc-port PORT       bootstrap port; 0 for any free one       (default 0)
  --zk-port PORT        serve ZooKeeper too; 0 for any free port (default not served)
  --bigtable-port PORT  serve Bigtable too; 0 for any free port  (default not served)
  --control-port PORT   status page, faults and changes by HTTP  (default not served)
  --data DIR            keep the tables in DIR over restarts     (default in memory)
  --load FILE           create the tables of FILE; may be repeated (default none)
  --dump FILE           write all tables to FILE at the end      (default not written)
  --scenario FILE       inject the faults, make the changes of FILE (default none)
  --transcript FILE     write the transcript to FILE at the end  (default not written)
  --torn-rows           send rows of Bigtable in pieces, by the seed
  --servers N           region servers, 1 to 1000, on free ports (default 2)
  --seed S              seed of the random decisions             (default 0)
  --authorization USERS check permissions, except of USERS: a,b  (default not checked)
  --setting NAME=VALUE  a setting of the servers; may be repeated  (default none)
  --help                print this help

When the cluster is ready, one line of JSON is printed on standard output, with \"hbase_zk\", \"bigtable\" and \"control\" if they are served:
  {\"ready\":true,\"hbase_rpc\":\"127.0.0.1:40002\",\"hbase_zk\":\"127.0.0.1:40004\",\"bigtable\":\"127.0.0.1:40003\",\"control\":\"127.0.0.1:40005\"}
Clients of HBase find it by hbase.zookeeper.quorum=127.0.0.1:40004, or by hbase_rpc as hbase.client.bootstrap.servers.
Clients of Bigtable find it by BIGTABLE_EMULATOR_HOST=127.0.0.1:40003; any project and instance are the same tables.
Whoever reaches the control port controls the mock: http://127.0.0.1:40005 in a browser, and docs/mock-program.md for its JSON.
Exit status: 0 after SIGTERM or SIGINT, 1 if a port cannot be bound or a file cannot be read or written, 2 for a bad flag.

examples:
  tallrow-mock
  tallrow-mock --rpc-port 16000 --servers 3 --seed 7
  tallrow-mock --zk-port 2181
  tallrow-mock --bigtable-port 8086
  tallrow-mock --authorization admin
  tallrow-mock --load fixture.txt --dump after.txt
  tallrow-mock --data tables --rpc-port 16000
  tallrow-mock --control-port 8090 --scenario faults.json --transcript calls.txt
";

#[derive(Debug, PartialEq)]
struct Flags {
    listen: IpAddr,
    rpc_port: u16,
    zk_port: Option<u16>,
    bigtable_port: Option<u16>,
    control_port: Option<u16>,
    data: Option<PathBuf>,
    load: Vec<PathBuf>,
    dump: Option<PathBuf>,
    scenario: Option<PathBuf>,
    transcript: Option<PathBuf>,
    torn_rows: bool,
    servers: usize,
    seed: u64,
    superusers: Option<Vec<String>>,
    settings: Vec<Setting>,
}

/// Reads the flags; returns `None` for `--help`.
fn flags(mut parser: lexopt::Parser) -> Result<Option<Flags>, String> {
    let listen = [127, 0, 0, 1].into();
    let mut flags = Flags {
        listen,
        rpc_port: 0,
        zk_port: None,
        bigtable_port: None,
        control_port: None,
        data: None,
        load: Vec::new(),
        dump: None,
        scenario: None,
        transcript: None,
        torn_rows: false,
        servers: 2,
        seed: 0,
        superusers: None,
        settings: Vec::new(),
    };
    while let Some(arg) = parser.next().map_err(|e| e.to_string())? {
        match arg {
            Short('h') | Long("help") => return Ok(None),
            Long("listen") => flags.listen = value(&mut parser, "--listen", "an IP address")?,
            Long("rpc-port") => {
                flags.rpc_port = value(&mut parser, "--rpc-port", "a port, 0 to 65535")?;
            }
            Long("zk-port") => {
                flags.zk_port = Some(value(&mut parser, "--zk-port", "a port, 0 to 65535")?);
            }
            Long("bigtable-port") => {
                let port = value(&mut parser, "--bigtable-port", "a port, 0 to 65535")?;
                flags.bigtable_port = Some(port);
            }
            Long("control-port") => {
                let port = value(&mut parser, "--control-port", "a port, 0 to 65535")?;
                flags.control_port = Some(port);
            }
            Long("data") => flags.data = Some(path(&mut parser, "--data")?),
            Long("load") => flags.load.push(path(&mut parser, "--load")?),
            Long("dump") => flags.dump = Some(path(&mut parser, "--dump")?),
            Long("scenario") => flags.scenario = Some(path(&mut parser, "--scenario")?),
            Long("transcript") => flags.transcript = Some(path(&mut parser, "--transcript")?),
            Long("torn-rows") => flags.torn_rows = true,
            Long("servers") => {
                let Servers(servers) = value(&mut parser, "--servers", "a number from 1 to 1000")?;
                flags.servers = servers;
            }
            Long("seed") => {
                flags.seed = value(&mut parser, "--seed", "a number from 0 to 2^64 - 1")?
            }
            Long("authorization") => {
                let Names(users) = value(&mut parser, "--authorization", "names of users")?;
                flags.superusers = Some(users);
            }
            Long("setting") => {
                flags.settings.push(value(&mut parser, "--setting", "NAME=VALUE")?);
            }
            other => {
                let flag = match other {
                    Short(c) => format!("-{c}"),
                    Long(name) => format!("--{name}"),
                    Value(value) => value.to_string_lossy().into_owned(),
                };
                return Err(format!(
                    "unknown flag {flag}; the flags are --listen, --rpc-port, --zk-port, --bigtable-port, --control-port, --data, --load, --dump, --scenario, --transcript, --torn-rows, --servers, --seed, --authorization, --setting, --help"
                ));
            }
        }
    }
    Ok(Some(flags))
}

/// Reads the value of a flag.
fn value<T: FromStr>(parser: &mut lexopt::Parser, flag: &str, expected: &str) -> Result<T, String> {
    let value = parser.value().map_err(|_| format!("{flag} needs a value"))?;
    let value = value.to_string_lossy();
    value.parse().map_err(|_| format!("{flag} {value}: expected {expected}"))
}

/// Reads the path of a file.
fn path(parser: &mut lexopt::Parser, flag: &str) -> Result<PathBuf, String> {
    parser.value().map(PathBuf::from).map_err(|_| format!("{flag} needs a value"))
}

/// A number of region servers.
struct Servers(usize);

impl FromStr for Servers {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().ok().filter(|n| (1..=1000).contains(n)).map(Self).ok_or(())
    }
}

/// Names that are separated by commas.
struct Names(Vec<String>);

impl FromStr for Names {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) { Err(()) } else { Ok(Self(names)) }
    }
}

/// A setting of the servers: its name and its value.
#[derive(Debug, PartialEq)]
struct Setting(String, String);

impl FromStr for Setting {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (name, value) = text.split_once('=').ok_or(())?;
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

/// Reads a scenario.
fn scenario(file: &Path) -> Result<Scenario, String> {
    let failed = |error: &dyn Display| format!("read the scenario {}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    Scenario::from_json(&text).map_err(|error| failed(&error))
}

/// Reads the files of tables.
fn table_texts(files: &[PathBuf]) -> Result<Vec<String>, String> {
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file);
        text.map_err(|error| format!("read the tables {}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}

async fn serve(flags: Flags) -> Result<(), String> {
    let address = match &flags.data {
        None => format!("{}:{}", flags.listen, flags.rpc_port),
        Some(folder) => {
            format!("{}:{} with data in {}", flags.listen, flags.rpc_port, folder.display())
        }
    };
    let failed = |error: std::io::Error| format!("start on {address}: {error}");
    let scenario = flags.scenario.as_deref().map(scenario).transpose()?;
    let tables = table_texts(&flags.load)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut builder = MockCluster::builder()
        .servers(flags.servers)
        .seed(flags.seed)
        .listen(flags.listen)
        .rpc_port(flags.rpc_port);
    if let Some(port) = flags.zk_port {
        builder = builder.zookeeper_port(port);
    }
    if let Some(port) = flags.bigtable_port {
        builder = builder.bigtable_port(port);
    }
    if flags.torn_rows {
        builder = builder.torn_rows();
    }
    if let Some(superusers) = flags.superusers {
        builder = builder.authorization(superusers);
    }
    for Setting(name, value) in &flags.settings {
        builder = builder.setting(name, value);
    }
    if let Some(folder) = &flags.data {
        builder = builder.data(folder);
    }
    let cluster = builder.start().await.map_err(failed)?;
    if let Some(dropped) = cluster.dropped_data() {
        eprintln!("tallrow-mock: {dropped}");
    }
    for (file, text) in flags.load.iter().zip(&tables) {
        let loaded = cluster.load_tables(text);
        loaded.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    drop(tables);
    if flags.transcript.is_some() {
        cluster.record_transcript();
    }
    let control = match flags.control_port {
        None => None,
        Some(port) => {
            let at = SocketAddr::new(flags.listen, port);
            let served = cluster.serve_control(at).await;
            Some(served.map_err(|error| format!("serve the control port on {at}: {error}"))?)
        }
    };
    for changed in cluster.changed_ports() {
        eprintln!("tallrow-mock: {changed}");
    }
    if let Some(scenario) = scenario {
        cluster.play(&scenario).map_err(|error| format!("play the scenario: {error}"))?;
    }
    print_ready_line(&cluster, control.as_ref())
        .map_err(|error| format!("print the ready line: {error}"))?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        error = cluster.wait_for_data_failure() => return Err(error.to_string()),
    }
    drop(control);
    cluster.shutdown().await;
    if let Some(file) = flags.dump {
        let written = std::fs::write(&file, cluster.dump_tables());
        written.map_err(|error| format!("write the tables {}: {error}", file.display()))?;
    }
    if let Some(file) = flags.transcript {
        let written = std::fs::write(&file, cluster.transcript());
        written.map_err(|error| format!("write the transcript {}: {error}", file.display()))?;
    }
    Ok(())
}

/// Prints where the cluster is.
fn print_ready_line(cluster: &MockCluster, control: Option<&ControlPort>) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let zookeeper = match cluster.zookeeper_address() {
        Some(at) => format!(",\"hbase_zk\":\"{at}\""),
        None => String::new(),
    };
    let bigtable = match cluster.bigtable_address() {
        Some(at) => format!(",\"bigtable\":\"{at}\""),
        None => String::new(),
    };
    let control = match control {
        Some(control) => format!(",\"control\":\"{}\"", control.address()),
        None => String::new(),
    };
    let rpc = cluster.rpc_address();
    writeln!(out, "{{\"ready\":true,\"hbase_rpc\":\"{rpc}\"{zookeeper}{bigtable}{control}}}")?;
    out.flush()
}

#[tokio::main]
async fn main() -> ExitCode {
    let flags = match flags(lexopt::Parser::from_env()) {
        Ok(Some(flags)) => flags,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("tallrow-mock: {error}");
            return ExitCode::from(2);
        }
    };
    match serve(flags).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tallrow-mock: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Option<Flags>, String> {
        flags(lexopt::Parser::from_args(args))
    }

    #[test]
    fn flags_have_defaults_and_two_forms() {
        let listen = [127, 0, 0, 1].into();
        let defaults = read(&[]).unwrap().unwrap();
        assert_eq!((defaults.listen, defaults.rpc_port, defaults.servers), (listen, 0, 2));
        assert_eq!((defaults.seed, defaults.bigtable_port, defaults.torn_rows), (0, None, false));
        assert_eq!(defaults.superusers, None);
        assert_eq!(defaults.zk_port, None);
        let given = read(&["--rpc-port", "16000", "--servers=3", "--seed", "7"]).unwrap().unwrap();
        assert_eq!((given.rpc_port, given.servers, given.seed), (16000, 3, 7));
        let given = read(&["--authorization", "admin,hbase"]).unwrap().unwrap();
        assert_eq!(given.superusers, Some(vec!["admin".to_owned(), "hbase".to_owned()]));
        let given = read(&["--control-port", "0", "--scenario=s.json"]).unwrap().unwrap();
        assert_eq!((given.control_port, given.transcript), (Some(0), None));
        assert_eq!(given.scenario, Some("s.json".into()));
        let given = read(&["--load", "a", "--load=b", "--dump", "c"]).unwrap().unwrap();
        let kept = read(&["--data", "d"]).unwrap().unwrap();
        assert_eq!(kept.data, Some("d".into()));
        assert_eq!((given.load, given.dump), (vec!["a".into(), "b".into()], Some("c".into())));
        let given = read(&["--setting", "a=b=c", "--setting=d="]).unwrap().unwrap();
        let setting = |name: &str, value: &str| Setting(name.to_owned(), value.to_owned());
        assert_eq!(given.settings, [setting("a", "b=c"), setting("d", "")]);
        assert_eq!(read(&["--servers", "3", "--help"]).unwrap(), None);
    }

    #[test]
    fn bad_flags_say_what_was_expected() {
        let error = |args: &[&str]| read(args).unwrap_err();
        assert!(error(&["--port", "1"]).starts_with("unknown flag --port; the flags are"));
        assert_eq!(
            error(&["--rpc-port", "70000"]),
            "--rpc-port 70000: expected a port, 0 to 65535"
        );
        assert_eq!(error(&["--servers=0"]), "--servers 0: expected a number from 1 to 1000");
        assert_eq!(
            error(&["--bigtable-port", "none"]),
            "--bigtable-port none: expected a port, 0 to 65535"
        );
        assert_eq!(error(&["--seed"]), "--seed needs a value");
        assert_eq!(error(&["--setting", "a"]), "--setting a: expected NAME=VALUE");
        assert_eq!(error(&["--scenario"]), "--scenario needs a value");
        assert_eq!(
            error(&["--authorization", "a,,b"]),
            "--authorization a,,b: expected names of users"
        );
    }
}
