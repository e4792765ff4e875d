//! Random scripts: all operations and options, with few rows, columns, times and values, so that
//! they meet.

use tallrow_tests::Random;

use crate::script::{
    Cell, Change, Check, Comparator, Comparison, FamilyOptions, Filter, Get, Kind, Operation,
    Operator, Scan, Selection, TableOptions,
};

/// The operations of a table, which is one of them.
const PER_TABLE: usize = 250;
/// The operations at the start of a table, most of which write.
const FIRST: usize = 30;
/// None is shorter than a fuzzy key.
const ROWS: [&str; 6] = ["aa", "ab", "aba", "ba", "ca", "da"];
/// The rows of counters: what they write has the time of the server.
const COUNTERS: [&str; 2] = ["x1", "y1"];
const FAMILIES: [&str; 3] = ["f", "g", "h"];
const QUALIFIERS: [&str; 5] = ["", "a", "ab", "b", "c"];
const MARKERS: [Kind; 4] =
    [Kind::Delete, Kind::DeleteColumn, Kind::DeleteFamily, Kind::DeleteFamilyVersion];
const OPERATORS: [Operator; 6] = [
    Operator::Less,
    Operator::LessOrEqual,
    Operator::Equal,
    Operator::NotEqual,
    Operator::GreaterOrEqual,
    Operator::Greater,
];
/// With a third file, a real server starts a compaction of its own, at a time of its own.
const MOST_FILES: u32 = 2;
/// A time after all others, for markers of columns with an empty qualifier: where such a marker and
/// another cell have the same time, a scan or a compaction of HBase may never end.
const AFTER: u64 = 7;
const DAY: u64 = 86_400;

/// Returns the operations of a script; every seed has others.
pub(crate) fn script(seed: u64, operations: usize) -> Vec<Operation> {
    let mut script = Vec::with_capacity(operations);
    let mut number = 0;
    while script.len() < operations {
        let size = PER_TABLE.min(operations - script.len());
        // The numbers of one seed would be those of the next, from the second on.
        let random = Random::new(seed.wrapping_mul(0x5851_F42D_4C95_7F2D), number);
        let mut generator = Generator { random, files: 0, new_versions: false, expires: false };
        script.extend(generator.table(format!("interop_differ_{number}"), size));
        number += 1;
    }
    script
}

struct Generator {
    random: Random,
    /// How many store files a family has at most.
    files: u32,
    /// Whether the table has families with `NEW_VERSION_BEHAVIOR`.
    new_versions: bool,
    /// Whether the table has families with a time to live.
    expires: bool,
}

impl Generator {
    fn table(&mut self, name: String, size: usize) -> Vec<Operation> {
        let splits = if self.one_in(3) { vec!["b".to_owned()] } else { Vec::new() };
        // Regions that have references to files of others can neither split nor merge.
        let mut reshaped = !self.one_in(2);
        self.new_versions = self.one_in(3);
        let families: Vec<_> = FAMILIES.iter().map(|name| self.family_options(name)).collect();
        self.expires = families.iter().any(|family| family.ttl.is_some());
        let max_cell = self.one_in(8).then(|| 25 + self.random.below(8));
        let table = TableOptions { name, families, splits: splits.clone(), max_cell };
        let mut operations = vec![Operation::Table(table)];
        for step in 1..size {
            let next = match self.random.below(if step < FIRST { 12 } else { 30 }) {
                0..5 => self.put(),
                5..7 => Operation::Delete(self.deletes()),
                7 => self.counter(),
                8 => Operation::Check(self.check()),
                9 => self.mutate(),
                10 => self.batch(),
                11 => match self.random.below(4) {
                    0 if step > FIRST && !reshaped => {
                        reshaped = true;
                        match splits.is_empty() {
                            true => Operation::Split(self.some(&["ab", "b", "ca"])),
                            false => Operation::Merge,
                        }
                    }
                    0 | 1 => Operation::Compact,
                    _ => Operation::Flush,
                },
                12..17 => {
                    let get = self.get();
                    if self.one_in(6) { Operation::Exists(get) } else { Operation::Get(get) }
                }
                _ => Operation::Scan(self.scan()),
            };
            operations.push(self.with_few_files(next));
        }
        operations
    }

    fn with_few_files(&mut self, next: Operation) -> Operation {
        match next {
            Operation::Flush if self.files >= MOST_FILES => {
                self.files = 1;
                Operation::Compact
            }
            Operation::Flush => {
                self.files += 1;
                next
            }
            Operation::Compact | Operation::Split(_) | Operation::Merge => {
                self.files = 1;
                next
            }
            _ => next,
        }
    }

