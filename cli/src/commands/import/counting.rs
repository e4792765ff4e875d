//! Counters to which each line is added exactly once, although an import may be killed at any
//! moment.
//!
//! An increment must not be repeated if it is unknown whether it was applied. So the sums of a
//! batch are added to a row together with a mark, in one step. The mark is the number of the batch,
//! in a column that only this import has. The step is only applied if the mark in the row is absent
//! or smaller. Batches are added one after the other, so the mark of this batch or of a later batch
//! shows that the sums of this batch have been added to the row.
//!
//! The marks expire by themselves. Deleting them at the end would not be safe: a step of a killed
//! process can still be on its way to a server.
//!
//! # Invariants
//!
//! - A line is counted once, whenever the process is killed and whatever reply is lost. Tests:
//!   `cli/tests/commands/resume.rs`,
//!   `cli/tests/commands/resume.rs::lost_replies_are_counted_once`.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use tallrow::filter::CompareOperator;
use tallrow::op::{Check, CheckAndMutate, RowMutations};
use tallrow::{ErrorKind, Increment, Put, RawTable};

use crate::cells::column::{Column, IMPORT_MARK_QUALIFIER_PREFIX};

/// The time after which marks expire. An import with counters can be resumed for this time after
/// its last batch.
pub(super) const MARK_TTL: Duration = Duration::from_secs(7 * 86_400);

/// The maximum number of lost replies to the steps of one row in a batch.
const MAX_LOST: u32 = 10;

/// The maximum number of rows that are remembered as having a mark.
const MAX_MARKED: usize = 1 << 20;

/// The counters of an import.
#[derive(Debug)]
pub(super) struct ImportCounters {
    table: RawTable,
    counters: Vec<Column>,
    mark: Column,
    /// The keys of rows that probably have a mark of this import.
    marked: HashSet<Vec<u8>>,
}

/// A row to which the sums of a batch may still have to be added.
struct Pending<'a> {
    row: &'a [u8],
    sums: &'a [i64],
    /// Whether a step was not applied because the mark was present, and whether a step was not
    /// applied because the mark was not smaller.
    not_absent: bool,
    not_smaller: bool,
    lost: u32,
}

impl ImportCounters {
    /// Makes the counters of the import with this id; returns none if `counters` is empty.
    pub(super) fn new(table: RawTable, counters: Vec<Column>, id: &str) -> Option<Self> {
        let family = counters.first()?.family.clone();
        let mark = Column {
            family,
            qualifier: format!("{IMPORT_MARK_QUALIFIER_PREFIX}{id}").into_bytes(),
        };
        Some(Self { table, counters, mark, marked: HashSet::new() })
    }

    /// Adds the sums of the batch with the number `batch` to each row exactly once, and returns the
    /// number of rows to which the sums had already been added before.
    pub(super) async fn add_once(
        &mut self,
        batch: u64,
        counts: &BTreeMap<Vec<u8>, Vec<i64>>,
    ) -> tallrow::Result<u64> {
        let mut pending: Vec<_> = counts
            .iter()
            .map(|(row, sums)| Pending {
                row,
                sums,
                not_absent: false,
                not_smaller: false,
                lost: 0,
            })
            .collect();
        let mut already = 0;
        while !pending.is_empty() {
            let steps: Vec<_> =
                pending.iter().map(|row| (self.expects_mark(row), self.step(batch, row))).collect();
            let (expected, steps): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
            let outcomes = self.table.batch(steps).await;
            let mut left = Vec::new();
            for ((mut row, expected), outcome) in pending.into_iter().zip(expected).zip(outcomes) {
                match outcome {
                    Ok(outcome) if outcome.applied => self.remember(row.row),
                    Ok(_) => {
                        if expected {
                            row.not_smaller = true;
                        } else {
                            row.not_absent = true;
                        }
                        if row.not_absent && row.not_smaller {
                            self.remember(row.row);
                            already += 1;
                        } else {
                            left.push(row);
                        }
                    }
                    Err(error)
                        if error.kind() == ErrorKind::OutcomeUnknown && row.lost < MAX_LOST =>
                    {
                        // The mark in the row shows whether the step was applied, so both
                        // conditions are tried again.
                        (row.not_absent, row.not_smaller) = (false, false);
                        row.lost += 1;
                        left.push(row);
                    }
                    Err(error) => return Err(error),
                }
            }
            pending = left;
        }
        Ok(already)
    }

    /// Whether the condition of the next step is that the mark is smaller, rather than absent.
    fn expects_mark(&self, row: &Pending<'_>) -> bool {
        row.not_absent || (!row.not_smaller && self.marked.contains(row.row))
    }

    fn step(&self, batch: u64, pending: &Pending<'_>) -> CheckAndMutate {
        let Column { family, qualifier } = &self.mark;
        let row = pending.row;
        let mark = Put::new(row).cell(family, qualifier, batch.to_be_bytes()).ttl(MARK_TTL);
        let sums = self.counters.iter().zip(pending.sums);
        let increment = sums.fold(Increment::new(row), |increment, (counter, by)| {
            increment.add(&counter.family, &counter.qualifier, *by)
        });
        let check = Check::new(row, family, qualifier);
        let check = if self.expects_mark(pending) {
            check.if_matches(CompareOperator::Less, batch.to_be_bytes())
        } else {
            check.if_not_exists()
        };
        check.then(RowMutations::new(row).add(increment).add(mark))
    }

    fn remember(&mut self, row: &[u8]) {
        if self.marked.len() >= MAX_MARKED {
            self.marked.clear();
        }
        self.marked.insert(row.to_vec());
    }
}
