//! The command `tallrow copy`.

mod batch;
mod compare;
mod definition;
mod fit;
mod run;
mod side;
mod state;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::Scan;
use tallrow::key::show;

use self::compare::{Comparison, MAX_DIFFERENCES};
use self::definition::{TargetTable, create, examine};
use self::fit::FitCheck;
use self::run::{CopySettings, all_cells, copy};
use self::side::CopyEndpoint;
use self::state::CopyState;
use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::failure::{Failure, Result};
use crate::files::state_file::StateFile;
use crate::keys::layouts::OtherLayoutFlag;
use crate::terminal::output::{Output, count_with_noun, say};
use crate::terminal::progress::{Interrupt, Progress};

const AFTER: &str = "\
All versions of all cells are copied, each with its time. A table that is not there is created
with the families, what they keep, and the split keys of the one that is copied. What the other
store cannot hold ends the copy with an error that names the row.

How far the copy came is in TABLE.TO_TABLE.copy, or what --state says, until it is done. After a
crash, Ctrl-C or an error, the same command goes on where it stopped. Rows that change in the
meantime are as they are found: --verify-only shows which are not the same.

Examples:
  tallrow copy events --url hbase+zk://localhost:2181 --to bigtable://project/instance --verify
  tallrow copy events --url bigtable://project/instance --to hbase+zk://zk1 --to-table shop:events
  tallrow copy events --to hbase+zk://other:2181 --dry-run
  tallrow copy events --to bigtable://project/instance --verify-only";

