//! A server, and what it answers to the operations of a script, as text.

use std::error::Error as _;
use std::fmt::Write as _;
use std::ops::Bound;
use std::time::Duration;

use tallrow::admin::{CompactionState, FamilyDescriptor, HBaseAdmin, TableDescriptor};
use tallrow::op::{self, CheckAndMutate, Mutation, RowMutations, RowOperation};
use tallrow::scan::ScanStep;
use tallrow::{
    Append, Client, Delete, Error, ErrorKind, Get, Increment, Put, RawTable, Result, Row, Scan,
    Timestamp,
};

use crate::filters;
use crate::script::{self, Change, Kind, Operation, Selection, TableOptions};

/// From here on, a time is that of a server.
const NOW: u64 = 1_000_000_000;
/// How often an end of a split, a merge or a compaction is looked for; what does not end by then
/// never does.
const PAUSE: Duration = Duration::from_millis(10);
const PAUSES: u32 = 6_000;
/// How often new regions are compacted until nothing changes.
const COMPACTIONS: u32 = 4;

/// A client of one server, for one table.
#[derive(Debug)]
pub(crate) struct Side {
    client: Client,
    name: String,
    table: RawTable,
    /// Whether what may follow in a row can be compared: a file of which all cells have expired is
    /// not opened, so that flushes show in it.
    flags: bool,
}

impl Side {
    pub(crate) async fn create(client: &Client, options: &TableOptions) -> Result<Self> {
        let mut descriptor = TableDescriptor::new(&options.name[..])?;
        if let Some(bytes) = options.max_cell {
            descriptor = descriptor.attribute("hbase.server.keyvalue.maxsize", bytes);
        }
        for family in &options.families {
            let mut of = FamilyDescriptor::new(&family.name)
                .attribute("VERSIONS", family.versions)
                .attribute("MIN_VERSIONS", family.min_versions)
                .attribute("KEEP_DELETED_CELLS", &family.keep_deleted)
                .attribute("NEW_VERSION_BEHAVIOR", family.new_versions);
            if let Some(seconds) = family.ttl {
                of = of.attribute("TTL", seconds);
            }
            descriptor = descriptor.family(of);
        }
        let side = Self {
            client: client.clone(),
            name: options.name.clone(),
            table: client.raw_table(&options.name[..])?,
            flags: options.families.iter().all(|family| family.ttl.is_none()),
        };
        side.drop_table().await?;
        client.admin().create_table_with_splits(&descriptor, &options.splits).await?;
        Ok(side)
    }

    pub(crate) async fn drop_table(&self) -> Result<()> {
        let admin = self.client.admin();
        if admin.table_exists(&self.name[..]).await? {
            // It may be disabled already.
            let _ = self.hbase()?.disable_table(&self.name[..]).await;
            admin.delete_table(&self.name[..]).await?;
        }
        Ok(())
    }

    fn hbase(&self) -> Result<HBaseAdmin> {
        self.client.admin().hbase()
    }

    /// What the server answers.
    pub(crate) async fn answer(&self, operation: &Operation) -> String {
        let mut found = String::new();
        if let Err(error) = self.carry_out(operation, &mut found).await {
            found += &self.shown_error(&error);
        }
        found
    }

    async fn carry_out(&self, operation: &Operation, found: &mut String) -> Result<()> {
        match operation {
            Operation::Table(_) => {}
            // Only Java's client has puts with delete markers.
            Operation::Put(change) if change.cells.iter().any(|cell| cell.kind != Kind::Put) => {
                put_row(found, self.table.mutate_row(with_markers(change)?).await?.as_ref());
            }
            Operation::Put(change) => self.table.put(put(change)).await?,
            Operation::Delete(change) => self.table.delete(delete(change)).await?,
            Operation::Increment(change) => {
                let row = self.table.increment(increment(change)).await;
                tokio::time::sleep(Duration::from_millis(2)).await;
                put_row(found, row?.as_ref());
            }
            Operation::Append(change) => {
                let row = self.table.append(append(change)).await;
                tokio::time::sleep(Duration::from_millis(2)).await;
                put_row(found, row?.as_ref());
            }
            Operation::Mutate(changes) => {
                put_row(found, self.table.mutate_row(row_mutations(changes)?).await?.as_ref());
            }
            Operation::Check(of) => {
                let _ = write!(found, "{:?}", self.table.check_and_mutate(check(of)?).await?);
            }
            Operation::Batch(operations) => {
                let operations: Vec<_> = operations.iter().map(in_batch).collect::<Result<_>>()?;
                for outcome in &self.table.batch(operations).await[..] {
                    match outcome {
                        Ok(outcome) => put_row(found, outcome.row.as_ref()),
                        Err(error) => *found += &self.shown_error(error),
                    }
                    found.push_str("; ");
                }
            }
            Operation::Get(of) => put_row(found, self.table.get(get(of)).await?.as_ref()),
            Operation::Exists(of) => {
                let _ = write!(found, "{}", self.table.exists(get(of)).await?);
            }
            Operation::Scan(of) => self.scan(of, found).await?,
            Operation::Flush => self.hbase()?.flush(&self.name[..]).await?,
            Operation::Compact => self.compact(found).await?,
            Operation::Split(at) => {
                let regions = self.hbase()?.regions(&self.name[..]).await?;
                if let Some(region) = regions.first() {
                    self.hbase()?.split_region(region, at).await?;
                }
                self.settle(regions.len() + 1, found).await?;
            }
            Operation::Merge => {
                let regions = self.hbase()?.regions(&self.name[..]).await?;
                self.hbase()?.merge_regions(&regions).await?;
                self.settle(1, found).await?;
            }
        }
        Ok(())
    }

