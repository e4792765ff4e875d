//! Checks the types of families.

use tallrow_wire::bigtable::{
    Aggregate, Aggregator, Int64Encoding, Int64EncodingKind, Int64Type, Type, TypeKind,
};

use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::schema::Aggregation;

/// Returns the aggregation of a new family with this type, after checking the type.
pub(super) fn aggregation(family: &str, value_type: &Type) -> StatusResult<Aggregation> {
    let Some(TypeKind::AggregateType(aggregate)) = &value_type.kind else {
        return Err(StatusCode::Unimplemented.status(format!(
            "The value_type of column family {family} is not an aggregate_type. The mock has no \
             other types of families"
        )));
    };
    let Aggregate { input_type, aggregator, .. } = &**aggregate;
    let aggregation = match aggregator {
        Some(Aggregator::Sum(_)) => Aggregation::Sum,
        Some(Aggregator::Min(_)) => Aggregation::Min,
        Some(Aggregator::Max(_)) => Aggregation::Max,
        Some(Aggregator::HllppUniqueCount(_)) => {
            return Err(StatusCode::Unimplemented.status(format!(
                "The aggregator of column family {family} is hllpp_unique_count. The mock has sum, \
                 min and max: the service does not document the sketches of HyperLogLog++"
            )));
        }
        None => {
            return Err(invalid(format!(
                "The aggregate_type of column family {family} has no aggregator"
            )));
        }
    };
    match input_type.as_ref().map(|input| &input.kind) {
        Some(Some(TypeKind::Int64Type(int64))) if is_big_endian(int64) => Ok(aggregation),
        Some(Some(TypeKind::Int64Type(_))) => Err(invalid(format!(
            "The input_type of the aggregate of column family {family} must have the encoding \
             big_endian_bytes"
        ))),
        _ => Err(invalid(format!(
            "The input_type of the aggregate of column family {family} must be an int64_type"
        ))),
    }
}

fn is_big_endian(int64: &Int64Type) -> bool {
    matches!(
        &int64.encoding,
        Some(Int64Encoding { encoding: Some(Int64EncodingKind::BigEndianBytes(_)) })
    )
}

/// Returns an error if an update changes the type of a family.
pub(super) fn check_unchanged(
    family: &str,
    old: Option<Aggregation>,
    new: Option<&Type>,
) -> StatusResult<()> {
    let new = new.map(|of| (of, aggregation(family, of)));
    match (old, new) {
        (None, None) => Ok(()),
        (Some(old), Some((_, Ok(new)))) if old == new => Ok(()),
        // A family without aggregates can get a type that is no aggregate.
        (None, Some((of, Err(status)))) if !is_aggregate(of) => Err(status),
        _ => Err(invalid("Immutable fields 'value_type.aggregate_type' cannot be updated.")),
    }
}

fn is_aggregate(of: &Type) -> bool {
    matches!(of.kind, Some(TypeKind::AggregateType(_)))
}
