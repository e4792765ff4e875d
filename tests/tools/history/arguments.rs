//! The command line of `history`: on which cluster, for how long, with which delivery guarantees.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::delivery::DeliveryGuarantee;

const USAGE: &str = "usage: history --mock [--seeds N] [--first-seed N] [--ops N]
       history --real [--minutes N] [--runs N] [--servers N]
  --delivery NAME,..  at_most_once, at_least_once, idempotent; all of them, if not given
  --logs FOLDER       where the logs go
  --keep              keep the logs of legal histories too";

/// What to run.
pub(crate) struct Arguments {
    pub(crate) target: Target,
    pub(crate) deliveries: Vec<DeliveryGuarantee>,
    pub(crate) logs: PathBuf,
    pub(crate) keep: bool,
}

/// On which cluster, and for how long.
pub(crate) enum Target {
    Mock { seeds: Range<u64>, calls: u64 },
    Real { runs: u64, lasting: Duration, servers: u16 },
}

impl Arguments {
    /// The arguments of this process; none after `--help`.
    pub(crate) fn of_the_process() -> Result<Option<Self>, String> {
        let (mut mock, mut real, mut keep) = (false, false, false);
        let (mut seeds, mut first, mut calls) = (5, 1, 20_000);
        let (mut minutes, mut runs, mut servers) = (1.0, 1, 3);
        let mut deliveries = DeliveryGuarantee::NAMES.map(|(delivery, _)| delivery).to_vec();
        let mut logs = target_folder().join("history");
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n{USAGE}"));
            match word.as_str() {
                "--mock" => mock = true,
                "--real" => real = true,
                "--keep" => keep = true,
                "--seeds" => seeds = number(&word, &value()?)?,
                "--first-seed" => first = number(&word, &value()?)?,
                "--ops" => calls = number(&word, &value()?)?,
                "--minutes" => minutes = number(&word, &value()?)?,
                "--runs" => runs = number(&word, &value()?)?,
                "--servers" => servers = number(&word, &value()?)?,
                "--logs" => logs = value()?.into(),
                "--delivery" => {
                    let names = value()?;
                    deliveries = names.split(',').map(str::parse).collect::<Result<_, _>>()?;
                }
                "--help" => {
                    println!("{USAGE}");
                    return Ok(None);
                }
                _ => return Err(format!("unknown option {word:?}\n{USAGE}")),
            }
        }
        let target = match (mock, real) {
            (true, false) => Target::Mock { seeds: first..first + seeds, calls },
            (false, true) => {
                Target::Real { runs, lasting: Duration::from_secs_f64(minutes * 60.0), servers }
            }
            _ => return Err(format!("give either --mock or --real\n{USAGE}")),
        };
        Ok(Some(Self { target, deliveries, logs, keep }))
    }
}

fn number<T: std::str::FromStr>(option: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{option} takes a number, not {value:?}\n{USAGE}"))
}

/// The target folder of this program.
fn target_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.parent().and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
}
