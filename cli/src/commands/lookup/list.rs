//! The command `tallrow lookup list`.

use clap::Args;
use serde_json::json;
use tallrow::Scan;
use tallrow::key::show;

use crate::cluster::connection::ConnectionArguments;
use crate::cluster::tables;
use crate::failure::{Failure, Result};
use crate::terminal::output::{Output, count_with_noun, say};
use crate::terminal::progress::Interrupt;

const AFTER: &str = "\
A line for each name, in the order of the names: its kind, its id and the name, with tabs between.
The names are written as in the HBase shell.

Examples:
  tallrow lookup list names
  tallrow lookup list tsdb-uid --kind metrics --prefix sys.cpu";

/// The key of the row with the counters, which is not a name.
const COUNTER_ROW: &[u8] = &[0];

/// Show names and their ids
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ListNames {
    /// The table, with the families id and name
    table: String,

    /// Only names of this kind
    #[arg(long)]
    kind: Option<String>,

    /// Only names that start with this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl ListNames {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let scan = Scan::prefix(&self.prefix);
        let scan = match &self.kind {
            Some(kind) => scan.column("id", kind),
            None => scan.family("id"),
        };
        let mut rows = client.raw_table(&*self.table)?.scan(scan)?;
        let (mut count, mut interrupt) = (0_u64, Interrupt::new()?);
        loop {
            let Some(row) = interrupt.run_until_pressed(rows.next_row()).await else {
                let text = format!("stopped by Ctrl-C after {}", count_with_noun(count, "name"));
                return Err(Failure::interrupted(text));
            };
            let Some(row) = tables::suggest_similar_table(&client, &self.table, row).await? else {
                break;
            };
            if row.key() == COUNTER_ROW {
                continue;
            }
            let name = show::shell(row.key()).to_string();
            for cell in row.cells() {
                let kind = show::shell(cell.qualifier()).to_string();
                let id = match cell.value() {
                    id if (1..=8).contains(&id.len()) => {
                        id.iter().fold(0, |id, byte| id << 8 | u64::from(*byte))
                    }
                    id => {
                        let text =
                            format!("{name}: the id of {kind} has {} bytes, not 1 to 8", id.len());
                        return Err(
                            Failure::new(text).advise("`tallrow lookup fsck` looks at all ids")
                        );
                    }
                };
                output.write_result(
                    format!("{kind}\t{id}\t{name}"),
                    || json!({ "kind": kind, "id": id, "name": name }),
                )?;
                count += 1;
            }
        }
        say(count_with_noun(count, "name"));
        Ok(())
    }
}
