//! The command `tallrow lookup fsck`.

use clap::Args;
use serde_json::json;
use tallrow::lookup::RepairOutcome;

use super::names::NameArguments;
use crate::failure::{Failure, Result};
use crate::terminal::confirm::Confirm;
use crate::terminal::output::{Output, count_with_noun, say};

const AFTER: &str = "\
Reads the whole table, and compares each name with its id and each id with its name; writers need
not stop. Exit code 3 if anything is wrong and was not repaired.

Examples:
  tallrow lookup fsck names --kind host
  tallrow lookup fsck names --kind host --repair --yes";

/// Compare the two directions of a lookup table
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Fsck {
    #[command(flatten)]
    names: NameArguments,

    /// Repair what is found, as far as nobody has to decide
    #[arg(long)]
    repair: bool,

    #[command(flatten)]
    confirm: Confirm,
}

impl Fsck {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let lookup = self.names.lookup(!self.repair).await?;
        let report = lookup.fsck().await?;
        let place = self.names.place();
        let summary = format!(
            "{place}: {}, {} with a name, counter {}, {}",
            count_with_noun(report.names_with_id, "name"),
            count_with_noun(report.ids_with_name, "id"),
            report.counter,
            count_with_noun(report.findings.len() as u64, "finding"),
        );
        let repairs = if self.repair && !report.findings.is_empty() {
            for finding in report.findings.iter().filter(|_| !self.confirm.is_given()) {
                say(finding.to_string());
            }
            self.confirm.ask(&format!("repair {place}"))?;
            let repairs = lookup.repair(&report.findings).await;
            repairs.into_iter().map(Some).collect()
        } else {
            report.findings.iter().map(|_| None).collect::<Vec<_>>()
        };
        let (mut left, mut failure) = (0_u64, None);
        for (finding, repair) in report.findings.iter().zip(repairs) {
            let done = match repair {
                None => "found",
                Some(Ok(RepairOutcome::Repaired)) => "repaired",
                Some(Ok(RepairOutcome::NeedsDecision)) => "needs a decision",
                Some(Err(error)) => {
                    failure = Some(error);
                    "failed"
                }
            };
            left += u64::from(done != "repaired");
            output.write_result(
                format!("{done}\t{finding}"),
                || json!({ "finding": finding.to_string(), "result": done }),
            )?;
        }
        say(summary);
        match (failure, left) {
            (Some(error), _) => {
                Err(Failure::from(error).advise("the same command goes on with what is left"))
            }
            (None, 0) => Ok(()),
            (None, left) => {
                let failure = Failure::not_found(format!(
                    "{} in {place} not repaired",
                    count_with_noun(left, "finding")
                ));
                Err(if self.repair {
                    failure.advise(
                        "`tallrow table get` and `table delete` work on its rows one by one",
                    )
                } else {
                    failure.advise("--repair repairs all but what somebody has to decide")
                })
            }
        }
    }
}
