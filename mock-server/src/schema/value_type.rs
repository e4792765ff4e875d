//! Bigtable's aggregate types of families: how the cells of a family combine what is added to them.
//!
//! The type of a family is stored in an attribute of its own.

use tallrow_wire::bigtable::{Aggregator, Marker, Type, TypeKind};
use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema};

use super::attributes::attribute;

/// The attribute with the name of the aggregation.
const AGGREGATION: &str = "BIGTABLE_AGGREGATION";

/// How a cell combines the integers that are added to it. The cell contains the result in eight
/// bytes, big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregation {
    /// The sum.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

impl Aggregation {
    const ALL: [Self; 3] = [Self::Sum, Self::Min, Self::Max];

    /// Combines two integers. A sum that overflows wraps, as in Google's emulator.
    pub(crate) fn combine(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Sum => a.wrapping_add(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }

    /// Returns the type of a family with this aggregation, as the service describes it.
    pub(crate) fn value_type(self) -> Type {
        let aggregator = match self {
            Self::Sum => Aggregator::Sum(Marker {}),
            Self::Min => Aggregator::Min(Marker {}),
            Self::Max => Aggregator::Max(Marker {}),
        };
        let mut of = Type::aggregate(Type::big_endian_int64(), aggregator);
        if let Some(TypeKind::AggregateType(aggregate)) = &mut of.kind {
            aggregate.state_type = Some(Box::new(Type::big_endian_int64()));
        }
        of
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sum => "SUM",
            Self::Min => "MIN",
            Self::Max => "MAX",
        }
    }
}

/// Returns the aggregation of a family; `None` for an ordinary family, whose cells contain any
/// bytes.
pub(crate) fn aggregation_of_family(family: &ColumnFamilySchema) -> Option<Aggregation> {
    let name = attribute(&family.attributes, AGGREGATION)?;
    Aggregation::ALL.into_iter().find(|of| of.name().as_bytes() == name)
}

/// Sets the aggregation of a family that has none.
pub(crate) fn set_aggregation(family: &mut ColumnFamilySchema, aggregation: Option<Aggregation>) {
    if let Some(aggregation) = aggregation {
        let (first, second) = (AGGREGATION.into(), aggregation.name().into());
        family.attributes.push(BytesBytesPair { first, second });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::family_of_rule;

    #[test]
    fn a_family_keeps_its_aggregation() {
        let mut family = family_of_rule("f", None);
        assert_eq!(aggregation_of_family(&family), None);
        for of in Aggregation::ALL {
            family = family_of_rule("f", None);
            set_aggregation(&mut family, Some(of));
            assert_eq!(aggregation_of_family(&family), Some(of));
        }
        assert_eq!(Aggregation::Sum.combine(i64::MAX, 2), i64::MIN + 1);
        assert_eq!(Aggregation::Min.combine(-3, 2), -3);
        assert_eq!(Aggregation::Max.combine(-3, 2), 2);
    }
}
