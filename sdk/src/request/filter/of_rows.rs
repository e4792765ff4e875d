//! Filters that keep or drop whole rows by their keys, without looking at cells.

use super::argument::{Argument, debug_bytes};
use super::class::{Class, classes};
use super::kind::{Filter, Kind, RowKeyFilter, copy};
use super::validate::{ReadKind, problem_if_empty};
use super::{Comparator, CompareOperator, FuzzyRow};
use crate::key::{RowRange, schema};

classes! {
    ROW: "RowFilter", of_whole_rows: false, parse: Some(|a| a.comparison_filter(Filter::row));
    PREFIX: "PrefixFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::prefix(a.bytes("a prefix")?)));
    PAGE: "PageFilter", of_whole_rows: true,
        parse: Some(|a| Ok(Filter::page(a.number("how many rows", i64::MAX)?)));
    FUZZY_ROW: "FuzzyRowFilter", of_whole_rows: false, parse: None;
    MULTI_ROW_RANGE: "MultiRowRangeFilter", of_whole_rows: false, parse: None;
    INCLUSIVE_STOP: "InclusiveStopFilter", of_whole_rows: false,
        parse: Some(|a| Ok(Filter::inclusive_stop(a.bytes("a row")?)));
    RANDOM_ROW: "RandomRowFilter", of_whole_rows: true, parse: None;
}

impl RowKeyFilter {
    pub(super) fn class(&self) -> &'static Class {
        match self {
            Self::Row(..) => &ROW,
            Self::Prefix(_) => &PREFIX,
            Self::Page(_) => &PAGE,
            Self::FuzzyRows(_) => &FUZZY_ROW,
            Self::RowRanges(_) => &MULTI_ROW_RANGE,
            Self::InclusiveStop(_) => &INCLUSIVE_STOP,
            Self::RandomRow(_) => &RANDOM_ROW,
        }
    }

    pub(super) fn arguments(&self) -> Vec<Argument> {
        vec![match self {
            Self::Row(compare, comparator) => Argument::comparison(*compare, comparator),
            Self::Prefix(bytes) | Self::InclusiveStop(bytes) => Argument::bytes(bytes),
            Self::Page(rows) => Argument::number(rows),
            Self::FuzzyRows(rows) => {
                Argument::list(rows.iter().map(|row| Argument::debug_only(fuzzy_row(row))))
            }
            Self::RowRanges(ranges) => {
                let range = |range| Argument::debug_only(format!("{range:?}"));
                Argument::list(ranges.iter().map(range))
            }
            Self::RandomRow(chance) => Argument::debug_only(chance),
        }]
    }

    /// Returns the filter that keeps the rows that this filter drops, if there is one.
    pub(super) fn inverse(&self) -> Option<Filter> {
        Some(match self {
            Self::Row(compare, comparator) => Filter::row(compare.inverse(), comparator.clone()),
            Self::Prefix(bytes) => {
                Filter::row(CompareOperator::NotEqual, Comparator::binary_prefix(bytes))
            }
            Self::RowRanges(ranges) => Filter::all(ranges.iter().map(|range| {
                let before = Filter::row(CompareOperator::Less, range.start());
                match range.stop() {
                    Some(stop) => before.or(Filter::row(CompareOperator::GreaterOrEqual, stop)),
                    None => before,
                }
            })),
            Self::Page(_) | Self::FuzzyRows(_) | Self::InclusiveStop(_) | Self::RandomRow(_) => {
                return None;
            }
        })
    }

    /// Returns what is wrong with the filter, if anything.
    pub(super) fn problem(&self, used: ReadKind) -> Option<String> {
        match self {
            Self::Row(compare, comparator) => comparator.problem(*compare),
            Self::Page(rows) => match i64::try_from(*rows) {
                Ok(1..) => None,
                _ => Some(format!(
                    "the filter has a page of {rows} rows; 1 to 2^63 - 1 are possible"
                )),
            },
            Self::FuzzyRows(_) if matches!(used, ReadKind::Scan { reversed: true, .. }) => Some(
                "a reversed scan with FuzzyRowFilter can keep a server searching forever; scan forwards".into(),
            ),
            Self::FuzzyRows(rows) => {
                problem_if_empty(rows, "fuzzy row keys").or_else(|| rows.iter().find_map(fuzzy_row_problem))
            }
            Self::RowRanges(ranges) => {
                ranges.is_empty().then(|| "the filter has no range with rows in it".into())
            }
            Self::RandomRow(chance) => {
                chance.is_nan().then(|| "the filter has a chance that is not a number".into())
            }
            Self::Prefix(_) | Self::InclusiveStop(_) => None,
        }
    }
}

