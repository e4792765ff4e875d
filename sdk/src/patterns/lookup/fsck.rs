//! Compares the two directions of a lookup table.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::finding::{Finding, FsckReport};
use super::handle::Lookup;
use super::mappings::{COUNTER_ROW, ID_FAMILY, Mappings, NAME_FAMILY};
use crate::{Error, Get, Result, Row, Scan};

/// How many mappings are compared with their counterparts at once.
const COMPARED: usize = 1_000;

impl Lookup {
    /// Reads all mappings of this kind, compares the two directions, and returns the faults.
    ///
    /// This function scans the table once, and gets the counterpart of each mapping. Writers may
    /// continue: their unfinished work can only cause the findings
    /// [`NameWithoutId`](Finding::NameWithoutId) and [`LeakedId`](Finding::LeakedId). Nothing is
    /// written.
    ///
    /// ```
    /// # use tallrow::{Client, Put, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// use tallrow::lookup::Finding;
    ///
    /// let hosts = Lookup::builder(table.clone(), "host").width(3).build()?;
    /// hosts.get_or_create("web01").await?;
    /// let report = hosts.fsck().await?;
    /// assert_eq!((report.names_with_id, report.ids_with_name, report.counter), (1, 1, 1));
    /// assert_eq!(report.findings, []);
    ///
    /// // Another program wrote one direction only.
    /// table.put(Put::new("web02").cell("id", "host", [0, 0, 2])).await?;
    /// let report = hosts.fsck().await?;
    /// assert_eq!(
    ///     report.findings,
    ///     [
    ///         Finding::LowCounter { counter: 1, largest: 2 },
    ///         Finding::IdWithoutName { name: "web02".into(), id: 2 }
    ///     ],
    /// );
    /// hosts.repair(&report.findings).await.into_result()?;
    /// assert_eq!(hosts.fsck().await?.findings, []);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row) and
    /// [`RawTable::get`](crate::RawTable::get); [`NotACounter`](crate::ErrorKind::NotACounter) if
    /// the counter is not 8 bytes wide.
    pub async fn fsck(&self) -> Result<FsckReport> {
        let fsck = async {
            let mappings = &self.state.mappings;
            let mut comparison = Comparison::new(mappings);
            let scan =
                Scan::all().column(ID_FAMILY, &mappings.kind).column(NAME_FAMILY, &mappings.kind);
            let mut rows = mappings.table.scan(scan)?;
            while let Some(row) = rows.next_row().await? {
                comparison.add(&row);
                if comparison.pending() >= COMPARED {
                    comparison.compare().await?;
                }
            }
            comparison.compare().await?;
            // The counter is read after the scan, so that it covers every id that was found.
            let counter = mappings.read_counter().await?;
            Ok(comparison.report(counter))
        };
        fsck.await.map_err(|error: Error| error.with_operation("fsck"))
    }
}

impl Mappings {
    /// Reads the counter; 0 if it is absent.
    pub(super) async fn read_counter(&self) -> Result<i64> {
        let get = Get::new(COUNTER_ROW).column(ID_FAMILY, &self.kind);
        let row = self.table.get(get).await?;
        Ok(row
            .map(|row| row.counter(ID_FAMILY, &self.kind))
            .transpose()?
            .flatten()
            .unwrap_or_default())
    }
}

struct Comparison<'a> {
    mappings: &'a Mappings,
    /// The mappings that were scanned and are not compared yet.
    forward: Vec<(Bytes, u64)>,
    reverse: Vec<(u64, Bytes)>,
    /// The ids on which mappings contradict each other, and the names in these mappings.
    shared: BTreeMap<u64, BTreeSet<Bytes>>,
    report: FsckReport,
}

impl<'a> Comparison<'a> {
    fn new(mappings: &'a Mappings) -> Self {
        let report = FsckReport {
            names_with_id: 0,
            ids_with_name: 0,
            largest_id: 0,
            counter: 0,
            findings: Vec::new(),
        };
        let (forward, reverse) = (Vec::new(), Vec::new());
        Self { mappings, forward, reverse, shared: BTreeMap::new(), report }
    }

