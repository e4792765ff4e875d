//! Increments and appends, counted by what the client says of them.

use std::fmt;

use tallrow::{Append, ErrorKind, Increment, RawTable};

use crate::FAMILY;

/// How many tasks write at the same time.
const WRITERS: usize = 4;

/// What became of the operations of one writer; each has a row of its own.
#[derive(Default)]
struct Counts {
    acknowledged: i64,
    unknown: i64,
    /// The numbers of the appends that were acknowledged, and of those that are not known, in their
    /// order.
    appended: Vec<u32>,
    perhaps: Vec<u32>,
}

pub(crate) struct Made(Vec<Counts>);

/// Makes so many of both in each of some rows, and calls this before each.
pub(crate) async fn run(table: &RawTable, operations: u32, before: impl Fn()) -> Made {
    let each = operations / u32::try_from(WRITERS).unwrap();
    let before = &before;
    let writers = (0..WRITERS).map(async |writer| {
        let row = format!("r{writer}");
        let mut counts = Counts::default();
        for number in 0..each {
            before();
            if number % 2 == 0 {
                match table.increment(Increment::new(&row).add(FAMILY, "n", 1)).await {
                    Ok(_) => counts.acknowledged += 1,
                    Err(error) if error.kind() == ErrorKind::OutcomeUnknown => counts.unknown += 1,
                    Err(error) => panic!("a lost reply is no failure: {error:#}"),
                }
            } else {
                let text = format!("{number},");
                match table.append(Append::new(&row).add(FAMILY, "s", text)).await {
                    Ok(_) => counts.appended.push(number),
                    Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {
                        counts.perhaps.push(number);
                    }
                    Err(error) => panic!("a lost reply is no failure: {error:#}"),
                }
            }
        }
        counts
    });
    Made(together(writers).await)
}

/// Drives all of them in one task.
async fn together<F: Future>(all: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut all: Vec<_> = all.map(|one| (Box::pin(one), None)).collect();
    std::future::poll_fn(|context| {
        for (one, done) in &mut all {
            if done.is_none()
                && let std::task::Poll::Ready(output) = one.as_mut().poll(context)
            {
                *done = Some(output);
            }
        }
        match all.iter().all(|(_, done)| done.is_some()) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
    all.into_iter().filter_map(|(_, done)| done).collect()
}

impl Made {
    /// Compares with what is in the table; returns how many operations are not known.
    pub(crate) async fn check(&self, table: &RawTable) -> usize {
        let mut unknown = 0;
        for (writer, counts) in self.0.iter().enumerate() {
            let row = table.get(format!("r{writer}")).await.unwrap().unwrap();
            let counted = row.counter(FAMILY, "n").unwrap().unwrap();
            let most = counts.acknowledged + counts.unknown;
            assert!((counts.acknowledged..=most).contains(&counted), "{counted}: {}", self);
            let text = String::from_utf8(row.value(FAMILY, "s").unwrap().to_vec()).unwrap();
            let found = text.split_terminator(',').map(|number| number.parse().unwrap());
            let found: Vec<u32> = found.collect();
            assert!(found.is_sorted_by(|a, b| a < b), "twice, or out of order: {text}");
            for number in &counts.appended {
                assert!(found.binary_search(number).is_ok(), "append {number} is lost: {text}");
            }
            for number in &found {
                let is_known = counts.appended.contains(number) || counts.perhaps.contains(number);
                assert!(is_known, "append {number} was made by no operation: {text}");
            }
            unknown += usize::try_from(counts.unknown).unwrap() + counts.perhaps.len();
        }
        unknown
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |count: fn(&Counts) -> i64| self.0.iter().map(count).sum::<i64>();
        write!(
            f,
            "increments {} acknowledged, {} unknown; appends {} acknowledged, {} unknown",
            sum(|counts| counts.acknowledged),
            sum(|counts| counts.unknown),
            sum(|counts| counts.appended.len() as i64),
            sum(|counts| counts.perhaps.len() as i64),
        )
    }
}
