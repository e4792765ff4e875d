//! Aggregate families: families of Bigtable whose cells combine the numbers that are added to them.

use super::family::FamilyDescriptor;
use super::known::AGGREGATE;
use super::table::TableDescriptor;

/// How the cells of an aggregate family combine the numbers that are added to them
/// ([`FamilyDescriptor::aggregate`]).
///
/// | aggregate | `aggregate = ..` of a row type | what a read returns |
/// |---|---|---|
/// | [`Sum`](Self::Sum) | `"sum"` | the sum, a big-endian number of 8 bytes |
/// | [`Min`](Self::Min) | `"min"` | the smallest number, in the same form |
/// | [`Max`](Self::Max) | `"max"` | the largest number, in the same form |
/// | [`Hll`](Self::Hll) | `"hll"` | a sketch of Google's, of about how many different numbers were added |
///
/// ```
/// use tallrow::{FamilyDescriptor, admin::Aggregate};
///
/// let family = FamilyDescriptor::new("c").aggregate(Aggregate::Sum);
/// assert_eq!(family.get("AGGREGATE"), Some("SUM"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aggregate {
    /// The sum of the numbers; the service says what happens if it is too large for 8 bytes.
    Sum,
    /// The smallest number.
    Min,
    /// The largest number.
    Max,
    /// A HyperLogLog++ sketch, which estimates how many different numbers were added. The service
    /// returns the bytes of the sketch, and only a query in SQL returns the estimate
    /// (`HLL_COUNT.EXTRACT`). Sketches of several cells can be
    /// [merged](crate::op::MergeToCells).
    Hll,
}

impl Aggregate {
    const ALL: [(Self, &str); 4] =
        [(Self::Sum, "SUM"), (Self::Min, "MIN"), (Self::Max, "MAX"), (Self::Hll, "HLL")];

    /// The value of the option of a family.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Sum => "SUM",
            Self::Min => "MIN",
            Self::Max => "MAX",
            Self::Hll => "HLL",
        }
    }

    /// Returns the aggregate that the option of a family names; `None` for a family that is no
    /// aggregate.
    pub(crate) fn of_family(family: &FamilyDescriptor) -> Option<Self> {
        let word = family.get(AGGREGATE)?;
        let found = Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(word));
        found.map(|(aggregate, _)| *aggregate)
    }
}

impl FamilyDescriptor {
    /// Makes the family an aggregate: its cells combine the numbers that
    /// [`AddToCells`](crate::op::AddToCells) adds to them, and nothing else can be written to them.
    ///
    /// Only Bigtable has aggregate families. A family can become an aggregate only when it is
    /// created, and then stays an aggregate. On HBase, a family of sums is an ordinary family,
    /// whose cells are counters that additions increment; HBase refuses tables with other
    /// aggregates.
    ///
    /// An addition without a time is to the cell with the timestamp 0, so a [`ttl`](Self::ttl)
    /// would remove it at once; use a `ttl` only together with
    /// [`AddToCells::add_at`](crate::op::AddToCells::add_at).
    ///
    /// See [`Aggregate`] for an example.
    pub fn aggregate(self, aggregate: Aggregate) -> Self {
        self.attribute(AGGREGATE, aggregate.word())
    }
}

impl TableDescriptor {
    /// Returns the definition in the form that HBase accepts: without the option of families of
    /// sums, which are ordinary families there. Returns `None` if no family has the option.
    pub(crate) fn without_sum_options(&self) -> Option<Self> {
        let is_sum = |family: &FamilyDescriptor| {
            family.get(AGGREGATE).is_some()
                && Aggregate::of_family(family).is_none_or(|of| of == Aggregate::Sum)
        };
        self.families().iter().any(is_sum).then(|| {
            self.map_families(|family| match is_sum(family) {
                true => family.without_option(AGGREGATE),
                false => family.clone(),
            })
        })
    }

    /// Returns the first family that is an aggregate, with its option.
    pub(crate) fn first_aggregate(&self) -> Option<(&str, &str)> {
        self.families().iter().find_map(|family| {
            Aggregate::of_family(family)?;
            Some((family.name(), family.get(AGGREGATE)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hbase_has_sums_without_their_option() {
        let table = |family| TableDescriptor::new("t").unwrap().family(family);
        let sums = table(FamilyDescriptor::new("c").aggregate(Aggregate::Sum).versions(3));
        let plain = table(FamilyDescriptor::new("c").versions(3));
        assert_eq!(sums.without_sum_options().as_ref(), Some(&plain));
        assert_eq!(plain.without_sum_options(), None);
        let largest = table(FamilyDescriptor::new("c").aggregate(Aggregate::Max));
        assert_eq!(largest.without_sum_options(), None);
        assert_eq!(largest.first_aggregate(), Some(("c", "MAX")));
        assert_eq!(plain.first_aggregate(), None);
    }

    #[test]
    fn a_word_names_an_aggregate() {
        for (aggregate, word) in Aggregate::ALL {
            let named = FamilyDescriptor::new("c").attribute("AGGREGATE", word.to_lowercase());
            assert_eq!(Aggregate::of_family(&named), Some(aggregate));
            assert_eq!(aggregate.word(), word);
        }
        let none = FamilyDescriptor::new("c").attribute("AGGREGATE", "NONE");
        assert_eq!(Aggregate::of_family(&none), None);
    }
}
