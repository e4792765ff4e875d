//! Decodes the messages of filters, and the comparison that many of them have.

use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, CellPartFilter, CompareFilter};

use super::comparator::Comparison;
use crate::base::{RemoteResult, remote_exception};

/// Makes the error for a refused filter.
pub(super) fn rejection(filter: &proto::Filter, why: &str) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, format!("{}: {why}", filter.name))
}

/// Decodes the message of a filter's class.
pub(super) fn decode_message<M: Message + Default>(filter: &proto::Filter) -> RemoteResult<M> {
    M::decode(filter.serialized_filter.clone().unwrap_or_default()).map_err(|e| {
        let class = "org.apache.hadoop.hbase.exceptions.DeserializationException";
        rejection(filter, &format!("{class}: {e}"))
    })
}

/// Decodes the comparison of a filter whose message has no other fields.
pub(super) fn decode_comparison_filter(filter: &proto::Filter) -> RemoteResult<Comparison> {
    decode_comparison(&decode_message::<CellPartFilter>(filter)?.compare_filter)
}

/// Decodes a comparison. Without a comparator, `NullComparator` is used.
pub(super) fn decode_comparison(filter: &CompareFilter) -> RemoteResult<Comparison> {
    let null = || proto::Comparator {
        name: exception::NULL_COMPARATOR_CLASS.to_owned(),
        serialized_comparator: None,
    };
    let comparator = filter.comparator.clone().unwrap_or_else(null);
    Comparison::decode(filter.compare_op, &comparator)
}