fn fuzzy_row(row: &FuzzyRow) -> String {
    let mask: String = row.mask.iter().map(u8::to_string).collect();
    format!("{} mask {mask}", debug_bytes(&row.row))
}

fn fuzzy_row_problem(row: &FuzzyRow) -> Option<String> {
    let (key, mask) = (row.row.len(), row.mask.len());
    if key != mask {
        return Some(format!(
            "a fuzzy row key of {key} bytes has a mask of {mask}; it needs one for each byte"
        ));
    }
    if key == 0 {
        return Some("a fuzzy row key is empty".into());
    }
    let other = row.mask.iter().find(|m| **m > 1)?;
    Some(format!("a mask holds {other}; 0 stands for a byte that counts, 1 for one that does not"))
}

impl From<RowKeyFilter> for Filter {
    fn from(filter: RowKeyFilter) -> Self {
        Self(Kind::Rows(filter))
    }
}

/// Filters that keep or drop whole rows by their keys.
///
/// | filter | keeps | HBase's class | arguments in a [filter string](Filter::parse) |
/// |---|---|---|---|
/// | [`Filter::row`] | rows by their keys | `RowFilter` | operator, comparator |
/// | [`Filter::prefix`] | rows whose keys have a prefix | `PrefixFilter` | the prefix |
/// | [`Filter::row_ranges`] | rows in some ranges | `MultiRowRangeFilter` | |
/// | [`Filter::fuzzy_rows`] | rows by some bytes of their keys | `FuzzyRowFilter` | |
/// | [`Filter::inclusive_stop`] | rows up to one, including it | `InclusiveStopFilter` | the last row |
/// | [`Filter::page`] | the first rows of each region | `PageFilter` | how many |
/// | [`Filter::random_row`] | rows by chance | `RandomRowFilter` | |
///
/// Filter strings cannot contain filters without an entry in the last column.
impl Filter {
    /// Keeps the rows for which `row key <compare> comparator` holds (`RowFilter`). To read a range
    /// of row keys, set the range of the scan instead: the scan then reads no other rows.
    ///
    /// See [`Filter`] for an example of this, `qualifier`, `value` and `and`.
    pub fn row(compare: CompareOperator, comparator: impl Into<Comparator>) -> Self {
        RowKeyFilter::Row(compare, comparator.into()).into()
    }

