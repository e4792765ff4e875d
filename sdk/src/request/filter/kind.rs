//! Filters as plain values: each of HBase's filters, and the lists and wrappers that combine them.

use std::ops::Bound;

use bytes::Bytes;

use super::{Comparator, CompareOperator, DependentColumn, FuzzyRow, SingleColumnValue};
use crate::Timestamp;
use crate::key::RowRange;

/// A filter of HBase, as a plain value. It decides which of the requested cells the server returns.
///
/// A filter is evaluated on the cells that the read requested, row by row; cells that it drops are
/// not sent. Some filters keep or drop single cells ([`value`](Filter::value),
/// [`qualifier`](Filter::qualifier), ...), and others whole rows ([`row`](Filter::row),
/// [`SingleColumnValue`], ...). A row of which no cell is kept is not returned.
///
/// If a filter drops the newest version of a cell, the server goes on to the next older version
/// that the family keeps, even if only one version is requested.
///
/// A read with an invalid filter, such as an empty list or a test of a column that is not read,
/// fails before anything is sent. A regular expression is compiled by the server.
///
/// ```
/// use tallrow::{
///     Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor,
///     filter::{Comparator, CompareOperator, SingleColumnValue},
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
/// let new = SingleColumnValue::new("d", "state", CompareOperator::Equal, "new").filter_if_missing(true);
/// let after_a = Filter::from(new).and(Filter::row(CompareOperator::Greater, "a"));
/// let mut rows = table.scan(Scan::all().filter(after_a))?;
/// assert_eq!(rows.next_row().await?.unwrap().key(), b"c");
/// assert_eq!(rows.next_row().await?, None);
///
/// let notes = Filter::qualifier(CompareOperator::Equal, "note")
///     .and(Filter::value(CompareOperator::Equal, Comparator::substring("NEW")));
/// let row = table.scan(Scan::all().filter(notes).limit(1))?.next_row().await?.unwrap();
/// assert_eq!(row.cells().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Filter(pub(crate) Kind);

/// The kinds of filters: filters of rows, filters of cells, filters that combine or change others,
/// and custom filters.
#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Rows(RowKeyFilter),
    Cells(CellFilter),
    /// `MUST_PASS_ALL`.
    All(Vec<Filter>),
    /// `MUST_PASS_ONE`.
    Any(Vec<Filter>),
    Skip(Box<Filter>),
    WhileMatch(Box<Filter>),
    /// The name of a class that only the servers know, and the bytes for its `parseFrom`.
    Custom(String, Bytes),
}

/// A filter of rows, with its arguments.
#[derive(Clone, PartialEq)]
pub(crate) enum RowKeyFilter {
    Row(CompareOperator, Comparator),
    Prefix(Bytes),
    Page(u64),
    FuzzyRows(Vec<FuzzyRow>),
    RowRanges(Vec<RowRange>),
    InclusiveStop(Bytes),
    RandomRow(f32),
}

/// A filter of cells, with its arguments.
#[derive(Clone, PartialEq)]
pub(crate) enum CellFilter {
    Family(CompareOperator, Comparator),
    Qualifier(CompareOperator, Comparator),
    Value(CompareOperator, Comparator),
    SingleColumnValue(SingleColumnValue),
    ColumnValue {
        family: Bytes,
        qualifier: Bytes,
        compare: CompareOperator,
        comparator: Comparator,
    },
    Dependent(DependentColumn),
    ColumnPrefixes(Vec<Bytes>),
    ColumnRange(Bound<Bytes>, Bound<Bytes>),
    ColumnPagination {
        limit: u32,
        offset: u32,
    },
    ColumnPaginationFrom {
        limit: u32,
        qualifier: Bytes,
    },
    ColumnCount(u32),
    FirstKeyOnly,
    FirstKeyMatching(Vec<Bytes>),
    KeyOnly {
        len_as_val: bool,
    },
    Timestamps {
        times: Vec<Timestamp>,
        can_hint: bool,
    },
}

/// Returns a copy of these bytes, for a filter to own.
pub(super) fn copy(bytes: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(bytes.as_ref())
}

