//! Filters that look at cells, and keep or drop single cells, or whole rows by one of their cells.

use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::argument::{Argument, bare, debug_bytes, quoted};
use super::arguments::Arguments;
use super::class::{Class, classes};
use super::inverse::FilterTarget;
use super::kind::{CellFilter, Filter, Kind, copy};
use super::text::ParseErrorText;
use super::validate::{
    ReadKind, problem_if_empty, problem_if_too_many, problem_if_unread, problem_unless_positive,
};
use super::{Comparator, CompareOperator, DependentColumn, SingleColumnValue};
use crate::Timestamp;
use crate::model::columns::CellSelection;

classes! {
    FAMILY: "FamilyFilter", of_whole_rows: false, parse: Some(|a| a.comparison_filter(Filter::family));
    QUALIFIER: "QualifierFilter", of_whole_rows: false,
        parse: Some(|a| a.comparison_filter(Filter::qualifier));
    VALUE: "ValueFilter", of_whole_rows: false, parse: Some(|a| a.comparison_filter(Filter::value));
    SINGLE_COLUMN_VALUE: "SingleColumnValueFilter", of_whole_rows: true,
        parse: Some(|a| Ok(single_column(a)?.into()));
    SINGLE_COLUMN_VALUE_EXCLUDE: "SingleColumnValueExcludeFilter", of_whole_rows: true,
        parse: Some(|a| Ok(single_column(a)?.exclude().into()));
    COLUMN_VALUE: "ColumnValueFilter", of_whole_rows: false, parse: Some(|a| {
        let (family, qualifier) = a.column()?;
        let (compare, comparator) = a.comparison()?;
        Ok(Filter::column_value(family, qualifier, compare, comparator))
    });
    DEPENDENT_COLUMN: "DependentColumnFilter", of_whole_rows: true,
        parse: Some(|a| Ok(dependent_column(a)?.into()));
    COLUMN_PREFIX: "ColumnPrefixFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::column_prefix(a.bytes("a prefix")?)));
    MULTIPLE_COLUMN_PREFIX: "MultipleColumnPrefixFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::column_prefixes(a.several(|a| a.bytes("a prefix"))?)));
    COLUMN_RANGE: "ColumnRangeFilter", of_whole_rows: false, parse: Some(|a| {
        let from = a.bound("a first qualifier")?;
        Ok(Filter::column_range::<Bytes>((from, a.bound("a last qualifier")?)))
    });
    COLUMN_PAGINATION: "ColumnPaginationFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::column_pagination(a.int("a limit")?, a.int("an offset")?)));
    COLUMN_COUNT_GET: "ColumnCountGetFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::column_count(a.int("how many columns")?)));
    FIRST_KEY_ONLY: "FirstKeyOnlyFilter", of_whole_rows: false,
        parse: Some(|_| Ok(Filter::first_key_only()));
    FIRST_KEY_VALUE_MATCHING_QUALIFIERS: "FirstKeyValueMatchingQualifiersFilter",
        of_whole_rows: false, parse: None;
    KEY_ONLY: "KeyOnlyFilter", of_whole_rows: false, parse: Some(|a| {
        let len_as_val = !a.is_empty() && a.boolean("whether lengths are returned")?;
        Ok(CellFilter::KeyOnly { len_as_val }.into())
    });
    TIMESTAMPS: "TimestampsFilter", of_whole_rows: false, parse: Some(|a| {
        let times = a.several(|a| a.number("a time", i64::MAX))?;
        Ok(Filter::timestamps(times.into_iter().map(Timestamp::from_millis)))
    });
}

