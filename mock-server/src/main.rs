//! The program `tallrow-mock`.

use std::io::Write;
use std::net::IpAddr;
use std::process::ExitCode;

use tallrow_mock::MockCluster;
use tokio::signal::unix::{SignalKind, signal};

const HELP: &str = "\
tallrow-mock: a mock HBase cluster that speaks HBase's own RPC, in memory

usage: tallrow-mock [flags]

  --listen IP      address to listen on                       (default 127.0.0.1)
  --rpc-port PORT  bootstrap port; 0 for any free one         (default 0)
  --servers N      region servers, 1 to 100, on free ports    (default 2)
  --seed S         seed of everything random                  (default 0)
  --help           print this and end

When it is ready it prints one line of JSON on standard output:
  {\"ready\":true,\"hbase_rpc\":\"127.0.0.1:40002\"}
SIGTERM and SIGINT end it with status 0; a bad flag ends it with status 2, a port that cannot be had with 1.

examples:
  tallrow-mock
  tallrow-mock --rpc-port 16000 --servers 3 --seed 7
";

#[derive(Debug, PartialEq)]
struct Flags {
    listen: IpAddr,
    rpc_port: u16,
    servers: usize,
    seed: u64,
}

/// Reads the flags; none when help was asked for.
fn flags(mut args: impl Iterator<Item = String>) -> Result<Option<Flags>, String> {
    let mut flags = Flags { listen: [127, 0, 0, 1].into(), rpc_port: 0, servers: 2, seed: 0 };
    while let Some(arg) = args.next() {
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (arg, None),
        };
        if matches!(name.as_str(), "--help" | "-h") {
            return Ok(None);
        }
        if !matches!(name.as_str(), "--listen" | "--rpc-port" | "--servers" | "--seed") {
            return Err(format!(
                "unknown flag {name}; the flags are --listen, --rpc-port, --servers, --seed, --help"
            ));
        }
        let value =
            inline.or_else(|| args.next()).ok_or_else(|| format!("{name} needs a value"))?;
        let bad = |wanted: &str| format!("{name} {value}: expected {wanted}");
        match name.as_str() {
            "--listen" => flags.listen = value.parse().map_err(|_| bad("an IP address"))?,
            "--rpc-port" => {
                flags.rpc_port = value.parse().map_err(|_| bad("a port, 0 to 65535"))?
            }
            "--servers" => {
                let servers = value.parse().ok().filter(|n| (1..=100).contains(n));
                flags.servers = servers.ok_or_else(|| bad("a number from 1 to 100"))?;
            }
            _ => flags.seed = value.parse().map_err(|_| bad("a number from 0 to 2^64 - 1"))?,
        }
    }
    Ok(Some(flags))
}

async fn serve(flags: Flags) -> std::io::Result<()> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let cluster = MockCluster::builder()
        .servers(flags.servers)
        .seed(flags.seed)
        .listen(flags.listen)
        .rpc_port(flags.rpc_port)
        .start()
        .await?;
    let mut out = std::io::stdout();
    writeln!(out, "{{\"ready\":true,\"hbase_rpc\":\"{}\"}}", cluster.hbase_rpc())?;
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
    let flags = match flags(std::env::args().skip(1)) {
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
        flags(args.iter().map(|a| (*a).to_owned()))
    }

    #[test]
    fn flags_have_defaults_and_two_forms() {
        let listen = [127, 0, 0, 1].into();
        let defaults = Flags { listen, rpc_port: 0, servers: 2, seed: 0 };
        assert_eq!(read(&[]).unwrap().unwrap(), defaults);
        let given = read(&["--rpc-port", "16000", "--servers=3", "--seed", "7"]).unwrap().unwrap();
        assert_eq!((given.rpc_port, given.servers, given.seed), (16000, 3, 7));
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
        assert_eq!(error(&["--servers=0"]), "--servers 0: expected a number from 1 to 100");
        assert_eq!(error(&["--seed"]), "--seed needs a value");
    }
}
