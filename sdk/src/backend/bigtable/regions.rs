//! Divides a table into parts at its sampled row keys. A scan divides its work by these parts, and
//! the program gets them in place of regions.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;

use super::call::{AttemptContext, AttemptDeadline, next_message};
use super::explanation::invalid_answer_error;
use super::failure::Failure;
use super::headers::RoutingState;
use super::instance::{Instance, TableContext};
use super::retry::RetryState;
use super::samples::{KeySample, TableParts};
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::key::RowRange;
use crate::model::region_location::RegionLocation;
use crate::wire::bigtable::{
    EndKey, RowRange as RangeMessage, SampleRowKeysRequest, SampleRowKeysResponse, StartKey, method,
};
use crate::{Result, TableName};

impl Instance {
    /// Returns sampled row keys at which a range of a table is divided, each with the number of
    /// bytes before that key. The last key is the end of the range; an empty one stands for the end
    /// of the table.
    pub(super) async fn sample_row_keys(
        &self,
        operation: &'static str,
        table: &TableName,
        range: &RowRange,
        timeout: Option<Duration>,
    ) -> Result<Vec<KeySample>> {
        // A request without bounds would sample the whole table.
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let timeout = timeout.unwrap_or(self.config.operation_timeout);
        let mut attempts = self.budgeted_attempts(operation, table, timeout);
        let samples = async {
            let known = self.table_context(table)?;
            let mut cookies = RoutingState::default();
            let mut retry = RetryState::new(Idempotency::Read);
            loop {
                attempts.begin_attempt();
                match self.samples_once(&known, range, &mut attempts, &mut cookies).await? {
                    Ok(samples) => return Ok(samples),
                    Err(failure) => {
                        retry.pause(&failure, self.data.server(), &mut attempts).await?;
                    }
                }
            }
        };
        let samples = samples.await;
        attempts.end(samples.map_err(|error: crate::Error| error.on_table(table)))
    }

    async fn samples_once(
        &self,
        known: &TableContext,
        range: &RowRange,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
    ) -> Result<Result<Vec<KeySample>, Failure>> {
        let most = self.attempt_timeout(Idempotency::Read, None);
        let sending = AttemptContext {
            instance: self,
            pool: &self.data,
            path: method::SAMPLE_ROW_KEYS,
            headers: &known.headers,
            limit: AttemptDeadline::of(attempts, most),
            lasts: false,
        };
        let request = SampleRowKeysRequest {
            table_name: known.target.table.clone(),
            authorized_view_name: known.target.authorized_view.clone(),
            materialized_view_name: known.target.materialized_view.clone(),
            app_profile_id: self.endpoint.app_profile.clone(),
            row_range: range_message(range),
        };
        let mut answer = match sending.streaming(&request, attempts, cookies).await {
            Ok(answer) => answer,
            Err(failure) => return Ok(Err(failure)),
        };
        let mut samples: Vec<KeySample> = Vec::new();
        loop {
            let message = match next_message(&mut answer, sending.limit, cookies).await {
                Ok(Some(message)) => message,
                Ok(None) => return Ok(Ok(samples)),
                Err(failure) => return Ok(Err(failure)),
            };
            let sample = SampleRowKeysResponse::decode(message).map_err(invalid_answer_error)?;
            let key = sample.row_key;
            if let Some(KeySample { key: last, .. }) = samples.last()
                && (last.is_empty() || (!key.is_empty() && key <= *last))
            {
                let (key, last) = (key.escape_ascii(), last.escape_ascii());
                return Err(invalid_answer_error(format!("sample \"{key}\" after \"{last}\"")));
            }
            let bytes_before = u64::try_from(sample.offset_bytes).unwrap_or(0);
            samples.push(KeySample { key, bytes_before });
        }
    }

    /// Returns all parts of a table in the order of their keys. If `reload` is true or no parts are
    /// known, the service is asked for them.
    pub(crate) async fn table_parts(
        &self,
        operation: &'static str,
        table: &TableName,
        timeout: Option<Duration>,
        reload: bool,
    ) -> Result<TableParts> {
        if let Some(parts) = self.samples.get(table).filter(|_| !reload) {
            return Ok(parts);
        }
        let whole = RowRange::all();
        let samples = self.sample_row_keys(operation, table, &whole, timeout).await?;
        let keys = samples.into_iter().map(|sample| sample.key).filter(|key| !key.is_empty());
        let parts = Arc::new(self.between(table, keys));
        self.samples.put(table, parts.clone());
        Ok(parts)
    }

    fn between(&self, table: &TableName, keys: impl Iterator<Item = Bytes>) -> Vec<RegionLocation> {
        let mut parts = Vec::new();
        let mut start = Bytes::new();
        for end in keys.chain([Bytes::new()]) {
            let name = Bytes::from([table.as_str().as_bytes(), b",", &start[..]].concat());
            parts.push(RegionLocation {
                table: table.clone(),
                encoded_name: name.escape_ascii().to_string(),
                name,
                start,
                end: end.clone(),
                server: self.data.server().clone(),
                start_code: 0,
                sequence: 0,
            });
            start = end;
        }
        parts
    }
}

