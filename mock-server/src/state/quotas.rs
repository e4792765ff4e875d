//! The quotas of a cluster.

use std::collections::BTreeMap;

use tallrow_wire::proto;

use super::kept::Recorded;
use crate::journal::{QuotaRecord, QuotasRecord, Record, StateChange};

/// The quotas, by their row and qualifier in `hbase:quota`.
pub(crate) type Quotas = BTreeMap<(String, String), proto::Quotas>;

impl From<&Quotas> for StateChange {
    fn from(quotas: &Quotas) -> Self {
        let quota = |((row, qualifier), quotas): (&(String, String), &proto::Quotas)| QuotaRecord {
            row: row.clone(),
            qualifier: qualifier.clone(),
            quotas: Some(quotas.clone()),
        };
        let record = QuotasRecord { quotas: quotas.iter().map(quota).collect() };
        Self { quotas: Some(record), ..Self::default() }
    }
}

impl From<QuotasRecord> for Quotas {
    fn from(record: QuotasRecord) -> Self {
        let quota = |of: QuotaRecord| ((of.row, of.qualifier), of.quotas.unwrap_or_default());
        record.quotas.into_iter().map(quota).collect()
    }
}

impl Recorded for Quotas {
    fn take_record(&mut self) -> Option<Record> {
        Some(StateChange::from(&*self).into())
    }
}
