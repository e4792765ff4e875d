//! A task with its own rows: it changes and reads them, one operation after the other, and drops
//! most operations half-way.

use tallrow::{
    Get, Increment, Put, RawTable, Scan,
    op::{BatchOutcome, Check, RowOperation},
};

use crate::abandon::{Abandon, abandon};
use crate::counts::Counts;
use crate::model::{RowModel, Text};
use tallrow_tests::Random;

const ROWS: usize = 8;
/// The maximum length of a text.
const TEXT: usize = 2_000;

pub(crate) struct Worker {
    prefix: String,
    rows: Vec<RowModel>,
    random: Random,
    counts: Counts,
}

/// An operation of a batch, and what it writes.
enum Sent {
    Get,
    Put(Text),
    Increment,
}

impl Worker {
    /// Writes its rows.
    pub(crate) async fn new(
        number: usize,
        seed: u64,
        table: &RawTable,
        side_by_side: bool,
    ) -> Self {
        let prefix = format!("w{number:02}/");
        let mut rows: Vec<_> =
            (0..ROWS).map(|i| RowModel::new(format!("{prefix}{i}"), side_by_side)).collect();
        for row in &mut rows {
            let text = row.next_text(0);
            table.put(put(row, text)).await.unwrap();
            row.wrote(text);
        }
        let random = Random::new(seed, number as u64);
        Self { prefix, rows, random, counts: Counts::default() }
    }

    /// Runs this many operations.
    pub(crate) async fn run(&mut self, table: &RawTable, operations: usize) -> Counts {
        self.counts = Counts::default();
        for _ in 0..operations {
            match self.random.index(20) {
                0..=5 => self.get(table).await,
                6..=10 => self.put(table).await,
                11..=14 => self.increment(table).await,
                15..=16 => self.check(table).await,
                17..=18 => self.batch(table).await,
                _ => self.scan(table).await,
            }
        }
        self.counts
    }

    /// Reads every row without dropping an operation.
    pub(crate) async fn check_all(&mut self, table: &RawTable) {
        for row in &mut self.rows {
            row.read(&table.get(row.key.as_str()).await.unwrap().unwrap());
        }
    }

    async fn get(&mut self, table: &RawTable) {
        let (when, row) = (Abandon::random(&mut self.random), self.random.index(ROWS));
        let row = &mut self.rows[row];
        if let Some(read) = abandon(table.get(row.key.as_str()), when).await {
            row.read(&read.unwrap().unwrap());
            self.counts.answered += 1;
        } else {
            self.counts.dropped += 1;
        }
    }

    async fn put(&mut self, table: &RawTable) {
        let (when, row) = (Abandon::random(&mut self.random), self.random.index(ROWS));
        let (row, padding) = (&mut self.rows[row], self.random.index(TEXT));
        let text = row.next_text(padding);
        match self.counts.take(abandon(table.put(put(row, text)), when).await) {
            Some(()) => row.wrote(text),
            None => row.may_have_written(text),
        }
    }

    async fn increment(&mut self, table: &RawTable) {
        let (when, row) = (Abandon::random(&mut self.random), self.random.index(ROWS));
        let row = &mut self.rows[row];
        match self.counts.take(abandon(table.increment(one(row)), when).await) {
            Some(answer) => row.counted(answer),
            None => row.may_have_counted(),
        }
    }

    async fn check(&mut self, table: &RawTable) {
        let (when, row) = (Abandon::random(&mut self.random), self.random.index(ROWS));
        let (row, padding) = (&mut self.rows[row], self.random.index(TEXT));
        let (expected, text) = (row.known_text(), row.next_text(padding));
        let check =
            Check::new(&row.key, "f", "q").if_equals(row.value(expected)).then(put(row, text));
        match self.counts.take(abandon(table.check_and_mutate(check), when).await) {
            Some(held) => row.wrote_if(expected, text, held.is_applied()),
            None => row.may_have_written(text),
        }
    }

    /// Runs a few operations concurrently, each on another row.
    async fn batch(&mut self, table: &RawTable) {
        let when = Abandon::random(&mut self.random);
        let many = 2 + self.random.index(ROWS - 2);
        let (mut sent, mut operations) = (Vec::new(), Vec::new());
        for row in self.rows.iter_mut().take(many) {
            let (one, operation): (_, RowOperation) = match self.random.index(3) {
                0 => (Sent::Get, Get::new(&row.key).into()),
                1 => {
                    let text = row.next_text(self.random.index(TEXT));
                    let put = put(row, text);
                    (Sent::Put(text), put.into())
                }
                _ => (Sent::Increment, one(row).into()),
            };
            sent.push(one);
            operations.push(operation);
        }
        let answers = abandon(table.batch(operations), when).await;
        let answers = match answers {
            Some(answers) => answers.into_iter().map(Some).collect(),
            None => (0..many).map(|_| None).collect::<Vec<_>>(),
        };
        assert_eq!(answers.len(), many);
        for ((row, sent), answer) in self.rows.iter_mut().zip(sent).zip(answers) {
            take_part(row, sent, self.counts.take(answer));
        }
    }

    /// Reads some rows of a scan; some steps are dropped and repeated.
    async fn scan(&mut self, table: &RawTable) {
        let limit = 1 + self.random.index(2 * ROWS);
        let mut rows = table.scan(Scan::prefix(&self.prefix).bytes_per_call(3_000)).unwrap();
        for model in self.rows.iter_mut().take(limit) {
            let row = loop {
                let when = Abandon::random(&mut self.random);
                match abandon(rows.next_row(), when).await {
                    Some(Ok(row)) => break row.unwrap(),
                    Some(Err(error)) => panic!("{error:?}"),
                    None => self.counts.dropped += 1,
                }
            };
            model.read(&row);
            self.counts.answered += 1;
        }
        if limit > ROWS {
            assert_eq!(rows.next_row().await.unwrap(), None);
        }
    }
}

fn put(row: &RowModel, text: Text) -> Put {
    Put::new(&row.key).cell("f", "q", row.value(text))
}

fn one(row: &RowModel) -> Increment {
    Increment::new(&row.key).add("f", "n", 1)
}

fn take_part(row: &mut RowModel, sent: Sent, answer: Option<BatchOutcome>) {
    match (sent, answer) {
        (Sent::Get, Some(outcome)) => row.read(&outcome.row.unwrap()),
        (Sent::Get, None) => {}
        (Sent::Put(text), Some(_)) => row.wrote(text),
        (Sent::Put(text), None) => row.may_have_written(text),
        (Sent::Increment, Some(outcome)) => {
            row.counted(outcome.row);
        }
        (Sent::Increment, None) => row.may_have_counted(),
    }
}
