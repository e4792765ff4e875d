//! The options of the program `clients`, and its help text.

use std::path::PathBuf;

pub(crate) const HELP: &str = "clients: the stages of `load` through several clients, in turns, on one or several servers

  --on LIST        hbase: the cluster of tests/servers/hbase/cluster;         (hbase)
                   hbase-mock: tallrow-mock as a cluster of HBase;
                   mock, emulator: tallrow-mock or Google's emulator
                   of Bigtable; these are started and ended by this
                   program;
                   plain, authentication, integrity, privacy, aes: the
                   cluster of tests/servers/hbase/secured, by which
                   protection; then the tables have a line for each
  --clients LIST   tallrow, java, gohbase; on Bigtable tallrow and    (tallrow,java)
                   google-go, Google's client for Go
  --conc LIST      concurrent operations, each a section              (64)
  --ops LIST       put,get,get1,inc,batchput,batchget,writer,scan     (all of them)
  --n N            operations of the large stages                     (100000)
  --value BYTES    size of a value                                    (100)
  --rounds N       how often each client runs                         (5)
  --flush TIME     how long gohbase waits for more operations; its    (200us)
                   default is 20ms
  --sweep FILE     instead: gets through the first client with 1, 2, 4 .. 4096 in flight, drawn as SVG

Prints Markdown: the medians of each client on each server, the CPU time of the servers for an operation, and the ratios of the
first to the best other one. The lines of all runs go to stderr.

  eval \"$(tests/servers/hbase/cluster up 2)\"
  cargo build --release -p tallrow-bench --bins --features chart
  target/release/clients --clients tallrow,java,gohbase > clients.md 2> lines.txt
  target/release/clients --sweep sweep.svg
  cargo build --release -p tallrow-bench -p tallrow-mock --bins --features tallrow-bench/chart,tallrow-bench/bigtable,tallrow-mock/control
  target/release/clients --on emulator --clients tallrow,google-go
  target/release/clients --on mock,emulator --clients google-go
  target/release/clients --on hbase-mock,hbase --clients java
  eval \"$(TALLROW_REAL_SITE=$PWD/bench/clients/simple.xml tests/servers/hbase/secured up authentication,integrity,privacy 2)\"
  cargo build --release -p tallrow-bench --bins --features chart,kerberos
  target/release/clients --on plain,authentication,integrity,privacy,aes --ops put,get";

/// The stages, in the order in which they run.
const STAGES: &str = "put,get,get1,inc,batchput,batchget,writer,scan";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) servers: Vec<String>,
    pub(crate) clients: Vec<String>,
    pub(crate) concurrency: Vec<u64>,
    pub(crate) stages: Vec<String>,
    pub(crate) count: u64,
    pub(crate) value: u64,
    pub(crate) rounds: usize,
    pub(crate) flush: String,
    pub(crate) sweep: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut options = Self {
            servers: list("hbase"),
            clients: list("tallrow,java"),
            concurrency: vec![64],
            stages: list(STAGES),
            count: 100_000,
            value: 100,
            rounds: 5,
            flush: "200us".into(),
            sweep: None,
        };
        while let Some(flag) = args.next() {
            let value = args.next().ok_or_else(|| format!("{flag} needs a value; see --help"))?;
            let number =
                |text: &str| text.parse::<u64>().map_err(|e| format!("{flag} {text:?}: {e}"));
            match flag.as_str() {
                "--on" => options.servers = list(&value),
                "--clients" => options.clients = list(&value),
                "--conc" => {
                    options.concurrency = value.split(',').map(number).collect::<Result<_, _>>()?;
                }
                "--ops" => options.stages = list(&value),
                "--n" => options.count = number(&value)?.max(1000),
                "--value" => options.value = number(&value)?,
                "--rounds" => options.rounds = number(&value)?.max(1) as usize,
                "--flush" => options.flush = value,
                "--sweep" => options.sweep = Some(value.into()),
                _ => return Err(format!("unknown flag {flag}; see --help")),
            }
        }
        Ok(options)
    }
}
