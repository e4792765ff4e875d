use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::{Comparator, Compare, DependentColumn, FuzzyRow, SingleColumnValue};
use crate::Timestamp;
use crate::key::RowRange;

/// Which cells of a read the server returns: HBase's filters, as plain values.
///
/// A filter is evaluated on the cells that the read requested, row by row; what it drops is not sent. Some keep or drop
/// cells ([`value`](Filter::value), [`qualifier`](Filter::qualifier), ...) and some whole rows ([`row`](Filter::row),
/// [`SingleColumnValue`], ...). A row of which no cell is left is not part of the answer.
///
/// Where a filter drops the newest version of a cell, the server goes on to the next older one that the family keeps,
/// even if one version is requested.
///
/// An invalid filter, such as an empty list or one of a column that is not read, is an error before anything is sent. A
/// regular expression is compiled by the server.
///
/// ```
/// use tallrow::{
///     Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::{Comparator, Compare, SingleColumnValue},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
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
/// let notes = Filter::qualifier(Compare::Equal, "note").and(Filter::value(Compare::Equal, Comparator::substring("NEW")));
/// let row = table.scan(Scan::all().filter(notes).limit(1))?.next_row().await?.unwrap();
/// assert_eq!(row.cells().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Filter(pub(crate) Kind);

/// What a filter tests, and with what.
#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Row(Compare, Comparator),
    Family(Compare, Comparator),
    Qualifier(Compare, Comparator),
    Value(Compare, Comparator),
    SingleColumnValue(SingleColumnValue),
    ColumnValue {
        family: Bytes,
        qualifier: Bytes,
        compare: Compare,
        comparator: Comparator,
    },
    Dependent(DependentColumn),
    Prefix(Bytes),
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
    KeyOnly {
        len_as_val: bool,
    },
    Page(u64),
    FuzzyRows(Vec<FuzzyRow>),
    RowRanges(Vec<RowRange>),
    InclusiveStop(Bytes),
    RandomRow(f32),
    Timestamps(Vec<Timestamp>),
    /// `MUST_PASS_ALL`.
    All(Vec<Filter>),
    /// `MUST_PASS_ONE`.
    Any(Vec<Filter>),
    Skip(Box<Filter>),
    WhileMatch(Box<Filter>),
}

fn copy(bytes: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(bytes.as_ref())
}

impl Filter {
    /// Keeps rows whose key compares like this (`RowFilter`). For a range of keys, use the range of the scan, which
    /// then reads no others.
    ///
    /// See [`Filter`] for an example of this, `qualifier`, `value` and `and`.
    pub fn row(compare: Compare, comparator: impl Into<Comparator>) -> Self {
        Self(Kind::Row(compare, comparator.into()))
    }

    /// Keeps cells whose family compares like this (`FamilyFilter`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let not_tmp = Filter::family(Compare::NotEqual, "tmp");
    /// assert_eq!(format!("{not_tmp:?}"), r#"FamilyFilter(!= "tmp")"#);
    /// ```
    pub fn family(compare: Compare, comparator: impl Into<Comparator>) -> Self {
        Self(Kind::Family(compare, comparator.into()))
    }

    /// Keeps cells whose qualifier compares like this (`QualifierFilter`).
    pub fn qualifier(compare: Compare, comparator: impl Into<Comparator>) -> Self {
        Self(Kind::Qualifier(compare, comparator.into()))
    }

    /// Keeps cells whose value compares like this (`ValueFilter`).
    pub fn value(compare: Compare, comparator: impl Into<Comparator>) -> Self {
        Self(Kind::Value(compare, comparator.into()))
    }

    /// Keeps the cells of one column whose value compares like this, and no others (`ColumnValueFilter`). The column
    /// must be among those that are read.
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let sold = Filter::column_value("d", "state", Compare::Equal, "sold");
    /// assert_eq!(format!("{sold:?}"), r#"ColumnValueFilter(d:state = "sold")"#);
    /// ```
    pub fn column_value(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: Compare,
        comparator: impl Into<Comparator>,
    ) -> Self {
        let (family, qualifier) = (copy(family), copy(qualifier));
        Self(Kind::ColumnValue { family, qualifier, compare, comparator: comparator.into() })
    }