    fn family_options(&mut self, name: &str) -> FamilyOptions {
        let versions = 1 + self.random.below(3);
        FamilyOptions {
            name: name.to_owned(),
            versions,
            min_versions: self.random.below(versions),
            keep_deleted: self.some(&["FALSE", "FALSE", "TRUE", "TTL"]),
            new_versions: self.new_versions && !self.one_in(3),
            // The times of most cells are long ago, and those of counters are not.
            ttl: self.one_in(6).then_some(DAY),
        }
    }

    fn put(&mut self) -> Operation {
        let row = self.row();
        let mut cells = Vec::new();
        for _ in 0..=self.random.below(4) {
            let kind = if self.one_in(12) { *self.random.pick(&MARKERS) } else { Kind::Put };
            cells.push(self.cell(kind));
        }
        let ttl = self.one_in(40).then(|| *self.random.pick(&[1, 1_000 * DAY * 365 * 100]));
        Operation::Put(Change { row, cells, ttl })
    }

    fn deletes(&mut self) -> Change {
        let row = self.row();
        let mut cells = Vec::new();
        for _ in 0..=self.random.below(2) {
            let kind = *self.random.pick(&MARKERS);
            cells.push(self.cell(kind));
        }
        Change { row, cells, ttl: None }
    }

    fn cell(&mut self, kind: Kind) -> Cell {
        let of_family = matches!(kind, Kind::DeleteFamily | Kind::DeleteFamilyVersion);
        let qualifier = if of_family { String::new() } else { self.qualifier() };
        let of_column = matches!(kind, Kind::Delete | Kind::DeleteColumn);
        Cell {
            kind,
            family: if self.one_in(60) { "z".to_owned() } else { self.family() },
            time: Some(if of_column && qualifier.is_empty() { AFTER } else { self.time() }),
            qualifier,
            value: if kind == Kind::Put { self.value() } else { String::new() },
            by: 0,
        }
    }

    fn counter(&mut self) -> Operation {
        let row = self.some(&COUNTERS);
        let adds = self.one_in(2);
        let (family, qualifier) = (self.family(), if adds { "n".into() } else { self.qualifier() });
        // Now and then a number is added to what is none.
        let qualifier = if self.one_in(10) { self.qualifier() } else { qualifier };
        let value = if adds { String::new() } else { self.value() };
        let cell = Cell { kind: Kind::Put, family, qualifier, time: None, value, by: 3 };
        let change = Change { row, cells: vec![cell], ttl: None };
        match (adds, self.one_in(8)) {
            (true, _) => Operation::Increment(change),
            (false, false) => Operation::Append(change),
            (false, true) => {
                let mut cells = change.cells;
                for cell in &mut cells {
                    cell.kind = *self.random.pick(&[Kind::DeleteColumn, Kind::DeleteFamily]);
                    cell.value.clear();
                    if cell.kind == Kind::DeleteFamily {
                        cell.qualifier.clear();
                    }
                }
                Operation::Delete(Change { cells, ..change })
            }
        }
    }

    fn check(&mut self) -> Check {
        let row = self.row();
        let filter = self.one_in(4).then(|| self.filter(1, false));
        let (family, qualifier) = (self.family(), self.qualifier());
        let operator = *self.random.pick(&OPERATORS);
        let value = if self.one_in(5) { None } else { Some(self.value()) };
        let times = if self.one_in(5) { self.times() } else { None };
        let then = match self.random.below(3) {
            0 => Operation::Delete(Change { row: row.clone(), ..self.deletes() }),
            1 => self.mutate_of(&row),
            _ => {
                let cells = vec![self.cell(Kind::Put)];
                Operation::Put(Change { row: row.clone(), cells, ttl: None })
            }
        };
        Check { row, filter, family, qualifier, operator, value, times, then: Box::new(then) }
    }

    fn mutate(&mut self) -> Operation {
        let row = self.row();
        self.mutate_of(&row)
    }

    fn mutate_of(&mut self, row: &str) -> Operation {
        let changes = (0..=self.random.below(3)).map(|_| {
            let row = row.to_owned();
            if self.one_in(3) {
                return Operation::Delete(Change { row, ..self.deletes() });
            }
            let cells = vec![self.cell(Kind::Put)];
            Operation::Put(Change { row, cells, ttl: None })
        });
        Operation::Mutate(changes.collect())
    }

