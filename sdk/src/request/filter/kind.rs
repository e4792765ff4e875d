//! Filters as plain values: each of HBase's filters, and the lists and wrappers that combine them.

use std::ops::Bound;

use bytes::Bytes;

use super::{Comparator, Compare, DependentColumn, FuzzyRow, SingleColumnValue};
use crate::Timestamp;
use crate::key::RowRange;

/// Which cells of a read the server returns: HBase's filters, as plain values.
///
/// A filter is evaluated on the cells that the read requested, row by row; what it drops is not
/// sent. Some keep or drop cells ([`value`](Filter::value), [`qualifier`](Filter::qualifier), ...)
/// and some whole rows ([`row`](Filter::row), [`SingleColumnValue`], ...). A row of which no cell
/// is left is not part of the answer.
///
/// Where a filter drops the newest version of a cell, the server goes on to the next older one that
/// the family keeps, even if one version is requested.
///
/// An invalid filter, such as an empty list or one of a column that is not read, is an error before
/// anything is sent. A regular expression is compiled by the server.
///
/// ```
/// use tallrow::{
///     Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor,
///     filter::{Comparator, Compare, SingleColumnValue},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// for (row, state) in [("a", "new"), ("b", "sold"), ("c", "new")] {
///     table.put(Put::new(row).cell("d", "state", state).cell("d", "note", "as new")).await?;
/// }
///
/// let new = SingleColumnValue::new("d", "state", Compare::Equal, "new").filter_if_missing(true);
/// let after_a = Filter::from(new).and(Filter::row(Compare::Greater, "a"));
/// let mut rows = table.scan(Scan::all().filter(after_a))?;
/// assert_eq!(rows.next_row().await?.unwrap().key(), b"c");
/// assert_eq!(rows.next_row().await?, None);
///
/// let notes = Filter::qualifier(Compare::Equal, "note")
///     .and(Filter::value(Compare::Equal, Comparator::substring("NEW")));
/// let row = table.scan(Scan::all().filter(notes).limit(1))?.next_row().await?.unwrap();
/// assert_eq!(row.cells().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Filter(pub(crate) Kind);

/// What a filter decides about, with what it tests.
#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Rows(OfRows),
    Cells(OfCells),
    /// `MUST_PASS_ALL`.
    All(Vec<Filter>),
    /// `MUST_PASS_ONE`.
    Any(Vec<Filter>),
    Skip(Box<Filter>),
    WhileMatch(Box<Filter>),
    /// A class that only the servers know, and its bytes.
    Custom(String, Bytes),
}

/// What a filter of rows tests, and with what.
#[derive(Clone, PartialEq)]
pub(crate) enum OfRows {
    Row(Compare, Comparator),
    Prefix(Bytes),
    Page(u64),
    FuzzyRows(Vec<FuzzyRow>),
    RowRanges(Vec<RowRange>),
    InclusiveStop(Bytes),
    RandomRow(f32),
}

/// What a filter of cells tests, and with what.
#[derive(Clone, PartialEq)]
pub(crate) enum OfCells {
    Family(Compare, Comparator),
    Qualifier(Compare, Comparator),
    Value(Compare, Comparator),
    SingleColumnValue(SingleColumnValue),
    ColumnValue { family: Bytes, qualifier: Bytes, compare: Compare, comparator: Comparator },
    Dependent(DependentColumn),
    ColumnPrefixes(Vec<Bytes>),
    ColumnRange(Bound<Bytes>, Bound<Bytes>),
    ColumnPagination { limit: u32, offset: u32 },
    ColumnPaginationFrom { limit: u32, qualifier: Bytes },
    ColumnCount(u32),
    FirstKeyOnly,
    FirstKeyMatching(Vec<Bytes>),
    KeyOnly { len_as_val: bool },
    Timestamps { times: Vec<Timestamp>, can_hint: bool },
}

/// Copies bytes that a filter keeps.
pub(super) fn copy(bytes: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(bytes.as_ref())
}

/// Filters that combine others, and those of your own classes.
///
/// | filter | keeps | HBase's class | in a [filter string](Filter::parse) |
/// |---|---|---|---|
/// | [`Filter::all`], [`Filter::and`] | what all of several keep | `FilterList` | `AND` |
/// | [`Filter::any`], [`Filter::or`] | what any of several keeps | `FilterList` | `OR` |
/// | [`Filter::skip`] | rows of which the inner filter drops no cell | `SkipFilter` | `SKIP` |
/// | [`Filter::while_match`] | what comes before the first that the inner filter drops | `WhileMatchFilter` | `WHILE` |
/// | [`Filter::custom`] | what a class of your own keeps | any that the servers have | |
impl Filter {
    /// Keeps what all of these keep (`FilterList`, `MUST_PASS_ALL`).
    ///
    /// They are evaluated in this order, and a cell that one drops is not shown to those after it.
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let both = Filter::all([Filter::prefix("a"), Filter::value(Compare::Less, "m")]);
    /// assert_eq!(format!("{both:?}"), r#"(PrefixFilter("a") AND ValueFilter(< "m"))"#);
    /// ```
    pub fn all(filters: impl IntoIterator<Item: Into<Filter>>) -> Self {
        Self(Kind::All(filters.into_iter().map(Into::into).collect()))
    }