/// Filters that combine other filters, and filters of custom Java classes.
///
/// | filter | keeps | HBase's class | in a [filter string](Filter::parse) |
/// |---|---|---|---|
/// | [`Filter::all`], [`Filter::and`] | what all of several keep | `FilterList` | `AND` |
/// | [`Filter::any`], [`Filter::or`] | what any of several keeps | `FilterList` | `OR` |
/// | [`Filter::skip`] | rows of which the inner filter drops no cell | `SkipFilter` | `SKIP` |
/// | [`Filter::while_match`] | all that comes before the first cell or row that the inner filter drops | `WhileMatchFilter` | `WHILE` |
/// | [`Filter::custom`] | what a class of your own keeps | any that the servers have | |
impl Filter {
    /// Keeps what all of these filters keep (`FilterList`, `MUST_PASS_ALL`).
    ///
    /// The filters are evaluated in this order, and a cell that one filter drops is not passed to
    /// the filters after it.
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let both = Filter::all([Filter::prefix("a"), Filter::value(CompareOperator::Less, "m")]);
    /// assert_eq!(format!("{both:?}"), r#"(PrefixFilter("a") AND ValueFilter(< "m"))"#);
    /// ```
    pub fn all(filters: impl IntoIterator<Item: Into<Filter>>) -> Self {
        Self(Kind::All(filters.into_iter().map(Into::into).collect()))
    }

    /// Keeps what any of these filters keeps (`FilterList`, `MUST_PASS_ONE`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let either = Filter::any([Filter::prefix("a"), Filter::value(CompareOperator::Less, "m")]);
    /// assert_eq!(format!("{either:?}"), r#"(PrefixFilter("a") OR ValueFilter(< "m"))"#);
    /// ```
    pub fn any(filters: impl IntoIterator<Item: Into<Filter>>) -> Self {
        Self(Kind::Any(filters.into_iter().map(Into::into).collect()))
    }

    /// Keeps what both this filter and the other filter keep.
    pub fn and(self, other: impl Into<Filter>) -> Self {
        match self.0 {
            Kind::All(mut filters) => {
                filters.push(other.into());
                Self(Kind::All(filters))
            }
            _ => Self::all([self, other.into()]),
        }
    }

    /// Keeps what this filter, the other filter or both keep.
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
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let no_zeros = Filter::value(CompareOperator::NotEqual, "0").skip();
    /// assert_eq!(format!("{no_zeros:?}"), r#"SKIP ValueFilter(!= "0")"#);
    /// ```
    pub fn skip(self) -> Self {
        Self(Kind::Skip(Box::new(self)))
    }

    /// Ends the scan of a region with the first cell or row that this filter drops
    /// (`WhileMatchFilter`). The scan continues in the next region, again up to the first cell or
    /// row that the filter drops.
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let until_zero = Filter::value(CompareOperator::NotEqual, "0").while_match();
    /// assert_eq!(format!("{until_zero:?}"), r#"WHILE ValueFilter(!= "0")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::CompareOperator};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, left) in [("1", "5"), ("2", "3"), ("3", "0"), ("4", "7")] {
    ///     table.put(Put::new(row).cell("d", "left", left)).await?;
    /// }
    /// let not_zero = Filter::value(CompareOperator::NotEqual, "0");
    /// assert_eq!(table.count(Scan::all().filter(not_zero.clone())).await?, 3);
    /// assert_eq!(table.count(Scan::all().filter(not_zero.while_match())).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn while_match(self) -> Self {
        Self(Kind::WhileMatch(Box::new(self)))
    }

    /// Makes a filter that a Java class on the servers implements: `class` is the full name of the
    /// class with its package, and `bytes` are passed to `parseFrom` of the class. A read fails on
    /// a server that does not have the class.
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
    /// Returns the name of the Java class: for a custom class the name with its package, for a
    /// class of HBase the name without it.
    pub(crate) fn class_name(&self) -> &str {
        match &self.0 {
            Kind::Rows(filter) => filter.class().name,
            Kind::Cells(filter) => filter.class().name,
            Kind::All(_) | Kind::Any(_) => "FilterList",
            Kind::Skip(_) => "SkipFilter",
            Kind::WhileMatch(_) => "WhileMatchFilter",
            Kind::Custom(class, _) => class,
        }
    }

    /// Returns whether the filter keeps or drops whole rows without looking at their cells. With
    /// such a filter, a scan of keys reads only one cell of each row.
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