    fn add(&mut self, row: &Row) {
        let key = Bytes::copy_from_slice(row.key());
        if let Some(id) = row.value(ID_FAMILY, &self.mappings.kind).filter(|_| key != COUNTER_ROW) {
            self.report.names_with_id += 1;
            match self.mappings.decode_id(id) {
                Some(id) => self.forward.push((key.clone(), id)),
                None => self.wrong_width(&key, Bytes::copy_from_slice(id)),
            }
        }
        if let Some(name) = row.value(NAME_FAMILY, &self.mappings.kind) {
            self.report.ids_with_name += 1;
            match self.mappings.decode_id(&key) {
                Some(id) => self.reverse.push((id, Bytes::copy_from_slice(name))),
                None => self.wrong_width(&key, key.clone()),
            }
        }
    }

    fn wrong_width(&mut self, row: &Bytes, id: Bytes) {
        self.report.findings.push(Finding::WrongWidth { row: row.clone(), id });
    }

    fn pending(&self) -> usize {
        self.forward.len() + self.reverse.len()
    }

    /// Gets the counterparts of the mappings that were scanned, and compares them. The counterparts
    /// are read after the scanned mappings: a name with an id already had its reverse mapping when
    /// it was scanned.
    async fn compare(&mut self) -> Result<()> {
        let (forward, reverse) =
            (std::mem::take(&mut self.forward), std::mem::take(&mut self.reverse));
        let ids = forward.iter().map(|(_, id)| *id).chain(reverse.iter().map(|(id, _)| *id));
        self.report.largest_id = ids.fold(self.report.largest_id, u64::max);
        self.compare_names(forward).await?;
        self.compare_ids(reverse).await
    }

    async fn compare_names(&mut self, forward: Vec<(Bytes, u64)>) -> Result<()> {
        let mappings = self.mappings;
        let row = |id: u64| mappings.id_row(id).unwrap_or_default();
        let gets: Vec<_> =
            forward.iter().map(|(_, id)| mappings.get_name_of_id(&row(*id))).collect();
        let rows = mappings.table.get_all(gets).await;
        for ((name, id), row) in forward.into_iter().zip(rows.into_result()?) {
            match mappings.name_in_row(row.as_ref()) {
                Some(found) if found == name => {}
                Some(found) => self.shared.entry(id).or_default().extend([name, found]),
                None => self.report.findings.push(Finding::IdWithoutName { name, id }),
            }
        }
        Ok(())
    }

    async fn compare_ids(&mut self, reverse: Vec<(u64, Bytes)>) -> Result<()> {
        let mappings = self.mappings;
        let valid = reverse.iter().filter(|(_, name)| mappings.check_name(name).is_ok());
        let gets: Vec<_> = valid.map(|(_, name)| mappings.get_id_of_name(name)).collect();
        let rows = mappings.table.get_all(gets).await;
        let mut rows = rows.into_result()?.into_iter();
        for (id, name) in reverse {
            let row = mappings.check_name(&name).ok().and_then(|_| rows.next()?);
            // An id of another width is a finding already.
            match mappings.id_in_row(row.as_ref()) {
                Ok(Some(used_id)) if used_id == id => {}
                Ok(Some(used_id)) => {
                    self.report.findings.push(Finding::LeakedId { id, name, used_id })
                }
                Ok(None) => self.report.findings.push(Finding::NameWithoutId { id, name }),
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn report(self, counter: i64) -> FsckReport {
        let Self { mut shared, mut report, .. } = self;
        for finding in &report.findings {
            if let Finding::IdWithoutName { name, id } = finding {
                shared.entry(*id).or_default().insert(name.clone());
            }
        }
        shared.retain(|_, names| names.len() > 1);
        // Repairing one of the mappings of a shared id would confirm one of its names.
        report.findings.retain(|finding| match finding {
            Finding::NameWithoutId { id, .. }
            | Finding::LeakedId { id, .. }
            | Finding::IdWithoutName { id, .. } => !shared.contains_key(id),
            _ => true,
        });
        let shared = shared.into_iter();
        report.findings.extend(
            shared.map(|(id, names)| Finding::SharedId { id, names: names.into_iter().collect() }),
        );
        let largest = report.largest_id;
        if i64::try_from(largest).is_ok_and(|largest| counter < largest) {
            // The counter is repaired first: until then, ids that are in use are taken from it.
            report.findings.insert(0, Finding::LowCounter { counter, largest });
        }
        FsckReport { counter, ..report }
    }
}
