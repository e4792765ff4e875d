//! Converts the aggregate of a family to the type of its values, and back.

use crate::model::descriptor::{Aggregate, FamilyDescriptor};
use crate::wire::bigtable::{Aggregator, Marker, Type, TypeKind};

/// The option of a family whose values are of a type that a definition cannot express.
const OTHER: &str = "OTHER";

/// Returns the type of the values of an aggregate family, to whose cells integers are added; `None`
/// for a family that is no aggregate.
pub(super) fn value_type_of(family: &FamilyDescriptor) -> Option<Type> {
    let aggregator = match Aggregate::of_family(family)? {
        Aggregate::Sum => Aggregator::Sum(Marker {}),
        Aggregate::Min => Aggregator::Min(Marker {}),
        Aggregate::Max => Aggregator::Max(Marker {}),
        Aggregate::Hll => Aggregator::HllppUniqueCount(Marker {}),
    };
    Some(Type::aggregate(Type::big_endian_int64(), aggregator))
}

/// Returns the option of a family whose values have this type. Only additions of integers can be
/// expressed.
pub(super) fn aggregate_word(value_type: &Type) -> &'static str {
    let Some(TypeKind::AggregateType(aggregate)) = &value_type.kind else { return OTHER };
    let input = aggregate.input_type.as_ref().and_then(|input| input.kind.as_ref());
    match (input, aggregate.aggregator) {
        (Some(TypeKind::Int64Type(_)), Some(aggregator)) => match aggregator {
            Aggregator::Sum(_) => Aggregate::Sum,
            Aggregator::Min(_) => Aggregate::Min,
            Aggregator::Max(_) => Aggregate::Max,
            Aggregator::HllppUniqueCount(_) => Aggregate::Hll,
        }
        .word(),
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_the_same_after_both_ways() {
        for aggregate in [Aggregate::Sum, Aggregate::Min, Aggregate::Max, Aggregate::Hll] {
            let family = FamilyDescriptor::new("c").aggregate(aggregate);
            assert_eq!(aggregate_word(&value_type_of(&family).unwrap()), aggregate.word());
        }
        assert_eq!(value_type_of(&FamilyDescriptor::new("c")), None);
        let sketch = Aggregator::HllppUniqueCount(Marker {});
        for other in [Type::raw_bytes(), Type::aggregate(Type::raw_bytes(), sketch)] {
            assert_eq!(aggregate_word(&other), OTHER);
        }
    }
}
