//! Compares the tables with the file.

use std::cmp::Ordering;
use std::fmt::Display;

use futures_util::{StreamExt, stream};
use tallrow::{Result, Table, table::TableRows};

use crate::ask;
use crate::digest::Digest;
use crate::expected::{Expected, flight_order, leg_order};
use crate::tables::{FlightKey, LegKey, Tables};

/// The maximum number of wrong answers that are printed.
const SHOWN: usize = 10;

/// The result of all comparisons.
pub(crate) struct Verdict {
    pub(crate) answers: usize,
    pub(crate) rows: usize,
    pub(crate) wrong: usize,
    pub(crate) digest: Digest,
}

/// Asks every question and reads both tables from end to end.
pub(crate) async fn all(
    tables: &Tables,
    expected: &Expected,
    concurrency: usize,
) -> Result<Verdict> {
    let mut verdict = Verdict { answers: 0, rows: 0, wrong: 0, digest: Digest::new() };
    let questions = stream::iter(expected.questions());
    let mut answers = questions
        .map(async |(question, right)| (ask::one(tables, &question).await, question, right))
        .buffered(concurrency);
    while let Some((answer, question, right)) = answers.next().await {
        let answer = answer?;
        verdict.digest.add(&answer);
        verdict.answers += 1;
        if answer != right {
            verdict.is_wrong(&format!("{question}: expected {right}, found {answer}"));
        }
    }
    let flights = tables.flights.scan(FlightKey::scan()).rows();
    verdict.scan("flights", flights, &expected.flights, flight_order).await?;
    let legs = tables.legs.scan(LegKey::scan()).rows();
    verdict.scan("legs", legs, &expected.legs, leg_order).await?;
    Ok(verdict)
}

impl Verdict {
    /// Compares all rows of a table with the expected rows, both in order.
    async fn scan<T: Table + PartialEq + Display, K: Ord>(
        &mut self,
        table: &str,
        mut rows: TableRows<T>,
        expected: &[T],
        order: impl Fn(&T) -> K,
    ) -> Result<()> {
        let mut expected = expected.iter().peekable();
        let mut found = rows.next_row().await?;
        loop {
            let place = match (&found, expected.peek()) {
                (None, None) => return Ok(()),
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(row), Some(right)) => order(row).cmp(&order(right)),
            };
            self.rows += 1;
            let right = if place.is_lt() { None } else { expected.next() };
            let row = if place.is_gt() { None } else { found.take() };
            if row.is_some() {
                found = rows.next_row().await?;
            }
            match (&row, right) {
                (Some(row), Some(right)) if row == right => {}
                (Some(row), Some(right)) => {
                    self.is_wrong(&format!("{table}: expected {right}, found {row}"));
                }
                (Some(row), None) => self.is_wrong(&format!("{table}: {row} should not be there")),
                (None, right) => {
                    let right = right.map(T::to_string).unwrap_or_default();
                    self.is_wrong(&format!("{table}: {right} is missing"));
                }
            }
            if let Some(row) = &row {
                self.digest.add(row);
            }
        }
    }

    fn is_wrong(&mut self, what: &str) {
        self.wrong += 1;
        match self.wrong {
            n if n <= SHOWN => eprintln!("wrong: {what}"),
            n if n == SHOWN + 1 => eprintln!("further errors are not shown"),
            _ => {}
        }
    }
}
