//! The descriptions of authorized views.

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::wire::bigtable::{AuthorizedView, AuthorizedViewKind, SubsetView};
use crate::{Error, ErrorKind, Result};

/// The description of an authorized view: its id, the rows and the columns that it lets through,
/// and whether it is protected from deletion. A cell is in the view if both its row and its column
/// are; a new description has no rows and no columns.
///
/// [`TableRef::authorized_view`](crate::TableRef::authorized_view) names a view in place of its
/// table.
///
/// ```
/// use tallrow::admin::AuthorizedViewDescriptor;
///
/// let of_team = AuthorizedViewDescriptor::new("of-team")
///     .rows_with_prefix("team-7/")
///     .column("v", "page")
///     .columns_with_prefix("v", "n:")
///     .family("public")
///     .protected(true);
/// assert_eq!((of_team.id(), of_team.is_protected()), ("of-team", true));
/// assert!(of_team.lets_through("team-7/ada", "v", "page"));
/// assert!(of_team.lets_through("team-7/ada", "v", "n:1"));
/// assert!(of_team.lets_through("team-7/ada", "public", "any"));
/// assert!(!of_team.lets_through("team-8/bob", "v", "page"));
/// assert!(!of_team.lets_through("team-7/ada", "v", "pages"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizedViewDescriptor {
    id: String,
    row_prefixes: BTreeSet<Bytes>,
    /// Families and qualifiers.
    columns: BTreeSet<(String, Bytes)>,
    /// Families and prefixes of qualifiers.
    column_prefixes: BTreeSet<(String, Bytes)>,
    is_protected: bool,
}

