//! Which filters decide by the row key alone: under such a filter, a scan of keys reads one cell of
//! each row.

use super::kind::{Filter, Kind};

impl Filter {
    /// Whether it keeps or drops whole rows, and never looks at cells to decide.
    pub(crate) fn depends_on_key_only(&self) -> bool {
        match &self.0 {
            Kind::Row(..)
            | Kind::Prefix(_)
            | Kind::FuzzyRows(_)
            | Kind::RowRanges(_)
            | Kind::InclusiveStop(_)
            | Kind::RandomRow(_)
            | Kind::Page(_) => true,
            Kind::All(filters) | Kind::Any(filters) => {
                filters.iter().all(Filter::depends_on_key_only)
            }
            _ => false,
        }
    }
}