    /// Keeps rows whose key has this prefix (`PrefixFilter`). [`Scan::prefix`](crate::Scan::prefix)
    /// returns the same rows and reads no other rows.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::prefix("user7|")), r#"PrefixFilter("user7|")"#);
    /// ```
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        RowKeyFilter::Prefix(copy(prefix)).into()
    }

    /// Keeps the first `rows` rows of each region (`PageFilter`).
    ///
    /// Rows are counted separately in each region, and again from 0 if the scanner has to be
    /// reopened: a scan of three regions may return three times `rows` rows. To limit the number of
    /// all rows, use [`Scan::limit`](crate::Scan::limit).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::page(100)), "PageFilter(100)");
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["h"])).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["a", "b", "c", "m", "n"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// // Regions up to h and from h on.
    /// assert_eq!(table.count(Scan::all().filter(Filter::page(2))).await?, 4);
    /// assert_eq!(table.count(Scan::all().limit(2)).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn page(rows: u64) -> Self {
        RowKeyFilter::Page(rows).into()
    }

    /// Keeps rows whose key matches one of these patterns (`FuzzyRowFilter`). The server seeks to
    /// the next key that may match.
    ///
    /// This filter is an error in a reversed scan, because HBase up to 2.6.4 may then search
    /// forever.
    ///
    /// ```
    /// use tallrow::{Filter, filter::FuzzyRow};
    ///
    /// // Any 4 bytes, then "|7": the mask is 0 where the byte counts and 1 where it does not.
    /// let row = FuzzyRow::new("????|7", [1, 1, 1, 1, 0, 0]);
    /// assert_eq!(
    ///     format!("{:?}", Filter::fuzzy_rows([row])),
    ///     r#"FuzzyRowFilter("????|7" mask 111100)"#
    /// );
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::FuzzyRow};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["0001|7", "0002|8", "0003|7"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// let sevens = Filter::fuzzy_rows([FuzzyRow::new("????|7", [1, 1, 1, 1, 0, 0])]);
    /// assert_eq!(table.count(Scan::all().filter(sevens)).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fuzzy_rows(rows: impl IntoIterator<Item = FuzzyRow>) -> Self {
        RowKeyFilter::FuzzyRows(rows.into_iter().collect()).into()
    }

    /// Keeps rows whose key lies in one of these ranges (`MultiRowRangeFilter`). The server seeks
    /// from one range to the next.
    ///
    /// ```
    /// use tallrow::{Filter, key::RowRange};
    /// let two = Filter::row_ranges([RowRange::prefix(b"a|"), RowRange::prefix(b"c|")]);
    /// assert_eq!(format!("{two:?}"), r#"MultiRowRangeFilter(b"a|"..b"a}", b"c|"..b"c}")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, key::RowRange};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["a|1", "a|2", "b|1", "c|1"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// let two = Filter::row_ranges([RowRange::prefix(b"a|"), RowRange::prefix(b"c|")]);
    /// assert_eq!(table.count(Scan::all().filter(two)).await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn row_ranges(ranges: impl IntoIterator<Item = RowRange>) -> Self {
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        RowKeyFilter::RowRanges(ranges.collect()).into()
    }

    /// Keeps rows up to and including this one (`InclusiveStopFilter`); in a reversed scan, down to
    /// and including it.
    ///
    /// ```
    /// assert_eq!(
    ///     format!("{:?}", tallrow::Filter::inclusive_stop("m")),
    ///     r#"InclusiveStopFilter("m")"#
    /// );
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["k", "m", "m1"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// assert_eq!(table.count(Scan::all().filter(Filter::inclusive_stop("m"))).await?, 2);
    /// // Without a filter, by the range of the scan.
    /// assert_eq!(table.count(Scan::range(..="m")).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn inclusive_stop(row: impl AsRef<[u8]>) -> Self {
        RowKeyFilter::InclusiveStop(copy(row)).into()
    }

    /// Keeps each row with the probability `chance`, from 0 for no rows to 1 for all rows
    /// (`RandomRowFilter`).
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::random_row(0.01)), "RandomRowFilter(0.01)");
    /// ```
    pub fn random_row(chance: f32) -> Self {
        RowKeyFilter::RandomRow(chance).into()
    }
}

impl From<schema::RowSelection> for Filter {
    /// Makes the filter for a scan of the whole table: it keeps the rows in which some fields of
    /// the key have given values. A scan that reads only the ranges of the selection needs only the
    /// filter of the selection's mask.
    ///
    /// ```
    /// use tallrow::Filter;
    /// use tallrow::key::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Log\nhost: u16\nevent: u16\nat: u64\n")?;
    /// let event_7 = Filter::from(schema.select_rows(&[("event", Value::from(7))])?);
    /// assert_eq!(format!("{event_7:?}"), r#"FuzzyRowFilter("\x00\x00\x00\x07" mask 1100)"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from(matching: schema::RowSelection) -> Self {
        let whole = matching.ranges.contains(&RowRange::all());
        let ranges = (!whole).then(|| Self::row_ranges(matching.ranges));
        match (ranges, matching.fuzzy) {
            (Some(ranges), Some(fuzzy)) => ranges.and(Self::fuzzy_rows([fuzzy])),
            (Some(ranges), None) => ranges,
            (None, Some(fuzzy)) => Self::fuzzy_rows([fuzzy]),
            // Every row key is greater than or equal to the empty one.
            (None, None) => Self::row(CompareOperator::GreaterOrEqual, ""),
        }
    }
}