impl AuthorizedViewDescriptor {
    /// Describes a view that lets nothing through. An id has at most 50 of the characters `_`, `-`,
    /// `.`, letters and digits, and does not begin with `-` or `.`.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            row_prefixes: BTreeSet::new(),
            columns: BTreeSet::new(),
            column_prefixes: BTreeSet::new(),
            is_protected: false,
        }
    }

    /// Adds the rows whose keys begin with `prefix`; an empty prefix adds all rows.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn rows_with_prefix(mut self, prefix: impl AsRef<[u8]>) -> Self {
        self.row_prefixes.insert(Bytes::copy_from_slice(prefix.as_ref()));
        self
    }

    /// Adds one column.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn column(mut self, family: impl Into<String>, qualifier: impl AsRef<[u8]>) -> Self {
        self.columns.insert((family.into(), Bytes::copy_from_slice(qualifier.as_ref())));
        self
    }

    /// Adds the columns of a family whose qualifiers begin with `prefix`.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn columns_with_prefix(
        mut self,
        family: impl Into<String>,
        prefix: impl AsRef<[u8]>,
    ) -> Self {
        self.column_prefixes.insert((family.into(), Bytes::copy_from_slice(prefix.as_ref())));
        self
    }

    /// Adds all columns of a family.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn family(self, family: impl Into<String>) -> Self {
        self.columns_with_prefix(family, "")
    }

    /// Sets whether the view is protected: as long as it is, neither the view nor its table can be
    /// deleted.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn protected(mut self, is_protected: bool) -> Self {
        self.is_protected = is_protected;
        self
    }

    /// The id of the view in its table.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether neither the view nor its table can be deleted.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn is_protected(&self) -> bool {
        self.is_protected
    }

    /// Returns whether the cells of a column of a row are in the view.
    ///
    /// See [`AuthorizedViewDescriptor`] for an example.
    pub fn lets_through(
        &self,
        row: impl AsRef<[u8]>,
        family: &str,
        qualifier: impl AsRef<[u8]>,
    ) -> bool {
        let (row, qualifier) = (row.as_ref(), qualifier.as_ref());
        let of = |family_of: &str| family_of == family;
        self.row_prefixes.iter().any(|prefix| row.starts_with(prefix))
            && (self.columns.iter().any(|(family, one)| of(family) && one == qualifier)
                || self
                    .column_prefixes
                    .iter()
                    .any(|(family, prefix)| of(family) && qualifier.starts_with(prefix)))
    }

    /// The prefixes of the rows.
    ///
    /// ```
    /// use tallrow::admin::AuthorizedViewDescriptor;
    ///
    /// let view = AuthorizedViewDescriptor::new("v").rows_with_prefix("b").rows_with_prefix("a");
    /// assert!(view.row_prefixes().eq([b"a", b"b"]));
    /// ```
    pub fn row_prefixes(&self) -> impl Iterator<Item = &[u8]> {
        self.row_prefixes.iter().map(|prefix| &prefix[..])
    }

    /// The families and qualifiers of the columns that were added one by one.
    ///
    /// ```
    /// use tallrow::admin::AuthorizedViewDescriptor;
    ///
    /// let view = AuthorizedViewDescriptor::new("v").column("f", "q").family("g");
    /// assert!(view.columns().eq([("f", &b"q"[..])]));
    /// assert!(view.column_prefixes().eq([("g", &b""[..])]));
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.columns.iter().map(|(family, qualifier)| (&**family, &qualifier[..]))
    }

    /// The families and prefixes of the columns that were added by a prefix; an empty prefix is
    /// that of all columns of the family.
    ///
    /// See [`columns`](Self::columns) for an example.
    pub fn column_prefixes(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.column_prefixes.iter().map(|(family, prefix)| (&**family, &prefix[..]))
    }

    /// Returns the view of a request, with this full name.
    pub(super) fn to_message(&self, name: String) -> AuthorizedView {
        let row_prefixes = self.row_prefixes.iter().cloned().collect();
        let mut subset = SubsetView { row_prefixes, ..SubsetView::default() };
        for (family, qualifier) in &self.columns {
            let columns = subset.family_subsets.entry(family.clone()).or_default();
            columns.qualifiers.push(qualifier.clone());
        }
        for (family, prefix) in &self.column_prefixes {
            let columns = subset.family_subsets.entry(family.clone()).or_default();
            columns.qualifier_prefixes.push(prefix.clone());
        }
        AuthorizedView {
            name,
            authorized_view: Some(AuthorizedViewKind::SubsetView(subset)),
            etag: String::new(),
            deletion_protection: self.is_protected,
        }
    }

    /// Reads a message of the service.
    pub(super) fn of_message(message: &AuthorizedView) -> Result<Self> {
        let wrong = |why: &str| {
            let text = format!("the service has described the view {:?} {why}", message.name);
            Error::new(ErrorKind::Protocol, text)
        };
        let id = message.name.split_once("/authorizedViews/").map(|(_, id)| id);
        let id = id.filter(|id| !id.is_empty()).ok_or_else(|| wrong("without an id"))?;
        let Some(AuthorizedViewKind::SubsetView(subset)) = &message.authorized_view else {
            return Err(wrong("without its rows and columns, or of a kind that is not known here"));
        };
        let row_prefixes = subset.row_prefixes.iter().cloned().collect();
        let mut view = Self { row_prefixes, ..Self::new(id) };
        for (family, columns) in &subset.family_subsets {
            let of = |texts: &[Bytes]| -> Vec<_> {
                texts.iter().map(|text| (family.clone(), text.clone())).collect()
            };
            view.columns.extend(of(&columns.qualifiers));
            view.column_prefixes.extend(of(&columns.qualifier_prefixes));
        }
        Ok(view.protected(message.deletion_protection))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_as_it_was_written() {
        let view = AuthorizedViewDescriptor::new("v-1")
            .rows_with_prefix("b")
            .rows_with_prefix(b"\xff")
            .rows_with_prefix("b")
            .column("f", "q")
            .column("f", "")
            .columns_with_prefix("f", "p")
            .family("g");
        for view in [AuthorizedViewDescriptor::new("v"), view.clone().protected(true), view] {
            let name = format!("projects/p/instances/i/tables/t/authorizedViews/{}", view.id());
            let message = view.to_message(name);
            assert_eq!(AuthorizedViewDescriptor::of_message(&message).unwrap(), view);
        }
    }

    #[test]
    fn a_description_that_cannot_be_is_refused() {
        let good = AuthorizedViewDescriptor::new("v").to_message("t/authorizedViews/v".to_owned());
        for (bad, text) in [
            (AuthorizedView { name: "t".into(), ..good.clone() }, "without an id"),
            (AuthorizedView { name: "t/authorizedViews/".into(), ..good.clone() }, "without an id"),
            (AuthorizedView { authorized_view: None, ..good }, "of a kind"),
        ] {
            let error = AuthorizedViewDescriptor::of_message(&bad).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Protocol);
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
