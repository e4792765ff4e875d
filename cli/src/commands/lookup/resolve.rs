//! The command `tallrow lookup resolve`.

use clap::Args;
use serde_json::json;
use tallrow::key::show;

use super::names::NameArguments;
use crate::failure::{Failure, Result};
use crate::files::lines::arguments_or_stdin_lines;
use crate::terminal::output::{Output, say};

const AFTER: &str = "\
A line for each name: the name, a tab and its id. A name without an id gets one, unless
--read-only is given.

Examples:
  tallrow lookup resolve names --kind host web01 web02
  tallrow lookup resolve tsdb-uid --kind metrics --width 3 --read-only sys.cpu.user
  tallrow lookup resolve names --kind host --ids 1 2";

/// The number of names or ids that are looked up at once.
const BATCH: usize = 1_000;

/// Show the ids of names, or the names of ids
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Resolve {
    #[command(flatten)]
    names: NameArguments,

    /// Give no id to a new name
    #[arg(long)]
    read_only: bool,

    /// Show the names of ids
    #[arg(long, conflicts_with = "read_only")]
    ids: bool,

    /// The names or ids; if none are given, each line of standard input is a name or id
    #[arg(value_name = "NAME")]
    given: Vec<String>,
}

impl Resolve {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let what = if self.ids { "ids" } else { "names" };
        let lookup = self.names.lookup(self.read_only || self.ids).await?;
        let mut given = arguments_or_stdin_lines(self.given, what);
        let mut missing = 0_u64;
        loop {
            let batch: Vec<_> = given.by_ref().take(BATCH).collect::<Result<_>>()?;
            if batch.is_empty() {
                break;
            }
            let mut ids = Vec::new();
            for item in batch.iter().filter(|_| self.ids) {
                ids.push(item.text.parse().map_err(|_| {
                    Failure::usage(format!(
                        "{}, {:?}: an id is a whole number",
                        item.place, item.text
                    ))
                })?);
            }
            let names = || batch.iter().map(|item| item.text.as_bytes());
            let pairs: Vec<(Option<u64>, Option<String>)> = if self.ids {
                let names = lookup.names(ids.iter().copied()).await.into_result()?;
                let name = |name| show::shell(name).to_string();
                let names = names.iter().map(|found| found.as_deref().map(name));
                ids.into_iter().map(Some).zip(names).collect()
            } else {
                let ids: Vec<_> = if self.read_only {
                    lookup.find_all(names()).await.into_result()?
                } else {
                    lookup
                        .get_or_create_all(names())
                        .await
                        .into_result()?
                        .into_iter()
                        .map(Some)
                        .collect()
                };
                ids.into_iter().zip(batch.iter().map(|item| Some(item.text.clone()))).collect()
            };
            for ((id, name), item) in pairs.into_iter().zip(&batch) {
                match (&id, &name) {
                    (Some(id), Some(name)) => {
                        let found = if self.ids { name.clone() } else { id.to_string() };
                        output.write_result(
                            format!("{}\t{found}", item.text),
                            || json!({ "name": name, "id": id }),
                        )?;
                    }
                    _ => {
                        missing += 1;
                        let lacks = if self.ids { "has no name" } else { "has no id" };
                        say(format!("tallrow: {}, {}: it {lacks}", item.place, item.text));
                        if output.is_json() {
                            output.write_result("", || json!({ "name": name, "id": id }))?;
                        }
                    }
                }
            }
        }
        match missing {
            0 => Ok(()),
            missing => Err(Failure::not_found(format!("{missing} {what} are not in the table"))),
        }
    }
}