    fn batch(&mut self) -> Operation {
        let operations = (0..=self.random.below(4)).map(|_| match self.random.below(4) {
            0 => Operation::Get(self.get()),
            1 => Operation::Delete(self.deletes()),
            2 => {
                let cells = vec![self.cell(Kind::Put), self.cell(Kind::Put)];
                Operation::Put(Change { row: self.row(), cells, ttl: None })
            }
            _ => self.mutate(),
        });
        // The order in which a server carries out the changes of a row in a batch is its own.
        let mut rows: Vec<String> = Vec::new();
        let mut batch = Vec::new();
        for operation in operations {
            let row = row_of(&operation);
            if !rows.contains(&row) {
                rows.push(row);
                batch.push(operation);
            }
        }
        Operation::Batch(batch)
    }

    fn get(&mut self) -> Get {
        let counters = self.one_in(12);
        let row = if counters { self.some(&COUNTERS) } else { self.row() };
        Get { row, selection: self.selection(false, false, 6) }
    }

    fn selection(&mut self, reversed: bool, raw: bool, rare: u64) -> Selection {
        let columns = match raw {
            true if self.one_in(10) => vec![(self.family(), Some(self.qualifier()))],
            true => Vec::new(),
            false => self.columns(),
        };
        let filtered = if raw { self.one_in(3) } else { self.one_in(2) };
        let limited = self.one_in(rare);
        Selection {
            versions: 1 + self.random.below(3) as u32,
            // Which old markers a server returns depends on the files that it opens.
            times: if self.one_in(3) && !raw { self.times() } else { None },
            columns,
            filter: filtered.then(|| self.filter(2, reversed)),
            on_demand: self.one_in(3).then(|| self.one_in(2)),
            store_limit: limited.then(|| 1 + self.random.below(2) as u32),
            store_offset: if limited { self.random.below(2) as u32 } else { 0 },
        }
    }

    fn scan(&mut self) -> Scan {
        let reversed = self.one_in(4);
        let raw = self.one_in(6);
        let (mut from, mut to) = (self.row(), self.row());
        if (from > to) != reversed {
            std::mem::swap(&mut from, &mut to);
        }
        let (from, to) = (self.bound(from), self.bound(to));
        let mut selection = self.selection(reversed, raw, 8);
        let files_show = self.expires || selection.times.is_some();
        if files_show && selection.filter.as_ref().is_some_and(Filter::counts_columns) {
            // It ends the scan if the row has a cell after those that it counts.
            selection.filter = None;
        }
        let whole = selection.filter.as_ref().is_some_and(Filter::has_row_decision);
        let batch = (!whole && self.one_in(2)).then(|| 1 + self.random.below(3) as u32);
        if batch.is_some() || reversed {
            // HBase loses cells and rows between the parts of rows. It refuses a reversed scan only
            // after it has opened the files, which it never closes.
            selection.on_demand = Some(false);
        }
        let parts_show = files_show && batch.is_some();
        Scan {
            reversed,
            raw,
            from,
            to,
            selection,
            partial: self.one_in(2),
            batch,
            // Both count a row when it is known that it does not continue.
            limit: (self.one_in(4) && !parts_show).then(|| 1 + self.random.below(3) as u32),
            caching: self.one_in(4).then(|| 1 + self.random.below(2) as u32),
            cursors: self.one_in(10) && !parts_show,
        }
    }

    fn bound(&mut self, row: String) -> (String, bool) {
        if self.one_in(3) { (String::new(), true) } else { (row, self.one_in(2)) }
    }

    fn columns(&mut self) -> Vec<(String, Option<String>)> {
        if self.one_in(4) {
            let family = if self.one_in(20) { "z".to_owned() } else { self.family() };
            return vec![(family, None)];
        }
        if !self.one_in(3) {
            return Vec::new();
        }
        (0..=self.random.below(3)).map(|_| (self.family(), Some(self.qualifier()))).collect()
    }