    /// Waits until the table has this many regions, all of them are open, and no compaction leaves
    /// out more than the one before it. New regions compact the files of those before them by
    /// themselves, at some time, and what is asked for meanwhile is left out; and once a compaction
    /// has left out the oldest puts, the next one leaves out the markers before them. So all are
    /// compacted as often as it takes, whether or not the regions have begun by themselves.
    async fn settle(&self, count: usize, found: &mut String) -> Result<()> {
        for _ in 0..PAUSES {
            let regions = self.hbase()?.regions(&self.name[..]).await?;
            if regions.len() == count && regions.iter().all(|region| region.server().is_some()) {
                for _ in 0..COMPACTIONS {
                    self.compact(found).await?;
                }
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        found.push_str("the regions do not open");
        Ok(())
    }

    async fn compact(&self, found: &mut String) -> Result<()> {
        let hbase = self.hbase()?;
        hbase.flush(&self.name[..]).await?;
        hbase.major_compact(&self.name[..]).await?;
        for _ in 0..PAUSES {
            if hbase.compaction_state(&self.name[..]).await? == CompactionState::None {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        found.push_str("the compaction does not end");
        Ok(())
    }

    async fn scan(&self, of: &script::Scan, found: &mut String) -> Result<()> {
        let mut rows = self.table.scan(scan(of))?;
        // A file without cells in a range of times is not opened either.
        let flags = self.flags && of.selection.times.is_none();
        while let Some(step) = rows.next_step().await? {
            match step {
                ScanStep::Row(row) => {
                    put_row(found, Some(&row));
                    found.push_str(if flags && row.is_partial() { ".. " } else { "| " });
                }
                step => {
                    let _ = write!(found, "{step:?}");
                }
            }
        }
        Ok(())
    }

    /// The class of the server's exception, or the kind of the error, and the first line of its
    /// text, without what is different for each server.
    fn shown_error(&self, error: &Error) -> String {
        let message = error.message();
        let line = message.lines().next().unwrap_or_default();
        let region = format!("{},", self.name);
        let words = line.split(' ').map(|word| {
            if word.contains(&region) || word.contains("HRegion$") {
                "REGION"
            } else if word.chars().filter(char::is_ascii_digit).count() > 8 {
                "NUMBER"
            } else {
                word
            }
        });
        let words: Vec<&str> = words.collect();
        let kind = format!("{:?}", error.kind());
        let shown = format!("{}: {}", error.exception().unwrap_or(&kind), words.join(" "));
        match error.source() {
            // No answer, or one that leaves open what the server did.
            Some(cause) if error.kind() == ErrorKind::OutcomeUnknown => {
                format!("{shown}: {cause:?}")
            }
            _ => shown,
        }
    }
}

fn put_row(found: &mut String, row: Option<&Row>) {
    for cell in row.into_iter().flat_map(Row::cells) {
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let (row, value) = (text(cell.row()), text(cell.value()));
        let (family, qualifier) = (text(cell.family()), text(cell.qualifier()));
        let time = match cell.timestamp().as_millis() {
            NOW.. => "now".to_owned(),
            time => time.to_string(),
        };
        let _ = write!(found, "{row}/{family}:{qualifier}/{time}/{:?}={value} ", cell.kind());
    }
}

fn time_of(cell: &script::Cell) -> Option<Timestamp> {
    cell.time.map(Timestamp::from_millis)
}

fn put(change: &Change) -> Put {
    let mut put = Put::new(&change.row);
    for cell in &change.cells {
        put = match time_of(cell) {
            Some(time) => put.cell_at(&cell.family, &cell.qualifier, time, &cell.value),
            None => put.cell(&cell.family, &cell.qualifier, &cell.value),
        };
    }
    match change.ttl {
        Some(ttl) => put.ttl(Duration::from_millis(ttl)),
        None => put,
    }
}

fn delete(change: &Change) -> Delete {
    change.cells.iter().fold(Delete::new(&change.row), |delete, cell| {
        let (family, qualifier) = (&cell.family, &cell.qualifier);
        match (cell.kind, time_of(cell)) {
            (Kind::DeleteFamily, Some(time)) => delete.family_until(family, time),
            (Kind::DeleteFamily, None) => delete.family(family),
            (Kind::DeleteFamilyVersion, time) => {
                delete.family_version(family, time.unwrap_or(Timestamp::from_millis(1)))
            }
            (Kind::Delete, Some(time)) => delete.version(family, qualifier, time),
            (_, Some(time)) => delete.column_until(family, qualifier, time),
            (_, None) => delete.column(family, qualifier),
        }
    })
}

/// Puts with delete markers among them, in their order.
fn with_markers(change: &Change) -> Result<RowMutations> {
    let changes = change.cells.iter().map(|cell| {
        let one = Change { cells: vec![cell.clone()], ..change.clone() };
        if cell.kind == Kind::Put { Operation::Put(one) } else { Operation::Delete(one) }
    });
    row_mutations(&changes.collect::<Vec<_>>())
}

fn row_mutations(changes: &[Operation]) -> Result<RowMutations> {
    let row = match changes.first() {
        Some(Operation::Put(change) | Operation::Delete(change)) => &change.row,
        other => return Err(Error::invalid_argument(format!("no change of a row: {other:?}"))),
    };
    let mut mutations = RowMutations::new(row);
    for change in changes {
        mutations = mutations.add(mutation(change)?);
    }
    Ok(mutations)
}

fn mutation(of: &Operation) -> Result<Mutation> {
    Ok(match of {
        Operation::Put(change) => put(change).into(),
        Operation::Delete(change) => delete(change).into(),
        Operation::Increment(change) => increment(change).into(),
        Operation::Append(change) => append(change).into(),
        Operation::Mutate(changes) => row_mutations(changes)?.into(),
        other => return Err(Error::invalid_argument(format!("no change of a row: {other:?}"))),
    })
}

fn increment(change: &Change) -> Increment {
    change.cells.iter().fold(Increment::new(&change.row), |increment, cell| {
        increment.add(&cell.family, &cell.qualifier, cell.by)
    })
}

fn append(change: &Change) -> Append {
    change.cells.iter().fold(Append::new(&change.row), |append, cell| {
        append.add(&cell.family, &cell.qualifier, &cell.value)
    })
}

fn check(of: &script::Check) -> Result<CheckAndMutate> {
    let check = match &of.filter {
        Some(filter) => op::Check::if_row_matches(&of.row, filters::filter(filter)),
        None => {
            let mut check = op::Check::new(&of.row, &of.family, &of.qualifier);
            if let Some((from, to)) = of.times {
                check = check.time_range(Timestamp::from_millis(from)..Timestamp::from_millis(to));
            }
            match &of.value {
                Some(value) => check.if_matches(filters::compare_operator(of.operator), value),
                None => check.if_not_exists(),
            }
        }
    };
    Ok(check.then(mutation(&of.then)?))
}

fn in_batch(of: &Operation) -> Result<RowOperation> {
    Ok(match of {
        Operation::Get(of) => get(of).into(),
        change => mutation(change)?.into(),
    })
}

macro_rules! selected {
    ($read:expr, $selection:expr) => {{
        let Selection { versions, times, columns, filter, store_limit, store_offset, .. } =
            $selection;
        let mut read = $read.versions(*versions);
        if let Some((from, to)) = times {
            read = read.time_range(Timestamp::from_millis(*from)..Timestamp::from_millis(*to));
        }
        for (family, qualifier) in columns {
            read = match qualifier {
                Some(qualifier) => read.column(family, qualifier),
                None => read.family(family),
            };
        }
        if let Some(filter) = filter {
            read = read.filter(filters::filter(filter));
        }
        (read, *store_limit, *store_offset)
    }};
}

fn get(of: &script::Get) -> Get {
    // A get of this client has no limit of cells.
    selected!(Get::new(&of.row), &of.selection).0
}

fn scan(of: &script::Scan) -> Scan {
    let bound = |(row, included): &(String, bool)| match (row.is_empty(), included) {
        (true, _) => Bound::Unbounded,
        (false, true) => Bound::Included(row.clone()),
        (false, false) => Bound::Excluded(row.clone()),
    };
    let (mut from, mut to) = (bound(&of.from), bound(&of.to));
    if of.reversed {
        std::mem::swap(&mut from, &mut to);
    }
    let (mut scan, limit, offset) = selected!(Scan::range((from, to)), &of.selection);
    if of.reversed {
        scan = scan.reversed();
    }
    if of.raw {
        scan = scan.raw();
    }
    if let Some(limit) = limit {
        scan = scan.cells_per_family(limit);
    }
    if offset > 0 {
        scan = scan.cell_offset(offset);
    }
    if of.partial {
        scan = scan.partial_rows();
    }
    if let Some(cells) = of.batch {
        scan = scan.batch(cells);
    }
    if let Some(rows) = of.limit {
        scan = scan.limit(rows.into());
    }
    if let Some(rows) = of.caching {
        scan = scan.rows_per_call(rows);
    }
    if of.cursors { scan.cursors() } else { scan }
}
