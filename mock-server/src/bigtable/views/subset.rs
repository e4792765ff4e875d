//! The rows and columns that an authorized view lets through.

use bytes::Bytes;
use tallrow_wire::bigtable::{Status, SubsetView};

use crate::bigtable::status::StatusCode;

/// What can be read and written by the name of a view.
#[derive(Clone, Debug)]
pub(in crate::bigtable) struct ViewSubset {
    /// The full name of the view.
    name: String,
    subset: SubsetView,
}

impl ViewSubset {
    /// Makes what the view of this name lets through.
    pub(in crate::bigtable) fn new(name: &str, subset: SubsetView) -> Self {
        Self { name: name.to_owned(), subset }
    }

    /// The prefixes of its rows.
    pub(in crate::bigtable) fn row_prefixes(&self) -> &[Bytes] {
        &self.subset.row_prefixes
    }

    /// Returns whether a row is in the view.
    pub(in crate::bigtable) fn has_row(&self, row: &[u8]) -> bool {
        starts_with_any(row, &self.subset.row_prefixes)
    }

    /// Returns whether a column is in the view.
    pub(in crate::bigtable) fn has_column(&self, family: &[u8], qualifier: &[u8]) -> bool {
        // The names of families are texts.
        let family = std::str::from_utf8(family).ok();
        let columns = family.and_then(|family| self.subset.family_subsets.get(family));
        columns.is_some_and(|of| {
            of.qualifiers.iter().any(|one| one == qualifier)
                || starts_with_any(qualifier, &of.qualifier_prefixes)
        })
    }

    /// Returns whether all columns of a family are in the view.
    pub(in crate::bigtable) fn has_family(&self, family: &str) -> bool {
        let columns = self.subset.family_subsets.get(family);
        columns.is_some_and(|of| of.qualifier_prefixes.iter().any(Bytes::is_empty))
    }

    /// Returns an error for a row that is not in the view.
    pub(in crate::bigtable) fn check_row(&self, row: &[u8]) -> Result<(), Status> {
        match self.has_row(row) {
            true => Ok(()),
            false => Err(self.outside(&format!("The row \"{}\"", row.escape_ascii()))),
        }
    }

    /// Returns an error for a column that is not in the view.
    pub(in crate::bigtable) fn check_column(
        &self,
        family: &str,
        qualifier: &[u8],
    ) -> Result<(), Status> {
        match self.has_column(family.as_bytes(), qualifier) {
            true => Ok(()),
            false => {
                let column = format!("The column {family}:{}", qualifier.escape_ascii());
                Err(self.outside(&column))
            }
        }
    }

    /// The status for a change of what is not in the view.
    pub(in crate::bigtable) fn outside(&self, what: &str) -> Status {
        StatusCode::PermissionDenied
            .status(format!("{what} is outside the Authorized View {}", self.name))
    }
}

fn starts_with_any(bytes: &[u8], prefixes: &[Bytes]) -> bool {
    prefixes.iter().any(|prefix| bytes.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tallrow_wire::bigtable::FamilySubsets;

    use super::*;

    #[test]
    fn a_cell_is_in_the_view_if_its_row_and_its_column_are() {
        let bytes = |texts: &[&'static str]| texts.iter().map(|text| Bytes::from(*text)).collect();
        let columns = |qualifiers, prefixes| FamilySubsets {
            qualifiers: bytes(qualifiers),
            qualifier_prefixes: bytes(prefixes),
        };
        let family_subsets = BTreeMap::from([
            ("f".to_owned(), columns(&["one", ""], &["p"])),
            ("all".to_owned(), columns(&[], &["x", ""])),
            ("none".to_owned(), columns(&[], &[])),
        ]);
        let subset = SubsetView { row_prefixes: bytes(&["a", "bc"]), family_subsets };
        let view = ViewSubset::new("v", subset);
        let rows = [("a", true), ("ab", true), ("b", false), ("bc", true), ("", false)];
        for (row, is_in) in rows {
            assert_eq!(view.has_row(row.as_bytes()), is_in, "{row}");
            assert_eq!(view.check_row(row.as_bytes()).is_ok(), is_in, "{row}");
        }
        for (family, qualifier, is_in) in [
            ("f", "one", true),
            ("f", "ones", false),
            ("f", "", true),
            ("f", "p", true),
            ("f", "pq", true),
            ("f", "o", false),
            ("all", "any", true),
            ("none", "q", false),
            ("other", "one", false),
        ] {
            assert_eq!(view.check_column(family, qualifier.as_bytes()).is_ok(), is_in);
        }
        assert!(!view.has_column(b"\xff", b"one"));
        assert_eq!(
            ["f", "all", "none", "other"].map(|f| view.has_family(f)),
            [false, true, false, false]
        );
        let nothing = ViewSubset::new("v", SubsetView::default());
        assert!(!nothing.has_row(b"a") && !nothing.has_column(b"f", b"one"));
    }
}