impl CellFilter {
    pub(super) fn class(&self) -> &'static Class {
        match self {
            Self::Family(..) => &FAMILY,
            Self::Qualifier(..) => &QUALIFIER,
            Self::Value(..) => &VALUE,
            Self::SingleColumnValue(test) if test.exclude => &SINGLE_COLUMN_VALUE_EXCLUDE,
            Self::SingleColumnValue(_) => &SINGLE_COLUMN_VALUE,
            Self::ColumnValue { .. } => &COLUMN_VALUE,
            Self::Dependent(_) => &DEPENDENT_COLUMN,
            Self::ColumnPrefixes(prefixes) if prefixes.len() == 1 => &COLUMN_PREFIX,
            Self::ColumnPrefixes(_) => &MULTIPLE_COLUMN_PREFIX,
            Self::ColumnRange(..) => &COLUMN_RANGE,
            Self::ColumnPagination { .. } | Self::ColumnPaginationFrom { .. } => &COLUMN_PAGINATION,
            Self::ColumnCount(_) => &COLUMN_COUNT_GET,
            Self::FirstKeyOnly => &FIRST_KEY_ONLY,
            Self::FirstKeyMatching(_) => &FIRST_KEY_VALUE_MATCHING_QUALIFIERS,
            Self::KeyOnly { .. } => &KEY_ONLY,
            Self::Timestamps { .. } => &TIMESTAMPS,
        }
    }

    pub(super) fn arguments(&self) -> Vec<Argument> {
        vec![match self {
            Self::Family(compare, comparator)
            | Self::Qualifier(compare, comparator)
            | Self::Value(compare, comparator) => Argument::comparison(*compare, comparator),
            Self::SingleColumnValue(test) => return test.arguments(),
            Self::ColumnValue { family, qualifier, compare, comparator } => {
                Argument::column((family, qualifier), *compare, comparator)
            }
            Self::Dependent(test) => test.argument(),
            Self::ColumnPrefixes(prefixes) => Argument::list(prefixes.iter().map(Argument::bytes)),
            Self::ColumnRange(from, to) => column_range(from, to),
            Self::ColumnPagination { limit, offset } => {
                return vec![
                    Argument::bare_with_debug_name("limit", limit),
                    Argument::bare_with_debug_name("offset", offset),
                ];
            }
            Self::ColumnPaginationFrom { limit, qualifier } => {
                Argument::debug_only(format!("limit: {limit}, from: {}", debug_bytes(qualifier)))
            }
            Self::ColumnCount(limit) => Argument::number(limit),
            Self::FirstKeyOnly | Self::KeyOnly { len_as_val: false } => return Vec::new(),
            Self::FirstKeyMatching(qualifiers) => {
                let qualifier = |qualifier: &Bytes| Argument::debug_only(debug_bytes(qualifier));
                Argument::list(qualifiers.iter().map(qualifier))
            }
            Self::KeyOnly { len_as_val: true } => {
                Argument::new("len_as_val".into(), Some(vec![bare(true)]))
            }
            Self::Timestamps { times, can_hint } => {
                let times = times.iter().map(|time| Argument::number(time.as_millis()));
                let hint = can_hint.then(|| Argument::debug_only("can_hint"));
                Argument::list(times.chain(hint))
            }
        }]
    }

    /// Returns the filter that keeps what this filter drops, and the parts of a read that it keeps
    /// or drops; `None` if there is no such filter.
    pub(super) fn inverse(&self) -> Option<(Filter, FilterTarget)> {
        let cells = |filter| (filter, FilterTarget::Cells);
        Some(match self {
            Self::Family(compare, comparator) => {
                cells(Filter::family(compare.inverse(), comparator.clone()))
            }
            Self::Qualifier(compare, comparator) => {
                cells(Filter::qualifier(compare.inverse(), comparator.clone()))
            }
            Self::Value(compare, comparator) => {
                cells(Filter::value(compare.inverse(), comparator.clone()))
            }
            Self::ColumnPrefixes(prefixes) => cells(Filter::all(prefixes.iter().map(|prefix| {
                Filter::qualifier(CompareOperator::NotEqual, Comparator::binary_prefix(prefix))
            }))),
            Self::SingleColumnValue(test) => (test.inverse()?.into(), FilterTarget::RowsByCell),
            Self::ColumnValue { .. }
            | Self::Dependent(_)
            | Self::ColumnRange(..)
            | Self::ColumnPagination { .. }
            | Self::ColumnPaginationFrom { .. }
            | Self::ColumnCount(_)
            | Self::FirstKeyOnly
            | Self::FirstKeyMatching(_)
            | Self::KeyOnly { .. }
            | Self::Timestamps { .. } => return None,
        })
    }

    /// Returns what is wrong with the filter in a read of these columns, if anything.
    pub(super) fn problem(&self, columns: &CellSelection, used: ReadKind) -> Option<String> {
        match self {
            Self::Family(compare, comparator)
            | Self::Qualifier(compare, comparator)
            | Self::Value(compare, comparator) => comparator.problem(*compare),
            Self::SingleColumnValue(test) => test
                .comparator
                .problem(test.compare)
                .or_else(|| problem_if_unread(&test.family, &test.qualifier, columns)),
            Self::ColumnValue { family, qualifier, compare, comparator } => comparator
                .problem(*compare)
                .or_else(|| problem_if_unread(family, qualifier, columns)),
            Self::Dependent(test) => {
                let value = test.value.as_ref();
                value
                    .and_then(|(compare, comparator)| comparator.problem(*compare))
                    .or_else(|| problem_if_unread(&test.family, &test.qualifier, columns))
            }
            Self::ColumnPrefixes(prefixes) => problem_if_empty(prefixes, "column prefixes"),
            Self::ColumnRange(
                Bound::Included(a) | Bound::Excluded(a),
                Bound::Included(b) | Bound::Excluded(b),
            ) if a > b => {
                let (a, b) = (debug_bytes(a), debug_bytes(b));
                Some(format!(
                    "the filter has a range of columns from {a} to {b}, which is before it"
                ))
            }
            Self::ColumnPagination { limit, offset } => {
                problem_unless_positive("limit of columns", *limit)
                    .or_else(|| problem_if_too_many("offset of columns", *offset))
            }
            Self::ColumnCount(_) if matches!(used, ReadKind::Scan { .. }) => Some(
                "ColumnCountGetFilter would end the scan with its first row; use column_pagination"
                    .into(),
            ),
            Self::ColumnPaginationFrom { limit, .. } | Self::ColumnCount(limit) => {
                problem_unless_positive("limit of columns", *limit)
            }
            Self::FirstKeyMatching(qualifiers) => problem_if_empty(qualifiers, "qualifiers"),
            Self::Timestamps { times, can_hint: _ } => problem_if_empty(times, "timestamps"),
            Self::ColumnRange(..) | Self::FirstKeyOnly | Self::KeyOnly { .. } => None,
        }
    }
}