    /// Keeps what any of these keeps (`FilterList`, `MUST_PASS_ONE`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let either = Filter::any([Filter::prefix("a"), Filter::value(Compare::Less, "m")]);
    /// assert_eq!(format!("{either:?}"), r#"(PrefixFilter("a") OR ValueFilter(< "m"))"#);
    /// ```
    pub fn any(filters: impl IntoIterator<Item: Into<Filter>>) -> Self {
        Self(Kind::Any(filters.into_iter().map(Into::into).collect()))
    }

    /// Keeps what both this and the other filter keep.
    pub fn and(self, other: impl Into<Filter>) -> Self {
        match self.0 {
            Kind::All(mut filters) => {
                filters.push(other.into());
                Self(Kind::All(filters))
            }
            _ => Self::all([self, other.into()]),
        }
    }

    /// Keeps what this or the other filter keeps.
    ///
    /// ```
    /// use tallrow::Filter;
    /// let or = Filter::prefix("a").or(Filter::prefix("c"));
    /// assert_eq!(or, Filter::any([Filter::prefix("a"), Filter::prefix("c")]));
    /// ```
    pub fn or(self, other: impl Into<Filter>) -> Self {
        match self.0 {
            Kind::Any(mut filters) => {
                filters.push(other.into());
                Self(Kind::Any(filters))
            }
            _ => Self::any([self, other.into()]),
        }
    }

    /// Drops the whole row if this filter drops one of its cells (`SkipFilter`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let no_zeros = Filter::value(Compare::NotEqual, "0").skip();
    /// assert_eq!(format!("{no_zeros:?}"), r#"SKIP ValueFilter(!= "0")"#);
    /// ```
    pub fn skip(self) -> Self {
        Self(Kind::Skip(Box::new(self)))
    }

    /// Ends the scan of a region with the first cell or row that this filter drops
    /// (`WhileMatchFilter`). The next region is scanned again until then.
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let until_zero = Filter::value(Compare::NotEqual, "0").while_match();
    /// assert_eq!(format!("{until_zero:?}"), r#"WHILE ValueFilter(!= "0")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::Compare};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, left) in [("1", "5"), ("2", "3"), ("3", "0"), ("4", "7")] {
    ///     table.put(Put::new(row).cell("d", "left", left)).await?;
    /// }
    /// let not_zero = Filter::value(Compare::NotEqual, "0");
    /// assert_eq!(table.count(Scan::all().filter(not_zero.clone())).await?, 3);
    /// assert_eq!(table.count(Scan::all().filter(not_zero.while_match())).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn while_match(self) -> Self {
        Self(Kind::WhileMatch(Box::new(self)))
    }

    /// A filter of this Java class, with all of its package, that the servers have; the bytes are
    /// what its `parseFrom` reads. An unknown class is an error of the server.
    ///
    /// ```
    /// use tallrow::Filter;
    /// let weekend = Filter::prefix("a").and(Filter::custom("org.example.WeekendFilter", [6, 7]));
    /// assert_eq!(
    ///     format!("{weekend:?}"),
    ///     r#"(PrefixFilter("a") AND org.example.WeekendFilter("\x06\x07"))"#
    /// );
    /// ```
    pub fn custom(class: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self(Kind::Custom(class.into(), copy(bytes)))
    }
}

impl Filter {
    /// The name of HBase's class: with its package if it is one of your own, without it otherwise.
    pub(crate) fn class(&self) -> &str {
        match &self.0 {
            Kind::Rows(filter) => filter.class().name,
            Kind::Cells(filter) => filter.class().name,
            Kind::All(_) | Kind::Any(_) => "FilterList",
            Kind::Skip(_) => "SkipFilter",
            Kind::WhileMatch(_) => "WhileMatchFilter",
            Kind::Custom(class, _) => class,
        }
    }

    /// Whether it keeps or drops whole rows, and never looks at cells to decide: a scan of keys
    /// then reads one cell of each row.
    pub(crate) fn depends_on_key_only(&self) -> bool {
        match &self.0 {
            Kind::Rows(_) => true,
            Kind::All(filters) | Kind::Any(filters) => {
                filters.iter().all(Filter::depends_on_key_only)
            }
            Kind::Cells(_) | Kind::Skip(_) | Kind::WhileMatch(_) | Kind::Custom(..) => false,
        }
    }
}