    fn filter(&mut self, depth: u32, reversed: bool) -> Filter {
        match self.random.below(if depth == 0 { 22 } else { 28 }) {
            0 => Filter::ColumnCount(1 + self.random.below(3) as u32),
            1 => {
                let (limit, offset) = (1 + self.random.below(2), self.random.below(3));
                Filter::ColumnPage { limit: limit as u32, offset: offset as u32 }
            }
            2 => {
                let limit = 1 + self.random.below(2) as u32;
                Filter::ColumnPageFrom { limit, from: self.qualifier() }
            }
            3 => Filter::ColumnPrefix(self.qualifier()),
            4 => {
                let prefixes = if self.one_in(2) { ["a", "c"] } else { ["ab", "b"] };
                Filter::ColumnPrefixes(prefixes.map(str::to_owned).to_vec())
            }
            5 => {
                let (min, max) = (self.qualifier(), self.qualifier());
                Filter::ColumnRange {
                    min: (!self.one_in(4)).then(|| (min, self.one_in(2))),
                    max: (!self.one_in(4)).then(|| (max, self.one_in(2))),
                }
            }
            6 => Filter::ColumnValue {
                family: self.family(),
                qualifier: self.qualifier(),
                comparison: self.of_values(),
            },
            7 => Filter::Family(self.comparison(&FAMILIES)),
            8 => Filter::FirstKeyOnly,
            // HBase may search forever for what matches a pattern in a reversed scan.
            9 if !reversed => {
                let patterns = (0..=self.random.below(2)).map(|_| {
                    let mask = vec![self.random.below(2) as u8, self.random.below(2) as u8];
                    (self.some(&["ab", "ba", "ca"]), mask)
                });
                Filter::FuzzyRows(patterns.collect())
            }
            9 | 10 => Filter::InclusiveStop(self.row()),
            11 => Filter::KeyOnly(self.one_in(2)),
            12 => {
                let (first, second) = (self.one_in(2), self.one_in(2));
                let (a, b) = ("aa".to_owned(), self.some(&["ab", "aba"]));
                let (c, d) = ("ba".to_owned(), self.some(&["ca", "cz"]));
                Filter::RowRanges(vec![(a, first, b, second), (c, self.one_in(2), d, true)])
            }
            13 => Filter::Page(1 + self.random.below(3)),
            14 => Filter::Prefix(self.some(&["a", "ab", "b", "ca"])),
            15 => Filter::Qualifier(self.comparison(&QUALIFIERS)),
            16 => Filter::Row(self.comparison(&ROWS)),
            17 => Filter::SingleColumn {
                family: self.family(),
                qualifier: self.qualifier(),
                comparison: self.of_values(),
                if_missing: self.one_in(2),
                latest_only: self.one_in(2),
                exclude: self.one_in(3),
            },
            18 | 19 => {
                let times = vec![self.time(), self.time()];
                Filter::Timestamps { times, by_seeking: self.one_in(2) }
            }
            20 => Filter::Value(self.of_values()),
            21 => Filter::DependentColumn {
                family: self.family(),
                qualifier: self.qualifier(),
                drop: self.one_in(2),
                value: self.one_in(2).then(|| self.of_values()),
            },
            22 => Filter::Skip(Box::new(self.filter(depth - 1, reversed))),
            23 => Filter::While(Box::new(self.filter(depth - 1, reversed))),
            _ => {
                let count = if self.one_in(4) { 3 } else { 2 };
                let members = (0..count).map(|_| self.filter(depth - 1, reversed)).collect();
                if self.one_in(2) { Filter::All(members) } else { Filter::Any(members) }
            }
        }
    }

    fn of_values(&mut self) -> Comparison {
        self.comparison(&["v0", "v1", "v2", "v3"])
    }

    fn comparison(&mut self, with: &[&str]) -> Comparison {
        let operator = *self.random.pick(&OPERATORS);
        let text = self.some(with);
        match self.random.below(8) {
            0 if !text.is_empty() => {
                let text = text.get(..1).unwrap_or_default().to_owned();
                Comparison { operator, comparator: Comparator::Prefix(text) }
            }
            1 if !text.is_empty() => {
                let operator = *self.random.pick(&[Operator::Equal, Operator::NotEqual]);
                Comparison { operator, comparator: Comparator::Substring(text) }
            }
            _ => Comparison { operator, comparator: Comparator::Binary(text) },
        }
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.random.below(n) == 0
    }

    fn some(&mut self, of: &[&str]) -> String {
        (*self.random.pick(of)).to_owned()
    }

    fn row(&mut self) -> String {
        self.some(&ROWS)
    }

    fn family(&mut self) -> String {
        self.some(&FAMILIES)
    }

    fn qualifier(&mut self) -> String {
        self.some(&QUALIFIERS)
    }

    fn value(&mut self) -> String {
        self.some(&["v0", "v1", "v2", "v3"])
    }

    fn time(&mut self) -> u64 {
        1 + self.random.below(6)
    }

    /// A range of times. Cells that a server does not see because their file has none in the range
    /// would decide about others with `NEW_VERSION_BEHAVIOR`.
    fn times(&mut self) -> Option<(u64, u64)> {
        (!self.new_versions).then(|| (self.random.below(3), 3 + self.random.below(4)))
    }
}

/// The row that an operation of a batch reads or changes.
fn row_of(operation: &Operation) -> String {
    match operation {
        Operation::Put(change) | Operation::Delete(change) => change.row.clone(),
        Operation::Get(get) => get.row.clone(),
        Operation::Mutate(changes) => changes.first().map(row_of).unwrap_or_default(),
        _ => String::new(),
    }
}
