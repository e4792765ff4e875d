//! Filters that keep or drop rows by their keys.

use super::kind::{Filter, Kind, copy};
use super::{Comparator, Compare, FuzzyRow};
use crate::key::RowRange;

impl Filter {
    /// Keeps rows whose key compares like this (`RowFilter`). For a range of keys, use the range of the scan, which
    /// then reads no others.
    ///
    /// See [`Filter`] for an example of this, `qualifier`, `value` and `and`.
    pub fn row(compare: Compare, comparator: impl Into<Comparator>) -> Self {
        Self(Kind::Row(compare, comparator.into()))
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

    /// Keeps the first `rows` rows of each region (`PageFilter`).
    ///
    /// Each region counts separately, and starts from 0 when the scan has to be opened again: a scan of three regions
    /// may return three times as many. To limit the rows in all, use [`Scan::limit`](crate::Scan::limit).
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
        Self(Kind::FuzzyRows(rows.into_iter().collect()))
    }

    /// Keeps rows whose key lies in one of these ranges (`MultiRowRangeFilter`). The server seeks from one to the next.
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
        Self(Kind::RowRanges(ranges.collect()))
    }

    /// Keeps rows up to and including this one (`InclusiveStopFilter`); in a reversed scan, down to it.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tallrow::Filter::inclusive_stop("m")), r#"InclusiveStopFilter("m")"#);
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
}
