//! The program `tallrow-mock`.

use std::io::Write;
use std::net::IpAddr;
use std::process::ExitCode;
use std::str::FromStr;

use lexopt::Arg::{Long, Short, Value};
use tallrow_mock::MockCluster;
use tokio::signal::unix::{SignalKind, signal};

const HELP: &str = "\
tallrow-mock: a mock of HBase with ZooKeeper, and of Cloud Bigtable, by their protocols, in memory

usage: tallrow-mock [flags]

  --listen IP           address to listen on                     (default 127.0.0.1)
  --rpc-port PORT       bootstrap port; 0 for any free one       (default 0)
  --zk-port PORT        serve ZooKeeper too; 0 for any free port (default not served)
  --bigtable-port PORT  serve Bigtable too; 0 for any free port  (default not served)
  --torn-rows           send rows of Bigtable in pieces, by the seed
  --servers N           region servers, 1 to 1000, on free ports (default 2)
  --seed S              seed of the random decisions             (default 0)
  --authorization USERS check permissions, except of USERS: a,b  (default not checked)
  --help                print this help

When the cluster is ready, one line of JSON is printed on standard output, with \"hbase_zk\" and \"bigtable\" if they are served:
  {\"ready\":true,\"hbase_rpc\":\"127.0.0.1:40002\",\"hbase_zk\":\"127.0.0.1:40004\",\"bigtable\":\"127.0.0.1:40003\"}
Clients of HBase find it by hbase.zookeeper.quorum=127.0.0.1:40004, or by hbase_rpc as hbase.client.bootstrap.servers.
Clients of Bigtable find it by BIGTABLE_EMULATOR_HOST=127.0.0.1:40003; any project and instance are the same tables.
Exit status: 0 after SIGTERM or SIGINT, 1 if a port cannot be bound, 2 for a bad flag.

examples:
  tallrow-mock
  tallrow-mock --rpc-port 16000 --servers 3 --seed 7
  tallrow-mock --zk-port 2181
  tallrow-mock --bigtable-port 8086
  tallrow-mock --authorization admin
";

#[derive(Debug, PartialEq)]
struct Flags {
    listen: IpAddr,
    rpc_port: u16,
    zk_port: Option<u16>,
    bigtable_port: Option<u16>,
    torn_rows: bool,
    servers: usize,
    seed: u64,
    superusers: Option<Vec<String>>,
}

/// Reads the flags; returns `None` for `--help`.
fn flags(mut parser: lexopt::Parser) -> Result<Option<Flags>, String> {
    let listen = [127, 0, 0, 1].into();
    let mut flags = Flags {
        listen,
        rpc_port: 0,
        zk_port: None,
        bigtable_port: None,
        torn_rows: false,
        servers: 2,
        seed: 0,
        superusers: None,
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
            other => {
                let flag = match other {
                    Short(c) => format!("-{c}"),
                    Long(name) => format!("--{name}"),
                    Value(value) => value.to_string_lossy().into_owned(),
                };
                return Err(format!(
                    "unknown flag {flag}; the flags are --listen, --rpc-port, --zk-port, --bigtable-port, --torn-rows, --servers, --seed, --authorization, --help"
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

async fn serve(flags: Flags) -> std::io::Result<()> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
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
    let cluster = builder.start().await?;
    let mut out = std::io::stdout();
    let zookeeper = match cluster.zookeeper_address() {
        Some(at) => format!(",\"hbase_zk\":\"{at}\""),
        None => String::new(),
    };
    let bigtable = match cluster.bigtable_endpoint() {
        Some(at) => format!(",\"bigtable\":\"{at}\""),
        None => String::new(),
    };
    let rpc = cluster.rpc_address();
    writeln!(out, "{{\"ready\":true,\"hbase_rpc\":\"{rpc}\"{zookeeper}{bigtable}}}")?;
    out.flush()?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    cluster.shutdown().await;
    Ok(())
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
    let address = format!("{}:{}", flags.listen, flags.rpc_port);
    match serve(flags).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tallrow-mock: start on {address}: {error}");
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
        assert_eq!(
            error(&["--authorization", "a,,b"]),
            "--authorization a,,b: expected names of users"
        );
    }
}