/// Copy a table to another cluster, or to or from Bigtable; can be stopped and resumed at any
/// moment
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CopyTable {
    /// The table
    table: String,

    /// The cluster that it is copied to: an address as of --url, of HBase or of Bigtable
    #[arg(long, value_name = "URL")]
    to: String,

    /// The name of the copy; by default that of the table
    #[arg(long, value_name = "TABLE")]
    to_table: Option<String>,

    /// Compare all cells of both tables when the copy is done; exit code 3 if they differ
    #[arg(long)]
    verify: bool,

    /// Compare all cells of both tables, and write nothing
    #[arg(long, conflicts_with_all = ["verify", "dry_run", "restart", "merge", "raw"])]
    verify_only: bool,

    /// Read all rows, and write nothing
    #[arg(long, conflicts_with = "verify")]
    dry_run: bool,

    /// Write into a table that has rows already; a cell with the same column and time is
    /// overwritten
    #[arg(long)]
    merge: bool,

    #[command(flatten)]
    other_layout: OtherLayoutFlag,

    /// Copy delete markers too, and the cells that they hide; between HBase clusters only
    #[arg(long)]
    raw: bool,

    /// Copy all rows, although some were copied before
    #[arg(long)]
    restart: bool,

    /// The file that says how far the copy came
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// How many rows are written at once, or a megabyte
    #[arg(
        long,
        value_name = "ROWS",
        default_value_t = 500,
        value_parser = clap::value_parser!(u64).range(1..=100_000),
    )]
    batch: u64,

    /// How many regions are copied at the same time
    #[arg(
        long,
        value_name = "REGIONS",
        default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    concurrency: u16,

    /// After how many rows the state is saved
    #[arg(
        long,
        value_name = "ROWS",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    save_every: u64,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl CopyTable {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(async {
            let name = self.to_table.as_deref().unwrap_or(&self.table);
            let from = CopyEndpoint::connect(&self.connection, &self.table).await?;
            let to = CopyEndpoint::connect(&self.connection.for_url(&self.to), name).await?;
            if (&from.place, &from.name) == (&to.place, &to.name) {
                let text = format!("{} would be copied to itself", from.display_name());
                return Err(Failure::usage(text).advise("--to-table NAME names the copy"));
            }
            let sides = (&from, &to);
            match (self.verify_only, self.dry_run) {
                (true, _) => self.compare(sides, None, output).await,
                (_, true) => self.read_all(sides, output).await,
                _ => {
                    let state = self.copy(sides).await?;
                    let (rows, cells) = (state.rows(), state.cells());
                    let text = format!(
                        "copied {} with {} to {}",
                        count_with_noun(rows, "row"),
                        count_with_noun(cells, "cell"),
                        to.display_name()
                    );
                    if self.verify {
                        say(text);
                        return self.compare(sides, Some(&state), output).await;
                    }
                    output.write_summary(
                        text,
                        || json!({ "table": self.table, "rows": rows, "cells": cells }),
                    )
                }
            }
        })
    }

    async fn copy(&self, (from, to): (&CopyEndpoint, &CopyEndpoint)) -> Result<CopyState> {
        let path = self.state.clone().unwrap_or_else(|| CopyState::path(from, to));
        let (mut file, found) = StateFile::open::<CopyState>(path.clone())?;
        let arguments = vec![from.display_name(), to.display_name(), format!("raw: {}", self.raw)];
        if let Some(state) = &found {
            state.check(&arguments, &path)?;
        }
        match (examine(from, to, self.other_layout).await?, &found) {
            (TargetTable::Missing(_), Some(state)) if state.rows() > 0 && !self.restart => {
                return Err(Failure::not_found(format!(
                    "{} is not there any more, and {} of the copy that was begun were in it",
                    to.display_name(),
                    count_with_noun(state.rows(), "row")
                ))
                .advise("--restart copies all rows again"));
            }
            (TargetTable::Missing(definition), _) => create(to, &definition).await?,
            (TargetTable::Exists { first_row: Some(row) }, None) if !self.merge => {
                return Err(Failure::new(format!(
                    "{} has rows already, such as {}",
                    to.display_name(),
                    show::shell(&row)
                ))
                .advise(
                    "--merge writes into it, --to-table NAME into another table, --verify-only \
                     compares; nothing was written",
                ));
            }
            (TargetTable::Exists { .. }, _) => {}
        }
        let state = match found.filter(|_| !self.restart) {
            Some(state) => {
                say(format!("going on after {}", count_with_noun(state.rows(), "row")));
                state
            }
            None => {
                let region_count = from.client.region_locator(&*from.name)?.all_regions().await?;
                let state = CopyState::new(arguments, &region_count);
                file.save(&state)?;
                state
            }
        };
        let settings = CopySettings {
            concurrency: self.concurrency.into(),
            batch_rows: self.batch,
            save_every: self.save_every,
        };
        copy((from, to), self.raw, &settings, (file, state)).await
    }

    /// Compares both tables, and writes the differences. `copied` is the state of the copy that was
    /// made just before, if any.
    async fn compare(
        &self,
        sides: (&CopyEndpoint, &CopyEndpoint),
        copied: Option<&CopyState>,
        output: &mut Output,
    ) -> Result<()> {
        let (mut progress, mut interrupt) = (Progress::new(0), Interrupt::new()?);
        let mut seen = |rows| progress.report(rows, None);
        let compared = Comparison::of(sides, self.concurrency.into(), &mut seen);
        let Some(compared) = interrupt.run_until_pressed(compared).await else {
            return Err(Failure::interrupted("the comparison was stopped by Ctrl-C")
                .advise("--verify-only begins it again"));
        };
        let Comparison { rows, different, differences } = compared?;
        progress.report_end(rows);
        for difference in &differences {
            let (row, what) = (show::shell(&difference.row).to_string(), &difference.what);
            output.write_result(
                format!("{row}\t{what}"),
                || json!({ "row": row, "difference": what }),
            )?;
        }
        if output.is_json() {
            let cells = copied.map(CopyState::cells);
            let copied = copied.map(CopyState::rows);
            let counts = json!({
                "table": self.table,
                "rows": copied,
                "cells": cells,
                "compared": rows,
                "different": different,
            });
            output.write_result("", || counts)?;
        }
        let (from, to) = (sides.0.display_name(), sides.1.display_name());
        if different == 0 {
            say(format!("{} compared: {from} and {to} are the same", count_with_noun(rows, "row")));
            return Ok(());
        }
        let more = different.saturating_sub(MAX_DIFFERENCES as u64);
        if more > 0 {
            say(format!("and {more} more"));
        }
        let text = format!(
            "{different} of {} differ between {from} and {to}",
            count_with_noun(rows, "row")
        );
        Err(Failure::not_found(text).advise(
            "rows that were written meanwhile differ too: --merge copies all again, and leaves \
             what only the target has",
        ))
    }

    /// Reads all rows of the source, writes nothing, and reports the rows that the target cannot
    /// hold.
    async fn read_all(
        &self,
        (from, to): (&CopyEndpoint, &CopyEndpoint),
        output: &mut Output,
    ) -> Result<()> {
        match examine(from, to, self.other_layout).await? {
            TargetTable::Missing(definition) => {
                say(format!("{} would be made by: {definition}", to.display_name()))
            }
            TargetTable::Exists { first_row: Some(_) } if !self.merge => {
                say(format!("{} has rows already; --merge is needed", to.display_name()));
            }
            TargetTable::Exists { .. } => {}
        }
        let scan = all_cells(Scan::all()).parallel(self.concurrency.into());
        let mut parts = from.table.scan(if self.raw { scan.raw() } else { scan })?;
        let (mut fit, mut interrupt) = (FitCheck::of(to.store), Interrupt::new()?);
        let (mut rows, mut cells, mut refused) = (0_u64, 0_u64, 0_usize);
        let (mut last, mut last_refused) = (None, None);
        let mut progress = Progress::new(0);
        loop {
            let part = interrupt.run_until_pressed(parts.next_row()).await;
            let part = part.ok_or_else(|| Failure::interrupted("stopped by Ctrl-C"))??;
            let Some(part) = part else { break };
            let key = Some(part.key().to_vec());
            rows += u64::from(last != key);
            last.clone_from(&key);
            cells += part.cells().len() as u64;
            if let Err(why) = fit.check(&part)
                && last_refused != key
            {
                last_refused = key;
                refused += 1;
                if refused <= MAX_DIFFERENCES {
                    say(format!("row {}: {why}", show::shell(part.key())));
                }
            }
            progress.report(rows, None);
        }
        if refused > MAX_DIFFERENCES {
            say(format!("and {} more", refused - MAX_DIFFERENCES));
        }
        let text = format!(
            "{} with {} were read, {refused} refused; nothing was written",
            count_with_noun(rows, "row"),
            count_with_noun(cells, "cell")
        );
        output.write_result(
            &text,
            || json!({ "table": self.table, "rows": rows, "cells": cells, "refused": refused }),
        )?;
        match refused {
            0 => Ok(()),
            refused => {
                let text = format!(
                    "{} cannot be copied to {}",
                    count_with_noun(refused as u64, "row"),
                    to.display_name()
                );
                Err(Failure::not_found(text).advise("change or delete these rows"))
            }
        }
    }
}
