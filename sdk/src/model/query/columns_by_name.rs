//! Finds a column by its name, for results with many columns.

use super::SqlField;

/// Fewer columns are compared one by one.
const LEAST: usize = 16;

/// The positions of many columns, sorted by their names. The rows of a result share it.
#[derive(Debug)]
pub(crate) struct ColumnsByName(Vec<usize>);

impl ColumnsByName {
    /// Returns `None` if there are few columns.
    pub(crate) fn of(columns: &[SqlField]) -> Option<Self> {
        (columns.len() >= LEAST).then(|| {
            let mut positions: Vec<_> = (0..columns.len()).collect();
            positions.sort_by_key(|at| columns.get(*at).map(SqlField::name));
            Self(positions)
        })
    }

    /// Returns the positions of the columns with this name, in their order.
    pub(super) fn find(&self, columns: &[SqlField], name: &str) -> &[usize] {
        let name_of = |at: &usize| columns.get(*at).map(SqlField::name);
        let start = self.0.partition_point(|at| name_of(at) < Some(name));
        let rest = self.0.get(start..).unwrap_or_default();
        let count = rest.partition_point(|at| name_of(at) == Some(name));
        rest.get(..count).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::query::{SqlRow, SqlType, SqlValue};

    /// If each value were looked for among all columns, this would take minutes.
    #[test]
    fn a_row_of_many_columns_is_read_by_their_names() {
        const COLUMNS: usize = 50_000;
        let name = |at: usize| format!("column with a long name, of which there are many, {at:05}");
        let columns: Arc<[SqlField]> =
            (0..COLUMNS).rev().map(|at| SqlField::new(name(at), SqlType::Int64)).collect();
        let by_name = ColumnsByName::of(&columns).map(Arc::new);
        let values: Vec<_> = (0..COLUMNS as i64).rev().map(SqlValue::Int64).collect();
        let row = SqlRow::new(columns, values).unwrap().with_columns_by_name(by_name);
        for at in 0..COLUMNS {
            assert_eq!(row.get::<i64>(&*name(at)).unwrap(), at as i64);
        }
    }

    #[test]
    fn many_columns_are_found_as_few_are() {
        let names = |count: usize| (0..count).map(|at| ["b", "a", "", "c"].get(at).copied());
        let row = |count: usize| {
            let named = names(count).enumerate();
            let named = named.map(|(at, name)| name.map_or(format!("n{at}"), str::to_owned));
            let twice = named.chain(["a".to_owned()]);
            let columns: Arc<[SqlField]> =
                twice.map(|name| SqlField::new(name, SqlType::Int64)).collect();
            let by_name = ColumnsByName::of(&columns).map(Arc::new);
            assert_eq!(by_name.is_some(), count == 100);
            let values: Vec<_> = (0..=count as i64).map(SqlValue::Int64).collect();
            SqlRow::new(columns, values).unwrap().with_columns_by_name(by_name)
        };
        for row in [row(4), row(100)] {
            assert_eq!(row.get::<i64>("b").unwrap(), 0);
            assert_eq!(row.get::<i64>("").unwrap(), 2);
            let error = row.get::<i64>("a").unwrap_err().to_string();
            assert!(error.starts_with("2 columns are called a; "), "{error}");
            let error = row.get::<i64>("d").unwrap_err().to_string();
            assert!(error.starts_with("there is no column d; there are: b, a, , c"), "{error}");
        }
    }
}