    /// Keeps rows whose key has this prefix (`PrefixFilter`). [`Scan::prefix`](crate::Scan::prefix) is the same and
    /// reads no others.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::prefix("user7|")), r#"PrefixFilter("user7|")"#);
    /// ```
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self(Kind::Prefix(copy(prefix)))
    }

    /// Keeps cells whose qualifier has this prefix (`ColumnPrefixFilter`).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::column_prefix("tag:")), r#"ColumnPrefixFilter("tag:")"#);
    /// ```
    pub fn column_prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self(Kind::ColumnPrefixes(vec![copy(prefix)]))
    }

    /// Keeps cells whose qualifier has one of these prefixes (`MultipleColumnPrefixFilter`).
    ///
    /// ```
    /// let filter = tallrow::Filter::column_prefixes(["tag:", "note:"]);
    /// assert_eq!(format!("{filter:?}"), r#"MultipleColumnPrefixFilter("note:", "tag:")"#);
    /// ```
    pub fn column_prefixes(prefixes: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        let mut prefixes: Vec<Bytes> = prefixes.into_iter().map(copy).collect();
        prefixes.sort();
        prefixes.dedup();
        Self(Kind::ColumnPrefixes(prefixes))
    }

    /// Keeps cells whose qualifier lies in this range (`ColumnRangeFilter`).
    ///
    /// ```
    /// let page = tallrow::Filter::column_range("b"..="d");
    /// assert_eq!(format!("{page:?}"), r#"ColumnRangeFilter("b" ..= "d")"#);
    /// ```
    pub fn column_range<Q: AsRef<[u8]>>(qualifiers: impl RangeBounds<Q>) -> Self {
        let from = qualifiers.start_bound().map(copy);
        Self(Kind::ColumnRange(from, qualifiers.end_bound().map(copy)))
    }

    /// Keeps this many columns of each row, after leaving out this many (`ColumnPaginationFilter`). It counts through
    /// the families of a row and shows one version of each column.
    ///
    /// ```
    /// let second_page = tallrow::Filter::column_pagination(10, 10);
    /// assert_eq!(format!("{second_page:?}"), "ColumnPaginationFilter(limit: 10, offset: 10)");
    /// ```
    pub fn column_pagination(limit: u32, offset: u32) -> Self {
        Self(Kind::ColumnPagination { limit, offset })
    }

    /// Keeps this many columns of each row, starting with this qualifier (`ColumnPaginationFilter`). It is the same
    /// page of a wide row even after columns were added before it.
    ///
    /// ```
    /// let page = tallrow::Filter::column_pagination_from(10, "m");
    /// assert_eq!(format!("{page:?}"), r#"ColumnPaginationFilter(limit: 10, from: "m")"#);
    /// ```
    pub fn column_pagination_from(limit: u32, qualifier: impl AsRef<[u8]>) -> Self {
        Self(Kind::ColumnPaginationFrom { limit, qualifier: copy(qualifier) })
    }

    /// Keeps the first columns of a row, this many (`ColumnCountGetFilter`). For gets only: it would end a scan with its
    /// first row, so it is an error there; [`column_pagination`](Filter::column_pagination) serves both.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::column_count(3)), "ColumnCountGetFilter(3)");
    /// ```
    pub fn column_count(limit: u32) -> Self {
        Self(Kind::ColumnCount(limit))
    }

    /// Keeps the first cell of each row (`FirstKeyOnlyFilter`): to count rows.
    ///
    /// ```
    /// use tallrow::{Filter, Scan};
    /// let count = Scan::all().filter(Filter::first_key_only().and(Filter::key_only()));
    /// assert!(format!("{count:?}").contains("FirstKeyOnlyFilter AND KeyOnlyFilter"));
    /// ```
    pub fn first_key_only() -> Self {
        Self(Kind::FirstKeyOnly)
    }

    /// Empties every value (`KeyOnlyFilter`).
    ///
    /// See [`first_key_only`](Filter::first_key_only) for an example.
    pub fn key_only() -> Self {
        Self(Kind::KeyOnly { len_as_val: false })
    }

    /// Puts the length of every value in its place, as `i32` (`KeyOnlyFilter`).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::value_lengths()), "KeyOnlyFilter(len_as_val)");
    /// ```
    pub fn value_lengths() -> Self {
        Self(Kind::KeyOnly { len_as_val: true })
    }

    /// Keeps the first rows of each region, this many (`PageFilter`).
    ///
    /// Each region counts separately, and starts from 0 when the scan has to be opened again: a scan of three regions
    /// may return three times as many. To limit the rows in all, use [`Scan::limit`](crate::Scan::limit).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::page(100)), "PageFilter(100)");
    /// ```
    pub fn page(rows: u64) -> Self {
        Self(Kind::Page(rows))
    }

    /// Keeps rows whose key matches one of these (`FuzzyRowFilter`). The server seeks to the next key that may match.
    ///
    /// It is an error in a reversed scan: HBase up to 2.6.4 may then search forever.
    ///
    /// ```
    /// use tallrow::{Filter, filter::FuzzyRow};
    ///
    /// // Any 4 bytes, then "|7": the mask is 0 where the byte counts and 1 where it does not.
    /// let row = FuzzyRow::new("????|7", [1, 1, 1, 1, 0, 0]);
    /// assert_eq!(format!("{:?}", Filter::fuzzy_rows([row])), r#"FuzzyRowFilter("????|7" mask 111100)"#);
    /// ```
    pub fn fuzzy_rows(rows: impl IntoIterator<Item = FuzzyRow>) -> Self {
        Self(Kind::FuzzyRows(rows.into_iter().collect()))
    }

    /// Keeps rows whose key lies in one of these ranges (`MultiRowRangeFilter`). The server seeks from one to the next.
    ///
    /// ```
    /// use tallrow::{Filter, key::RowRange};
    /// let two = Filter::row_ranges([RowRange::prefix(b"a|"), RowRange::prefix(b"c|")]);
    /// assert_eq!(format!("{two:?}"), r#"MultiRowRangeFilter(b"a|"..b"a}", b"c|"..b"c}")"#);
    /// ```
    pub fn row_ranges(ranges: impl IntoIterator<Item = RowRange>) -> Self {
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        Self(Kind::RowRanges(ranges.collect()))
    }

    /// Keeps rows up to and including this one (`InclusiveStopFilter`); in a reversed scan, down to it.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::inclusive_stop("m")), r#"InclusiveStopFilter("m")"#);
    /// ```
    pub fn inclusive_stop(row: impl AsRef<[u8]>) -> Self {
        Self(Kind::InclusiveStop(copy(row)))
    }

    /// Keeps each row with this chance, 0 for none and 1 for all (`RandomRowFilter`).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::random_row(0.01)), "RandomRowFilter(0.01)");
    /// ```
    pub fn random_row(chance: f32) -> Self {
        Self(Kind::RandomRow(chance))
    }

    /// Keeps versions of exactly these times (`TimestampsFilter`).
    ///
    /// ```
    /// use tallrow::{Filter, Timestamp};
    /// let two = Filter::timestamps([5, 7].map(Timestamp::from_millis));
    /// assert_eq!(format!("{two:?}"), "TimestampsFilter(5, 7)");
    /// ```
    pub fn timestamps(timestamps: impl IntoIterator<Item = Timestamp>) -> Self {
        Self(Kind::Timestamps(timestamps.into_iter().collect()))
    }

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

    /// Ends the scan of a region with the first cell or row that this filter drops (`WhileMatchFilter`). The next region
    /// is scanned again until then.
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    /// let until_zero = Filter::value(Compare::NotEqual, "0").while_match();
    /// assert_eq!(format!("{until_zero:?}"), r#"WHILE ValueFilter(!= "0")"#);
    /// ```
    pub fn while_match(self) -> Self {
        Self(Kind::WhileMatch(Box::new(self)))
    }
}

impl From<SingleColumnValue> for Filter {
    fn from(column: SingleColumnValue) -> Self {
        Self(Kind::SingleColumnValue(column))
    }
}

impl From<DependentColumn> for Filter {
    fn from(column: DependentColumn) -> Self {
        Self(Kind::Dependent(column))
    }
}
