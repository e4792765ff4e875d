//! Any sequence of changes has the result that its parts have one after the other: compared with a
//! model after each call, by every way to make a change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use tallrow::{
    Append, Counter, Delete, DeliveryGuarantee, ErrorKind, Get, Increment, Put, RawTable, Result,
    Row, RowKey, Table, TypedTable, Update,
    filter::{CompareOperator, SingleColumnValue},
    op::{BatchOutcome, Check, CheckAndMutate, CheckResult, Mutation, RowMutations, RowOperation},
    table::UpdateResult,
};
use tallrow_tests::{Place, Random, thorough};
use tokio::task::JoinSet;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Line {
    worker: u8,
    number: u8,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_sequences")]
#[family("f", versions = 5)]
#[family("g")]
struct Cells {
    #[key]
    line: Line,
    #[cell("f:a")]
    a: Option<String>,
    #[cell("f:b")]
    b: Option<String>,
    #[cell("f:n")]
    n: Counter,
    #[cell("g:a")]
    c: Option<String>,
    #[cell("g:n")]
    m: Counter,
}

type Column = (&'static str, &'static str);
const TEXTS: [Column; 3] = [("f", "a"), ("f", "b"), ("g", "a")];
const COUNTERS: [Column; 2] = [("f", "n"), ("g", "n")];
/// With one that is a counter too.
const VALUES: [&str; 6] = ["", "\0", "a", "ab", "b", "\0\0\0\0\0\0\0\x07"];

/// A row as it should be.
type Model = BTreeMap<Column, Vec<u8>>;

/// What one put, delete, increment or append does.
#[derive(Clone, Debug)]
enum Part {
    Put(Vec<(Column, &'static str)>),
    Delete(Vec<Column>),
    DeleteFamily(&'static str),
    DeleteRow,
    Increment(Vec<(Column, i64)>),
    Append(Vec<(Column, &'static str)>),
}

impl Part {
    fn random(random: &mut Random, adds: bool) -> Self {
        let mut columns = Vec::new();
        // Rarely twice the same one.
        let mut column = |random: &mut Random, of: &[Column], other: &[Column]| loop {
            let of = if random.below(12) == 0 { other } else { of };
            let one = *random.pick(of);
            if !columns.contains(&one) || random.below(12) == 0 {
                columns.push(one);
                return one;
            }
        };
        let many = 1 + random.index(2);
        match random.below(if adds { 9 } else { 5 }) {
            0 => Self::DeleteRow,
            1 => Self::DeleteFamily(["f", "g"][random.index(2)]),
            2 => Self::Delete((0..many).map(|_| column(random, &TEXTS, &COUNTERS)).collect()),
            3 | 4 => {
                let put = |_| (column(random, &TEXTS, &COUNTERS), *random.pick(&VALUES));
                Self::Put((0..many).map(put).collect())
            }
            5 | 6 => {
                let add = |_| (column(random, &COUNTERS, &TEXTS), random.below(9) as i64 - 4);
                Self::Increment((0..many).map(add).collect())
            }
            _ => {
                let append = |_| (column(random, &TEXTS, &COUNTERS), *random.pick(&VALUES));
                Self::Append((0..many).map(append).collect())
            }
        }
    }

    fn adds(&self) -> bool {
        matches!(self, Self::Increment(_) | Self::Append(_))
    }

    /// The columns that have a value afterwards.
    fn writes(&self) -> BTreeSet<Column> {
        match self {
            Self::Put(cells) | Self::Append(cells) => cells.iter().map(|(c, _)| *c).collect(),
            Self::Increment(cells) => cells.iter().map(|(column, _)| *column).collect(),
            Self::Delete(_) | Self::DeleteFamily(_) | Self::DeleteRow => BTreeSet::new(),
        }
    }

    fn deletes(&self, column: Column) -> bool {
        match self {
            Self::Delete(columns) => columns.contains(&column),
            Self::DeleteFamily(family) => column.0 == *family,
            Self::DeleteRow => true,
            Self::Put(_) | Self::Increment(_) | Self::Append(_) => false,
        }
    }

    fn mutation(&self, row: &[u8]) -> Mutation {
        match self {
            Self::Put(cells) => {
                cells.iter().fold(Put::new(row), |put, ((f, q), v)| put.cell(f, q, v)).into()
            }
            Self::Delete(columns) => {
                columns.iter().fold(Delete::new(row), |all, (f, q)| all.column(f, q)).into()
            }
            Self::DeleteFamily(family) => Delete::new(row).family(family).into(),
            Self::DeleteRow => Delete::new(row).into(),
            Self::Increment(cells) => {
                let all = Increment::new(row);
                cells.iter().fold(all, |all, ((f, q), by)| all.add(f, q, *by)).into()
            }
            Self::Append(cells) => {
                cells.iter().fold(Append::new(row), |all, ((f, q), v)| all.add(f, q, v)).into()
            }
        }
    }
}

/// Changes of one row in one step.
#[derive(Clone, Debug)]
struct Step(Vec<Part>);

impl Step {
    fn random(random: &mut Random, adds: bool) -> Self {
        let parts = [1, 1, 1, 2, 3][random.index(5)];
        Self((0..parts).map(|_| Part::random(random, adds)).collect())
    }

    /// The step that a typed update of these parts is: one put, one delete, one increment, one
    /// append.
    fn merged(&self) -> Self {
        let (mut puts, mut increments, mut appends) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        for part in self.0.iter().cloned() {
            match part {
                Part::Put(cells) => puts.extend(cells),
                Part::Increment(cells) => increments.extend(cells),
                Part::Append(cells) => appends.extend(cells),
                delete => others.push(delete),
            }
        }
        others.extend((!puts.is_empty()).then_some(Part::Put(puts)));
        others.extend((!increments.is_empty()).then_some(Part::Increment(increments)));
        others.extend((!appends.is_empty()).then_some(Part::Append(appends)));
        Self(others)
    }

    fn mutation(&self, row: &[u8]) -> Mutation {
        match &self.0[..] {
            [part] => part.mutation(row),
            parts => {
                let step = RowMutations::new(row);
                parts
                    .iter()
                    .fold(step, |step, part| match part.mutation(row) {
                        Mutation::Put(put) => step.add(put),
                        Mutation::Delete(delete) => step.add(delete),
                        Mutation::Increment(increment) => step.add(increment),
                        Mutation::Append(append) => step.add(append),
                        other => panic!("no part of a step: {other:?}"),
                    })
                    .into()
            }
        }
    }

    /// The typed update of these parts, if there is one.
    fn update(&self) -> Option<Update<Cells>> {
        let mut update = Update::new();
        for part in &self.0 {
            update = match part {
                Part::Put(cells) => cells.iter().try_fold(update, |update, cell| match cell {
                    (("f", "a"), value) => Some(update.set(Cells::A, *value)),
                    (("f", "b"), value) => Some(update.set(Cells::B, *value)),
                    (("g", "a"), value) => Some(update.set(Cells::C, *value)),
                    _ => None,
                })?,
                Part::Append(cells) => {
                    cells.iter().try_fold(update, |update, cell| match cell {
                        (("f", "a"), value) => Some(update.append(Cells::A, *value)),
                        (("f", "b"), value) => Some(update.append(Cells::B, *value)),
                        (("g", "a"), value) => Some(update.append(Cells::C, *value)),
                        _ => None,
                    })?
                }
                Part::Increment(cells) => {
                    cells.iter().try_fold(update, |update, cell| match cell {
                        (("f", "n"), by) => Some(update.add(Cells::N, *by)),
                        (("g", "n"), by) => Some(update.add(Cells::M, *by)),
                        _ => None,
                    })?
                }
                Part::Delete(columns) => {
                    columns.iter().fold(update, |update, column| match column {
                        ("f", "a") => update.unset(Cells::A),
                        ("f", "b") => update.unset(Cells::B),
                        ("g", "a") => update.unset(Cells::C),
                        ("f", _) => update.unset(Cells::N),
                        _ => update.unset(Cells::M),
                    })
                }
                Part::DeleteFamily("f") => update.unset_family(Cells::A),
                Part::DeleteFamily(_) => update.unset_family(Cells::C),
                Part::DeleteRow => return None,
            };
        }
        Some(update)
    }

    fn writes_one(&self) -> bool {
        self.0.iter().map(|part| part.writes().len()).sum::<usize>() == 1
    }

    /// Why it is refused before it is sent, whatever is in the row.
    fn refusals(&self, conditional: bool, is_hbase: bool) -> Vec<ErrorKind> {
        let mut refusals = Vec::new();
        let put_twice = |part: &Part| match part {
            Part::Put(cells) => part.writes().len() < cells.len(),
            _ => false,
        };
        let written: Vec<_> = self.0.iter().flat_map(Part::writes).collect();
        let clash = |column: &Column| {
            written.iter().filter(|other| *other == column).count() > 1
                || self.0.iter().any(|part| part.deletes(*column))
        };
        if self.0.iter().any(put_twice) || written.iter().any(clash) {
            refusals.push(ErrorKind::InvalidArgument);
        }
        let adding = self.0.iter().filter(|part| part.adds()).count();
        if !is_hbase && adding > 0 && (conditional || adding < self.0.len()) {
            refusals.push(ErrorKind::Unsupported);
        }
        refusals
    }

    /// The row afterwards, and the cells that were added and appended to; `None` if one of them is
    /// no counter.
    fn apply(&self, before: &Model) -> Option<(Model, Model)> {
        let (mut after, mut answer) = (before.clone(), Model::new());
        for part in &self.0 {
            after.retain(|column, _| !part.deletes(*column));
            match part {
                Part::Put(cells) => {
                    let cells = cells.iter().map(|(c, value)| (*c, value.as_bytes().to_vec()));
                    after.extend(cells);
                }
                Part::Append(cells) => {
                    for (column, value) in cells {
                        let cell = after.entry(*column).or_default();
                        cell.extend_from_slice(value.as_bytes());
                        answer.insert(*column, cell.clone());
                    }
                }
                Part::Increment(cells) => {
                    for (column, by) in cells {
                        let value = match after.get(column) {
                            Some(bytes) => i64::from_be_bytes(bytes[..].try_into().ok()?),
                            None => 0,
                        };
                        let value = (value + by).to_be_bytes().to_vec();
                        after.insert(*column, value.clone());
                        answer.insert(*column, value);
                    }
                }
                Part::Delete(_) | Part::DeleteFamily(_) | Part::DeleteRow => {}
            }
        }
        Some((after, answer))
    }
}

/// What must hold of the row for a step to be made.
#[derive(Clone, Debug)]
enum Condition {
    Absent(Column),
    Is(Column, CompareOperator, &'static str),
    Filter(Column, CompareOperator, &'static str),
}

impl Condition {
    fn random(random: &mut Random) -> Self {
        let columns = [&TEXTS[..], &COUNTERS].concat();
        let column = *random.pick(&columns);
        let (compare, value) = (*random.pick(&CompareOperator::ALL), *random.pick(&VALUES));
        match random.below(4) {
            0 => Self::Absent(column),
            1 => Self::Filter(column, compare, value),
            _ => Self::Is(column, compare, value),
        }
    }

    fn holds(&self, row: &Model) -> bool {
        match self {
            // HBase does not tell an empty value from none here.
            Self::Absent(column) => row.get(column).is_none_or(Vec::is_empty),
            Self::Is(column, compare, value) | Self::Filter(column, compare, value) => {
                let (Some(found), value) = (row.get(column), value.as_bytes()) else {
                    return false;
                };
                match compare {
                    CompareOperator::Less => found.as_slice() < value,
                    CompareOperator::LessOrEqual => found.as_slice() <= value,
                    CompareOperator::Equal => found == value,
                    CompareOperator::NotEqual => found != value,
                    CompareOperator::GreaterOrEqual => found.as_slice() >= value,
                    CompareOperator::Greater => found.as_slice() > value,
                    other => panic!("the model does not have {other:?}"),
                }
            }
        }
    }

    fn then(&self, row: &[u8], mutation: Mutation) -> CheckAndMutate {
        match *self {
            Self::Absent((f, q)) => Check::new(row, f, q).if_not_exists(),
            Self::Is((f, q), compare, value) => Check::new(row, f, q).if_matches(compare, value),
            Self::Filter((f, q), compare, value) => {
                let filter = SingleColumnValue::new(f, q, compare, value).filter_if_missing(true);
                Check::if_row_matches(row, filter)
            }
        }
        .then(mutation)
    }

    /// The typed condition that means the same, if there is one.
    fn typed(&self) -> Option<tallrow::column::Condition<Cells>> {
        let Self::Is(column, compare, value) = *self else { return None };
        macro_rules! compared {
            ($column:expr) => {
                match compare {
                    CompareOperator::Less => $column.lt(value),
                    CompareOperator::LessOrEqual => $column.le(value),
                    CompareOperator::Equal => $column.eq(value),
                    CompareOperator::NotEqual => $column.ne(value),
                    CompareOperator::GreaterOrEqual => $column.ge(value),
                    _ => $column.gt(value),
                }
            };
        }
        match column {
            ("f", "a") => Some(compared!(Cells::A)),
            ("f", "b") => Some(compared!(Cells::B)),
            ("g", "a") => Some(compared!(Cells::C)),
            _ => None,
        }
    }
}

/// One of the tasks: it makes its changes one after the other, in rows of its own.
struct Worker {
    table: RawTable,
    typed: TypedTable<Cells>,
    is_hbase: bool,
    /// Google's emulator makes the first additions of a step whose later ones it refuses.
    is_emulator: bool,
    /// Whether it increments and appends: not under a policy that the counters are not for.
    adds: bool,
    random: Random,
    rows: Vec<(Line, Model)>,
}

impl Worker {
    /// Makes about as many changes.
    async fn run(mut self, changes: usize) {
        let mut done = 0;
        while done < changes {
            done += match self.random.below(4) {
                0 => self.batch().await,
                1 => self.update().await,
                _ => self.call().await,
            };
        }
    }

    /// A change of one of the rows.
    fn change(&mut self, at: usize) -> (Option<Condition>, Step) {
        let condition = self.random.below(3) == 0;
        let condition = condition.then(|| Condition::random(&mut self.random));
        loop {
            let step = Step::random(&mut self.random, self.adds);
            if !self.is_emulator || step.apply(&self.rows[at].1).is_some() || step.writes_one() {
                return (condition, step);
            }
        }
    }

    /// Compares the answer to a change with that of the model, which it changes.
    fn expect(
        &mut self,
        at: usize,
        condition: Option<&Condition>,
        step: &Step,
        found: Result<Answer>,
    ) {
        let model = &mut self.rows[at].1;
        let shown = format!("{condition:?} {step:?} of {model:?}: {found:?}");
        let refusals = step.refusals(condition.is_some(), self.is_hbase);
        let holds = condition.is_none_or(|condition| condition.holds(model));
        if !refusals.is_empty() {
            let error = found.expect_err(&shown);
            assert!(refusals.contains(&error.kind()) && error.attempts() == 0, "{shown}");
        } else if !holds {
            assert!(!found.expect(&shown).applied, "{shown}");
        } else if let Some((after, added)) = step.apply(model) {
            let found = found.expect(&shown);
            assert!(found.applied, "{shown}");
            assert!(found.added.is_none_or(|found| found == added), "{shown}");
            *model = after;
        } else {
            assert_eq!(found.expect_err(&shown).kind(), ErrorKind::NotACounter, "{shown}");
        }
    }

    /// A change by the verb of its kind.
    async fn call(&mut self) -> usize {
        let at = self.random.index(self.rows.len());
        let (condition, step) = self.change(at);
        let row = self.rows[at].0.encode();
        let table = &self.table;
        let found = match (&condition, step.mutation(row.as_ref())) {
            (Some(condition), mutation) => {
                let check = condition.then(row.as_ref(), mutation);
                table.check_and_mutate(check).await.map(Answer::of_check)
            }
            (None, Mutation::Put(put)) => table.put(put).await.map(|()| Answer::of_row(None)),
            (None, Mutation::Delete(delete)) => {
                table.delete(delete).await.map(|()| Answer::of_row(None))
            }
            (None, Mutation::Increment(all)) => table.increment(all).await.map(Answer::of_row),
            (None, Mutation::Append(all)) => table.append(all).await.map(Answer::of_row),
            (None, Mutation::RowMutations(all)) => table.mutate_row(all).await.map(Answer::of_row),
            (None, other) => panic!("a step is none of these: {other:?}"),
        };
        self.expect(at, condition.as_ref(), &step, found);
        let found = self.table.get(row.as_ref()).await.unwrap();
        self.compare(at, found, &(condition, step));
        1
    }

    /// Changes of several rows in one batch, which reads the others.
    async fn batch(&mut self) -> usize {
        let changed = 1 + self.random.index(self.rows.len());
        let changes: Vec<_> = (0..changed).map(|at| self.change(at)).collect();
        let operations = self.rows.iter().enumerate().map(|(at, (line, _))| -> RowOperation {
            let row = line.encode();
            match changes.get(at) {
                Some((Some(condition), step)) => {
                    condition.then(row.as_ref(), step.mutation(row.as_ref())).into()
                }
                Some((None, step)) => step.mutation(row.as_ref()).into(),
                None => Get::new(row).into(),
            }
        });
        let outcomes = self.table.batch(operations.collect::<Vec<_>>()).await;
        for (at, found) in outcomes.into_iter().enumerate() {
            match changes.get(at) {
                Some((condition, step)) => {
                    let answer = |found: BatchOutcome| Answer {
                        applied: found.applied,
                        ..Answer::of_row(found.row)
                    };
                    self.expect(at, condition.as_ref(), step, found.map(answer));
                }
                None => self.compare(at, found.unwrap().row, &"read in a batch"),
            }
        }
        let keys: Vec<_> = self.rows.iter().map(|(line, _)| line.encode()).collect();
        let found = self.table.get_all(keys).await.into_result().unwrap();
        for (at, row) in found.into_iter().enumerate() {
            self.compare(at, row, &changes);
        }
        changed
    }

    /// A change as a typed update, if it is one; how many were made.
    async fn update(&mut self) -> usize {
        let at = self.random.index(self.rows.len());
        let (condition, step) = self.change(at);
        let line = self.rows[at].0.clone();
        let Some(update) = step.update() else { return 0 };
        let step = step.merged();
        let typed = condition.as_ref().map(Condition::typed);
        let found = match typed {
            None => self.typed.update(&line, update).await.map(|done| Answer::of_update(&done)),
            Some(Some(typed)) => {
                let done = self.typed.check_and_update(&line, typed, update).await;
                done.map(Answer::of_check)
            }
            Some(None) => return 0,
        };
        self.expect(at, condition.as_ref(), &step, found);
        let found = self.table.get(line.encode()).await.unwrap();
        self.compare(at, found, &(condition, step));
        1
    }

    fn compare(&self, at: usize, found: Option<Row>, after: &dyn fmt::Debug) {
        let found = found.as_ref().map(cells_of).unwrap_or_default();
        assert_eq!(found, self.rows[at].1, "{:?} after {after:?}", self.rows[at].0);
    }
}

/// What the table said of a change.
#[derive(Debug)]
struct Answer {
    applied: bool,
    /// The cells that were added and appended to, if it says that.
    added: Option<Model>,
}

impl Answer {
    fn of_row(row: Option<Row>) -> Self {
        let added = row.as_ref().map(cells_of).unwrap_or_default();
        Self { applied: true, added: Some(added) }
    }

    fn of_check(done: CheckResult) -> Self {
        Self { applied: done.is_applied(), added: None }
    }

    fn of_update(done: &UpdateResult<Cells>) -> Self {
        let mut added = Model::new();
        for (at, column) in [Cells::A, Cells::B, Cells::C].into_iter().enumerate() {
            match done.get(column) {
                Ok(text) => added.extend(text.map(|text| (TEXTS[at], text.into_bytes()))),
                // A negative number was there before: no text.
                Err(error) if error.kind() == ErrorKind::Decode => {
                    return Self { applied: true, added: None };
                }
                Err(error) => panic!("{error:?}"),
            }
        }
        for (at, column) in [Cells::N, Cells::M].into_iter().enumerate() {
            let number = done.get(column).unwrap();
            added.extend(number.map(|Counter(n)| (COUNTERS[at], n.to_be_bytes().to_vec())));
        }
        Self { applied: true, added: Some(added) }
    }
}

fn cells_of(row: &Row) -> Model {
    let known = [&TEXTS[..], &COUNTERS].concat();
    let column = |family: &[u8], qualifier: &[u8]| {
        let is = |(f, q): &&Column| (f.as_bytes(), q.as_bytes()) == (family, qualifier);
        *known.iter().find(is).expect("a column that was written")
    };
    let cells = row.cells().iter();
    cells.map(|cell| (column(cell.family(), cell.qualifier()), cell.value().to_vec())).collect()
}

pub(crate) async fn any_sequence_of_changes_has_the_result_of_a_model(place: Place) {
    const WORKERS: usize = 9;
    let changes = if thorough() { 100_000 } else { 1_800 };
    let typed = place.typed::<Cells>().await;
    let policies = [
        DeliveryGuarantee::AtMostOnce,
        DeliveryGuarantee::AtLeastOnce,
        DeliveryGuarantee::Idempotent,
    ];
    let mut workers = JoinSet::new();
    for number in 0..WORKERS {
        let policy = policies[number % policies.len()];
        let typed = typed.clone().with_delivery(policy);
        let line = |row| Line { worker: number as u8, number: row };
        let worker = Worker {
            table: typed.raw().unwrap().clone(),
            typed,
            is_hbase: place.has_delete_markers(),
            is_emulator: !place.keeps_splits(),
            adds: policy != DeliveryGuarantee::Idempotent,
            random: Random::new(7, number as u64),
            rows: (0..3).map(|row| (line(row), Model::new())).collect(),
        };
        workers.spawn(worker.run(changes / WORKERS));
    }
    while let Some(done) = workers.join_next().await {
        if let Err(panicked) = done {
            std::panic::resume_unwind(panicked.into_panic());
        }
    }
}
