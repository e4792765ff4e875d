//! Filters that keep or drop cells.

use std::ops::RangeBounds;

use bytes::Bytes;

use super::kind::{Filter, Kind, copy};
use super::{Comparator, Compare};
use crate::Timestamp;

impl Filter {
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
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::Compare};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("a").cell("d", "state", "sold").cell("d", "price", "9")).await?;
    /// table.put(Put::new("b").cell("d", "state", "new").cell("d", "price", "8")).await?;
    /// let sold = Filter::column_value("d", "state", Compare::Equal, "sold");
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
        compare: Compare,
        comparator: impl Into<Comparator>,
    ) -> Self {
        let (family, qualifier) = (copy(family), copy(qualifier));
        Self(Kind::ColumnValue { family, qualifier, compare, comparator: comparator.into() })
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
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let hours = ["08:10", "09:00", "09:45", "10:00"];
    /// table.put(hours.into_iter().fold(Put::new("day"), |put, hour| put.cell("d", hour, "v"))).await?;
    /// let row = table.get(Get::new("day").filter(Filter::column_range("09".."10"))).await?.unwrap();
    /// let found: Vec<_> = row.cells().iter().map(|cell| cell.qualifier()).collect();
    /// assert_eq!(found, [b"09:00", b"09:45"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_range<Q: AsRef<[u8]>>(qualifiers: impl RangeBounds<Q>) -> Self {
        let from = qualifiers.start_bound().map(copy);
        Self(Kind::ColumnRange(from, qualifiers.end_bound().map(copy)))
    }

    /// Keeps `limit` columns of each row, after leaving out the first `offset`
    /// (`ColumnPaginationFilter`). It counts through the families of a row and shows one version of
    /// each column.
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
    /// table.put(columns.into_iter().fold(Put::new("wide"), |put, column| put.cell("d", column, "v"))).await?;
    /// let second = Get::new("wide").filter(Filter::column_pagination(2, 2));
    /// let row = table.get(second).await?.unwrap();
    /// let page: Vec<_> = row.cells().iter().map(|cell| cell.qualifier()).collect();
    /// assert_eq!(page, [b"c", b"d"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_pagination(limit: u32, offset: u32) -> Self {
        Self(Kind::ColumnPagination { limit, offset })
    }

    /// Keeps `limit` columns of each row, starting with `qualifier` (`ColumnPaginationFilter`). It
    /// is the same page of a wide row even after columns were added before it.
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
    /// table.put(columns.into_iter().fold(Put::new("wide"), |put, column| put.cell("d", column, "v"))).await?;
    /// // One column more than is shown is where the next page starts.
    /// let mut from = Some(b"".to_vec());
    /// let mut pages = Vec::new();
    /// while let Some(first) = from {
    ///     let page = Get::new("wide").filter(Filter::column_pagination_from(3, first));
    ///     let row = table.get(page).await?.unwrap();
    ///     let mut qualifiers: Vec<_> = row.cells().iter().map(|cell| cell.qualifier().to_vec()).collect();
    ///     from = (qualifiers.len() == 3).then(|| qualifiers.pop()).flatten();
    ///     pages.push(qualifiers.concat());
    /// }
    /// assert_eq!(pages, [&b"ab"[..], b"cd", b"e"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn column_pagination_from(limit: u32, qualifier: impl AsRef<[u8]>) -> Self {
        Self(Kind::ColumnPaginationFrom { limit, qualifier: copy(qualifier) })
    }

    /// Keeps the first `limit` columns of a row (`ColumnCountGetFilter`). For gets only: it would
    /// end a scan with its first row, so it is an error there;
    /// [`column_pagination`](Filter::column_pagination) serves both.
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

    /// Keeps the cells of each row up to the first whose qualifier is one of these; all of them if there is none
    /// (`FirstKeyValueMatchingQualifiersFilter`, which HBase 3 no longer has).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Get, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("r").cell("d", "a", "1").cell("d", "b", "2").cell("d", "c", "3")).await?;
    /// let row = table.get(Get::new("r").filter(Filter::first_key_matching(["b", "c"]))).await?.unwrap();
    /// assert_eq!(row.cells().len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn first_key_matching(qualifiers: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        Self(Kind::FirstKeyMatching(qualifiers.into_iter().map(copy).collect()))
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
        Self(Kind::KeyOnly { len_as_val: true })
    }

    /// Keeps versions of exactly these times (`TimestampsFilter`).
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
        Self(Kind::Timestamps(timestamps.into_iter().collect()))
    }
}
