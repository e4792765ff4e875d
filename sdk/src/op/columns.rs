use bytes::Bytes;

use crate::Timestamp;
use crate::wire::cell::LATEST_TIMESTAMP;
use crate::wire::proto::{Column, TimeRange};

/// Which cells a read brings: columns, versions, times. Shared by `Get` and `Scan`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    pub(crate) versions: u32,
    pub(crate) time_range: Option<TimeRange>,
}

impl Default for Columns {
    fn default() -> Self {
        Self { columns: Vec::new(), versions: 1, time_range: None }
    }
}

impl Columns {
    pub(crate) fn family(&mut self, family: &[u8]) {
        self.add_family(Bytes::copy_from_slice(family));
    }

    pub(crate) fn column(&mut self, family: &[u8], qualifier: &[u8]) {
        self.add(Bytes::copy_from_slice(family), Bytes::copy_from_slice(qualifier));
    }

    /// Reads families and columns whose names are in the program: their copies have nothing to count.
    pub(crate) fn named(
        versions: u32,
        families: impl IntoIterator<Item = &'static str>,
        columns: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        let of = |name: &'static str| Bytes::from_static(name.as_bytes());
        let mut all = Self { versions, ..Self::default() };
        families.into_iter().for_each(|family| all.add_family(of(family)));
        columns.into_iter().for_each(|(family, qualifier)| all.add(of(family), of(qualifier)));
        all
    }

    fn add_family(&mut self, family: Bytes) {
        match self.columns.iter_mut().find(|c| c.family == family) {
            // No qualifier means all of them.
            Some(column) => column.qualifier.clear(),
            None => self.columns.push(Column { family, qualifier: Vec::new() }),
        }
    }

    fn add(&mut self, family: Bytes, qualifier: Bytes) {
        match self.columns.iter_mut().find(|c| c.family == family) {
            Some(column) if column.qualifier.is_empty() => {}
            Some(column) => column.qualifier.push(qualifier),
            None => self.columns.push(Column { family, qualifier: vec![qualifier] }),
        }
    }

    /// Whether this column is read.
    pub(crate) fn contains(&self, family: &[u8], qualifier: &[u8]) -> bool {
        let read = |c: &Column| {
            c.family == family
                && (c.qualifier.is_empty() || c.qualifier.iter().any(|q| q == qualifier))
        };
        self.columns.is_empty() || self.columns.iter().any(read)
    }

    pub(crate) fn time_range(&mut self, from: Option<Timestamp>, to: Option<Timestamp>) {
        self.time_range = Some(TimeRange {
            from: Some(from.map_or(0, Timestamp::as_millis)),
            to: Some(to.map_or(LATEST_TIMESTAMP, Timestamp::as_millis)),
        });
    }

    pub(crate) fn at(&mut self, timestamp: Timestamp) {
        let at = timestamp.as_millis();
        self.time_range = Some(TimeRange { from: Some(at), to: Some(at + 1) });
    }

    /// As a message has it; a server reads more than Java's largest `int` as a negative number, and finds nothing.
    pub(crate) fn max_versions(&self) -> u32 {
        self.versions.min(i32::MAX as u32)
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.versions == 0 {
            return Some("at least one version must be asked for".into());
        }
        let range = self.time_range.as_ref()?;
        let (from, to) = (range.from.unwrap_or(0), range.to.unwrap_or(LATEST_TIMESTAMP));
        (from > to)
            .then(|| format!("a time range from {from} to {to} ms, which is before its start"))
    }
}
