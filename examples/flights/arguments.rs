//! The command line.

use std::path::{Path, PathBuf};

pub(crate) const HELP: &str = "\
usage: flights [--csv PATH] [--url URL] [--concurrency N] [--keep] [--no-load]

  --csv PATH        the flights, as flights/fetch downloads them (the committed sample)
  --url URL         the cluster: mock:, hbase+zk://.., hbase+rpc://.., bigtable://.. (TALLROW_URL, else mock:)
  --concurrency N   concurrent batches of 100 rows, and concurrent questions (16)
  --keep            keep the tables at the end
  --no-load         only query tables that an earlier run with --keep loaded

Tables tallrow_flights, tallrow_flights_by_tail and tallrow_flights_by_airport are dropped and
created again. Exit codes: 0 every answer right, 1 one wrong or a failure, 2 wrong usage.
";

/// The request of the command line.
pub(crate) enum Request {
    Run(Arguments),
    Help,
}

/// The arguments of a run.
pub(crate) struct Arguments {
    pub(crate) csv: PathBuf,
    pub(crate) url: String,
    pub(crate) concurrency: usize,
    pub(crate) keep: bool,
    pub(crate) load: bool,
}

impl Arguments {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Request, String> {
        let mut arguments = Self {
            csv: Path::new(env!("CARGO_MANIFEST_DIR")).join("flights/sample.csv"),
            url: std::env::var("TALLROW_URL").unwrap_or("mock:".into()),
            concurrency: 16,
            keep: false,
            load: true,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--csv" => arguments.csv = value()?.into(),
                "--url" => arguments.url = value()?,
                "--concurrency" => arguments.concurrency = count(&word, &value()?)?,
                "--keep" => arguments.keep = true,
                "--no-load" => (arguments.load, arguments.keep) = (false, true),
                "--help" | "-h" => return Ok(Request::Help),
                _ => return Err(format!("{word:?} is not an argument of this program")),
            }
        }
        Ok(Request::Run(arguments))
    }
}

fn count(name: &str, text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=1_000).contains(&n) => Ok(n),
        _ => Err(format!("{name} is {text:?}; it must be a number from 1 to 1000")),
    }
}