fn single_column(a: &mut Arguments<'_>) -> Result<SingleColumnValue, ParseErrorText> {
    let (family, qualifier) = a.column()?;
    let (compare, comparator) = a.comparison()?;
    let test = SingleColumnValue::new(family, qualifier, compare, comparator);
    if a.is_empty() {
        return Ok(test);
    }
    let missing = a.boolean("whether rows without the column are dropped")?;
    let latest = a.boolean("whether only the newest version decides")?;
    Ok(test.filter_if_missing(missing).latest_version_only(latest))
}

fn dependent_column(a: &mut Arguments<'_>) -> Result<DependentColumn, ParseErrorText> {
    let (family, qualifier) = a.column()?;
    let mut test = DependentColumn::new(family, qualifier);
    if !a.is_empty() && a.boolean("whether the column is left out")? {
        test = test.drop_column();
    }
    if a.is_empty() {
        return Ok(test);
    }
    let (compare, comparator) = a.comparison()?;
    Ok(test.value(compare, comparator))
}

fn column_range(from: &Bound<Bytes>, to: &Bound<Bytes>) -> Argument {
    let first = match from {
        Bound::Included(q) => format!("{} ", debug_bytes(q)),
        Bound::Excluded(q) => format!("after {} ", debug_bytes(q)),
        Bound::Unbounded => String::new(),
    };
    let last = match to {
        Bound::Included(q) => format!("..= {}", debug_bytes(q)),
        Bound::Excluded(q) => format!(".. {}", debug_bytes(q)),
        Bound::Unbounded => "..".into(),
    };
    // In filter strings the empty qualifier means no limit. A range that includes it as its start
    // is written without a start; a range that excludes it as its start, or that has it as its end,
    // cannot be written.
    let written = |bound: &Bound<Bytes>| {
        let (qualifier, included) = match bound {
            Bound::Unbounded => (&b""[..], false),
            Bound::Included(qualifier) => (&qualifier[..], true),
            Bound::Excluded(qualifier) if qualifier.is_empty() => return None,
            Bound::Excluded(qualifier) => (&qualifier[..], false),
        };
        Some([quoted(qualifier), bare(included)])
    };
    let to_empty = matches!(to, Bound::Included(qualifier) if qualifier.is_empty());
    let to = written(to).filter(|_| !to_empty);
    let words = written(from).zip(to).map(|(from, to)| [from, to].concat());
    Argument::new(first + &last, words)
}