/// Returns a range as the service's message; `None` for the range of all rows.
fn range_message(range: &RowRange) -> Option<RangeMessage> {
    let copy = Bytes::copy_from_slice;
    let start = Some(range.start()).filter(|start| !start.is_empty());
    let start_key = start.map(|key| StartKey::StartKeyClosed(copy(key)));
    let end_key = range.stop().map(|key| EndKey::EndKeyOpen(copy(key)));
    (start_key.is_some() || end_key.is_some()).then_some(RangeMessage { start_key, end_key })
}

/// Returns the parts of a table that contain rows of a range, in the order of their keys.
pub(crate) async fn regions_in(
    instance: &Instance,
    operation: &'static str,
    table: &TableName,
    range: &RowRange,
    timeout: Option<Duration>,
) -> Result<Vec<RegionLocation>> {
    let parts = instance.table_parts(operation, table, timeout, false).await?;
    Ok(parts_in(&parts, range).cloned().collect())
}

/// Returns the parts that contain rows of a range. Few of many parts are looked at.
fn parts_in<'p>(
    parts: &'p [RegionLocation],
    range: &RowRange,
) -> impl Iterator<Item = &'p RegionLocation> {
    let parts = parts.get(part_at(parts, range.start())..).unwrap_or_default();
    parts.iter().take_while(move |part| part.intersection(range).is_some())
}

/// Returns the position of the part that contains a row.
fn part_at(parts: &[RegionLocation], row: &[u8]) -> usize {
    parts.partition_point(|part| !part.end.is_empty() && part.end <= *row)
}

/// Returns the part that contains a row.
pub(crate) async fn locate(
    instance: &Instance,
    operation: &'static str,
    table: &TableName,
    row: &[u8],
    timeout: Option<Duration>,
    reload: bool,
) -> Result<RegionLocation> {
    let parts = instance.table_parts(operation, table, timeout, reload).await?;
    let found = parts.get(part_at(&parts, row)).cloned();
    found.ok_or_else(|| {
        invalid_answer_error("no sample is after the row")
            .with_operation_if_unset(operation)
            .on_table(table)
    })
}

/// Requests all parts of a table from the service, and returns them in the order of their keys.
pub(crate) async fn all_regions(
    instance: &Instance,
    table: &TableName,
    timeout: Option<Duration>,
) -> Result<Vec<RegionLocation>> {
    Ok(instance.table_parts("locate regions", table, timeout, true).await?.to_vec())
}

/// Returns the known parts of a table in the order of their keys; empty if no parts are known.
pub(crate) fn known_regions(instance: &Instance, table: &TableName) -> Vec<RegionLocation> {
    instance.samples.get(table).map(|parts| parts.to_vec()).unwrap_or_default()
}

/// Forgets all parts of a table, whichever row is given.
pub(crate) fn forget_regions(instance: &Instance, table: &TableName, _row: Option<&[u8]>) {
    instance.samples.forget(Some(table));
}

/// Forgets the parts of all tables: Bigtable does not tell which server has a part.
#[expect(clippy::unnecessary_wraps, reason = "HBase has names of servers that are invalid")]
pub(crate) fn forget_server(instance: &Instance, _server: &str) -> Result<()> {
    forget_all_regions(instance);
    Ok(())
}

/// Forgets the parts of all tables.
pub(crate) fn forget_all_regions(instance: &Instance) {
    instance.samples.forget(None);
}

/// Requests all parts of a table from the service, so that later operations know them.
pub(crate) async fn prefetch_regions(instance: &Instance, table: &TableName) -> Result<()> {
    instance.table_parts("prefetch regions", table, None, true).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::RowBuf;

    /// If each lookup looked at all parts, this would take minutes.
    #[test]
    fn a_part_is_found_among_many() {
        const PARTS: u32 = 50_000;
        let key = |at: u32| match at {
            0 | PARTS => Bytes::new(),
            at => Bytes::copy_from_slice(&at.to_be_bytes()),
        };
        let part = |at: u32| RegionLocation {
            table: TableName::parse("t").unwrap(),
            encoded_name: String::new(),
            name: Bytes::new(),
            start: key(at),
            end: key(at + 1),
            server: "s:1".into(),
            start_code: 0,
            sequence: 0,
        };
        let parts: Vec<_> = (0..PARTS).map(part).collect();
        for at in 0..PARTS {
            assert_eq!(part_at(&parts, &key(at)), at as usize);
            let inside = [&key(at)[..], b"\0"].concat();
            assert_eq!(part_at(&parts, &inside), at as usize);
            let next = key((at + 2).min(PARTS));
            let stop = Some(RowBuf::from_slice(&next)).filter(|_| !next.is_empty());
            let range = RowRange::new(RowBuf::from_slice(&inside), stop);
            let starts: Vec<_> = parts_in(&parts, &range).map(|part| part.start.clone()).collect();
            assert_eq!(starts, (at..(at + 2).min(PARTS)).map(key).collect::<Vec<_>>());
        }
        let none = RowRange::new(RowBuf::from_slice(b"b"), Some(RowBuf::from_slice(b"a")));
        assert_eq!(parts_in(&parts, &none).count(), 0);
    }
}