impl From<CellFilter> for Filter {
    fn from(filter: CellFilter) -> Self {
        Self(Kind::Cells(filter))
    }
}

impl From<SingleColumnValue> for Filter {
    fn from(column: SingleColumnValue) -> Self {
        CellFilter::SingleColumnValue(column).into()
    }
}

impl From<DependentColumn> for Filter {
    fn from(column: DependentColumn) -> Self {
        CellFilter::Dependent(column).into()
    }
}

/// Filters that look at cells.
///
/// | filter | keeps | HBase's class | arguments in a [filter string](Filter::parse) |
/// |---|---|---|---|
/// | [`SingleColumnValue`] | rows by the value of a column | `SingleColumnValueFilter`, `SingleColumnValueExcludeFilter` | family, qualifier, operator, comparator; then optionally `filter_if_missing`, `latest_version_only` |
/// | [`Filter::family`] | cells by their family | `FamilyFilter` | operator, comparator |
/// | [`Filter::qualifier`] | cells by their qualifier | `QualifierFilter` | operator, comparator |
/// | [`Filter::column_prefix`] | cells whose qualifier has a prefix | `ColumnPrefixFilter` | the prefix |
/// | [`Filter::column_prefixes`] | cells whose qualifier has one of several prefixes | `MultipleColumnPrefixFilter` | one prefix or more |
/// | [`Filter::column_range`] | cells whose qualifier is in a range | `ColumnRangeFilter` | first qualifier, whether it is included, last qualifier, whether it is included; `''` for no limit |
/// | [`Filter::column_pagination`] | a page of the columns of a row | `ColumnPaginationFilter` | limit, offset |
/// | [`Filter::column_pagination_from`] | a page that starts with a qualifier | `ColumnPaginationFilter` | |
/// | [`Filter::column_count`] | the first columns of a row, in a get | `ColumnCountGetFilter` | how many |
/// | [`Filter::value`] | cells by their value | `ValueFilter` | operator, comparator |
/// | [`Filter::column_value`] | cells of one column by their value | `ColumnValueFilter` | family, qualifier, operator, comparator |
/// | [`Filter::timestamps`] | cells of exactly these times | `TimestampsFilter` | one time or more, in milliseconds |
/// | [`Filter::timestamps_by_seeking`] | the same cells, without reading the versions in between | `TimestampsFilter` | |
/// | [`DependentColumn`] | cells with the time of another column | `DependentColumnFilter` | family, qualifier; then optionally whether to drop the column; then optionally operator, comparator |
/// | [`Filter::first_key_only`] | the first cell of each row | `FirstKeyOnlyFilter` | none |
/// | [`Filter::first_key_matching`] | the cells of each row up to the first of some columns | `FirstKeyValueMatchingQualifiersFilter` | |
/// | [`Filter::key_only`], [`Filter::value_lengths`] | all cells, without their values | `KeyOnlyFilter` | whether lengths are returned, or none |
///
/// Filter strings cannot contain filters without an entry in the last column.
impl Filter {
    /// Keeps the cells for which `family <compare> comparator` holds (`FamilyFilter`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let not_tmp = Filter::family(CompareOperator::NotEqual, "tmp");
    /// assert_eq!(format!("{not_tmp:?}"), r#"FamilyFilter(!= "tmp")"#);
    /// ```
    pub fn family(compare: CompareOperator, comparator: impl Into<Comparator>) -> Self {
        CellFilter::Family(compare, comparator.into()).into()
    }

    /// Keeps the cells for which `qualifier <compare> comparator` holds (`QualifierFilter`).
    pub fn qualifier(compare: CompareOperator, comparator: impl Into<Comparator>) -> Self {
        CellFilter::Qualifier(compare, comparator.into()).into()
    }

    /// Keeps the cells for which `value <compare> comparator` holds (`ValueFilter`).
    pub fn value(compare: CompareOperator, comparator: impl Into<Comparator>) -> Self {
        CellFilter::Value(compare, comparator.into()).into()
    }

    /// Keeps the cells of one column for which `value <compare> comparator` holds, and no other
    /// cells (`ColumnValueFilter`). The column must be among the columns that the read requests.
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    /// let sold = Filter::column_value("d", "state", CompareOperator::Equal, "sold");
    /// assert_eq!(format!("{sold:?}"), r#"ColumnValueFilter(d:state = "sold")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::CompareOperator};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("a").cell("d", "state", "sold").cell("d", "price", "9")).await?;
    /// table.put(Put::new("b").cell("d", "state", "new").cell("d", "price", "8")).await?;
    /// let sold = Filter::column_value("d", "state", CompareOperator::Equal, "sold");
    /// let mut rows = table.scan(Scan::all().filter(sold))?;
    /// let row = rows.next_row().await?.unwrap();
    /// assert_eq!((row.key(), row.cells().len()), (&b"a"[..], 1), "the price is not returned");
    /// assert_eq!(rows.next_row().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_value(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: CompareOperator,
        comparator: impl Into<Comparator>,
    ) -> Self {
        let (family, qualifier) = (copy(family), copy(qualifier));
        CellFilter::ColumnValue { family, qualifier, compare, comparator: comparator.into() }.into()
    }

    /// Keeps cells whose qualifier has this prefix (`ColumnPrefixFilter`).
    ///
    /// ```
    /// assert_eq!(
    ///     format!("{:?}", tallrow::Filter::column_prefix("tag:")),
    ///     r#"ColumnPrefixFilter("tag:")"#
    /// );
    /// ```
    pub fn column_prefix(prefix: impl AsRef<[u8]>) -> Self {
        CellFilter::ColumnPrefixes(vec![copy(prefix)]).into()
    }

    /// Keeps cells whose qualifier has one of these prefixes (`MultipleColumnPrefixFilter`).
    ///
    /// A prefix that begins with another of these prefixes is not sent. With the longer prefix,
    /// HBase would miss those qualifiers of the shorter prefix that sort after all qualifiers of
    /// the longer prefix.
    ///
    /// ```
    /// let filter = tallrow::Filter::column_prefixes(["tag:", "note:"]);
    /// assert_eq!(format!("{filter:?}"), r#"MultipleColumnPrefixFilter("note:", "tag:")"#);
    /// ```
    pub fn column_prefixes(prefixes: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        let mut prefixes: Vec<Bytes> = prefixes.into_iter().map(copy).collect();
        prefixes.sort();
        prefixes.dedup_by(|prefix, shorter| prefix.starts_with(shorter));
        CellFilter::ColumnPrefixes(prefixes).into()
    }

    /// Keeps cells whose qualifier lies in this range (`ColumnRangeFilter`).
    ///
    /// ```
    /// let page = tallrow::Filter::column_range("b"..="d");
    /// assert_eq!(format!("{page:?}"), r#"ColumnRangeFilter("b" ..= "d")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let hours = ["08:10", "09:00", "09:45", "10:00"];
    /// table
    ///     .put(hours.into_iter().fold(Put::new("day"), |put, hour| put.cell("d", hour, "v")))
    ///     .await?;
    /// let row =
    ///     table.get(Get::new("day").filter(Filter::column_range("09".."10"))).await?.unwrap();
    /// let found: Vec<_> = row.cells().iter().map(|cell| cell.qualifier()).collect();
    /// assert_eq!(found, [b"09:00", b"09:45"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_range<Q: AsRef<[u8]>>(qualifiers: impl RangeBounds<Q>) -> Self {
        let from = qualifiers.start_bound().map(copy);
        CellFilter::ColumnRange(from, qualifiers.end_bound().map(copy)).into()
    }

    /// Skips the first `offset` columns of each row and keeps the next `limit` columns
    /// (`ColumnPaginationFilter`). The columns of all families of a row are counted together, and
    /// one version of each column is returned.
    ///
    /// ```
    /// let second_page = tallrow::Filter::column_pagination(10, 10);
    /// assert_eq!(format!("{second_page:?}"), "ColumnPaginationFilter(limit: 10, offset: 10)");
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let columns = ["a", "b", "c", "d", "e"];
    /// table
    ///     .put(
    ///         columns
    ///             .into_iter()
    ///             .fold(Put::new("wide"), |put, column| put.cell("d", column, "v")),
    ///     )
    ///     .await?;
    /// let second = Get::new("wide").filter(Filter::column_pagination(2, 2));
    /// let row = table.get(second).await?.unwrap();
    /// let page: Vec<_> = row.cells().iter().map(|cell| cell.qualifier()).collect();
    /// assert_eq!(page, [b"c", b"d"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_pagination(limit: u32, offset: u32) -> Self {
        CellFilter::ColumnPagination { limit, offset }.into()
    }

    /// Keeps `limit` columns of each row, starting with `qualifier` (`ColumnPaginationFilter`). The
    /// page of a wide row stays the same even if columns are added before the page.
    ///
    /// ```
    /// let page = tallrow::Filter::column_pagination_from(10, "m");
    /// assert_eq!(format!("{page:?}"), r#"ColumnPaginationFilter(limit: 10, from: "m")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let columns = ["a", "b", "c", "d", "e"];
    /// table
    ///     .put(
    ///         columns
    ///             .into_iter()
    ///             .fold(Put::new("wide"), |put, column| put.cell("d", column, "v")),
    ///     )
    ///     .await?;
    /// // One column more than is shown is where the next page starts.
    /// let mut from = Some(b"".to_vec());
    /// let mut pages = Vec::new();
    /// while let Some(first) = from {
    ///     let page = Get::new("wide").filter(Filter::column_pagination_from(3, first));
    ///     let row = table.get(page).await?.unwrap();
    ///     let mut qualifiers: Vec<_> =
    ///         row.cells().iter().map(|cell| cell.qualifier().to_vec()).collect();
    ///     from = (qualifiers.len() == 3).then(|| qualifiers.pop()).flatten();
    ///     pages.push(qualifiers.concat());
    /// }
    /// assert_eq!(pages, [&b"ab"[..], b"cd", b"e"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_pagination_from(limit: u32, qualifier: impl AsRef<[u8]>) -> Self {
        CellFilter::ColumnPaginationFrom { limit, qualifier: copy(qualifier) }.into()
    }

    /// Keeps the first `limit` columns of a row (`ColumnCountGetFilter`). This filter is for gets
    /// only: it would end a scan after the first row, so it is an error in a scan.
    /// [`column_pagination`](Filter::column_pagination) can be used in gets and scans.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::column_count(3)), "ColumnCountGetFilter(3)");
    /// ```
    pub fn column_count(limit: u32) -> Self {
        CellFilter::ColumnCount(limit).into()
    }

    /// Keeps the first cell of each row (`FirstKeyOnlyFilter`), for example to count rows.
    ///
    /// ```
    /// use tallrow::{Filter, Scan};
    /// let count = Scan::all().filter(Filter::first_key_only().and(Filter::key_only()));
    /// assert!(format!("{count:?}").contains("FirstKeyOnlyFilter AND KeyOnlyFilter"));
    /// ```
    pub fn first_key_only() -> Self {
        CellFilter::FirstKeyOnly.into()
    }

    /// Keeps the cells of each row up to and including the first cell whose qualifier is one of
    /// these, or all cells of the row if there is no such cell
    /// (`FirstKeyValueMatchingQualifiersFilter`, which HBase 3 no longer has).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table
    ///     .put(Put::new("r").cell("d", "a", "1").cell("d", "b", "2").cell("d", "c", "3"))
    ///     .await?;
    /// let row =
    ///     table.get(Get::new("r").filter(Filter::first_key_matching(["b", "c"]))).await?.unwrap();
    /// assert_eq!(row.cells().len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn first_key_matching(qualifiers: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        CellFilter::FirstKeyMatching(qualifiers.into_iter().map(copy).collect()).into()
    }

    /// Keeps all cells, and makes their values empty (`KeyOnlyFilter`).
    ///
    /// See [`first_key_only`](Filter::first_key_only) for an example.
    pub fn key_only() -> Self {
        CellFilter::KeyOnly { len_as_val: false }.into()
    }

    /// Keeps all cells, and replaces each value by its length, as an `i32` (`KeyOnlyFilter`).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::value_lengths()), "KeyOnlyFilter(len_as_val)");
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("r").cell("d", "photo", [0; 1_000])).await?;
    /// let row = table.get(Get::new("r").filter(Filter::value_lengths())).await?.unwrap();
    /// assert_eq!(row.value("d", "photo"), Some(&1_000i32.to_be_bytes()[..]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn value_lengths() -> Self {
        CellFilter::KeyOnly { len_as_val: true }.into()
    }

    /// Keeps the versions of cells that have exactly one of these timestamps (`TimestampsFilter`).
    ///
    /// ```
    /// use tallrow::{Filter, Timestamp};
    /// let two = Filter::timestamps([5, 7].map(Timestamp::from_millis));
    /// assert_eq!(format!("{two:?}"), "TimestampsFilter(5, 7)");
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor, Timestamp};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d").versions(3))).await?;
    /// # let table = client.raw_table("t")?;
    /// let at = Timestamp::from_millis;
    /// for (time, value) in [(5, "a"), (6, "b"), (7, "c")] {
    ///     table.put(Put::new("r").cell_at("d", "q", at(time), value)).await?;
    /// }
    /// let two = Get::new("r").versions(3).filter(Filter::timestamps([at(5), at(7)]));
    /// let row = table.get(two).await?.unwrap();
    /// let values: Vec<_> = row.cells().iter().map(|cell| cell.value()).collect();
    /// assert_eq!(values, [b"c", b"a"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn timestamps(timestamps: impl IntoIterator<Item = Timestamp>) -> Self {
        CellFilter::Timestamps { times: timestamps.into_iter().collect(), can_hint: false }.into()
    }

    /// Keeps the versions of cells that have exactly one of these timestamps, as
    /// [`timestamps`](Filter::timestamps) does; the server seeks from one timestamp to the next
    /// (`TimestampsFilter` with `canHint`).
    ///
    /// The server does not read the versions in between, which is faster if a column has many
    /// versions. In this way, the server may also skip a delete marker, and return a deleted
    /// version until a major compaction removes it. Use this filter for families in which nothing
    /// is deleted.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor, Timestamp};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let family = FamilyDescriptor::new("d").versions(1_000);
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(family)).await?;
    /// # let table = client.raw_table("t")?;
    /// let at = Timestamp::from_millis;
    /// for time in 1..=100 {
    ///     table.put(Put::new("r").cell_at("d", "q", at(time), time.to_string())).await?;
    /// }
    /// let two = Filter::timestamps_by_seeking([at(7), at(93)]);
    /// assert_eq!(format!("{two:?}"), "TimestampsFilter(7, 93, can_hint)");
    /// let row = table.get(Get::new("r").versions(1_000).filter(two)).await?.unwrap();
    /// let values: Vec<_> = row.cells().iter().map(|cell| cell.value()).collect();
    /// assert_eq!(values, [&b"93"[..], b"7"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn timestamps_by_seeking(timestamps: impl IntoIterator<Item = Timestamp>) -> Self {
        CellFilter::Timestamps { times: timestamps.into_iter().collect(), can_hint: true }.into()
    }
}
