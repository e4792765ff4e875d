//! The definition of the table of points, and the builder of a `TimeSeriesTable`.

use std::time::Duration;

use super::FAMILY;
use super::layout::Layout;
use super::tables::Tables;
use super::time_series::TimeSeriesTable;
use crate::admin::{DataBlockEncoding, FamilyDescriptor, TableDescriptor};
use crate::patterns::lookup::Lookup;
use crate::{Error, RawTable, Result, TableRef};

/// Returns the descriptor of a table of points. Its family `t` keeps one version, and has a block
/// encoding that does not repeat row keys and long column names on disk.
///
/// See the [module](crate::series) for an example. For the table of names, use
/// [`lookup::table_descriptor`].
///
/// # Errors
/// If the name is illegal.
///
/// [`lookup::table_descriptor`]: crate::lookup::table_descriptor
pub fn table_descriptor<'a>(name: impl Into<TableRef<'a>>) -> Result<TableDescriptor> {
    let family = FamilyDescriptor::new(FAMILY).versions(1);
    Ok(TableDescriptor::new(name)?.family(family.data_block_encoding(DataBlockEncoding::Diff)))
}

/// Settings of [`TimeSeriesTable`].
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Client, lookup, series::{self, Point, TimeSeriesTable}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// // A region for each of the 20 buckets.
/// let buckets = (1..20_u8).map(|bucket| [bucket]);
/// client.admin().create_table(&series::table_descriptor("tsdb")?.splits(buckets)).await?;
/// client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
///
/// let points = client.raw_table("tsdb")?;
/// let names = client.raw_table("tsdb-uid")?;
/// let db = TimeSeriesTable::builder(points.clone(), names)
///     .salt(1, 20)
///     .id_widths(3, 3, 3)
///     .min_compaction_age(Duration::from_secs(600))
///     .build()?;
/// let cpu = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
/// cpu.write([Point::at_secs(1_700_000_000, 42)]).await?;
///
/// let row = points.scan(tallrow::Scan::all())?.next_row().await?.unwrap();
/// assert_eq!(row.key(), b"\x08\0\0\x01\x65\x53\xed\xe0\0\0\x01\0\0\x01");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is built until `build` is called"]
pub struct TimeSeriesBuilder {
    points: RawTable,
    names: RawTable,
    layout: Layout,
    min_compaction_age: Duration,
    read_only: bool,
}

impl TimeSeriesTable {
    /// Returns a builder for the time series in a table of points, with the names in a
    /// [lookup](crate::lookup) table.
    ///
    /// See the [module](crate::series) for an example.
    pub fn builder(points: RawTable, names: RawTable) -> TimeSeriesBuilder {
        let layout = Layout {
            salt_width: 0,
            buckets: 0,
            metric_width: 3,
            tag_name_width: 3,
            tag_value_width: 3,
        };
        let min_compaction_age = Duration::from_secs(60);
        TimeSeriesBuilder { points, names, layout, min_compaction_age, read_only: false }
    }
}

impl TimeSeriesBuilder {
    /// Makes row keys begin with a salt: the number of a bucket, in `width` bytes. The arguments
    /// correspond to OpenTSDB's `tsd.storage.salt.width` and `tsd.storage.salt.buckets`. By default
    /// there is no salt. The salt cannot be changed once the table contains points.
    ///
    /// See [`TimeSeriesBuilder`] for an example of this and the other functions.
    pub fn salt(mut self, width: usize, buckets: u32) -> Self {
        (self.layout.salt_width, self.layout.buckets) = (width, buckets);
        self
    }

    /// Sets the widths of the ids of metrics, tag names and tag values, 1 to 8 bytes; 3 each by
    /// default, as in OpenTSDB. They cannot be changed once the table contains points.
    pub fn id_widths(mut self, metric: usize, tag_name: usize, tag_value: usize) -> Self {
        self.layout = Layout {
            metric_width: metric,
            tag_name_width: tag_name,
            tag_value_width: tag_value,
            ..self.layout
        };
        self
    }

    /// Sets the minimum age of the cells that are compacted; a minute by default.
    ///
    /// The age must be longer than the writes of all programs take, and longer than the difference
    /// between the clocks of any two computers.
    pub fn min_compaction_age(self, age: Duration) -> Self {
        Self { min_compaction_age: age, ..self }
    }

    /// Makes the time series never assign an id to a name:
    /// [`TimeSeriesTable::get_or_create_series`] returns an error if a name has no id.
    pub fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    /// Builds the time series. Nothing is sent before they are used.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an id width other than 1 to 8
    /// bytes, a salt width other than 1 to 4 bytes, or more buckets than fit into the salt.
    pub fn build(self) -> Result<TimeSeriesTable> {
        let Self { points, names, layout, min_compaction_age, read_only } = self;
        if let Some(problem) = layout.problem() {
            let error = Error::invalid(problem);
            return Err(error.with_operation_if_unset("build time series").on_table(points.name()));
        }
        let lookup = |kind: &str, width| {
            let builder = Lookup::builder(names.clone(), kind).width(width);
            if read_only { builder.read_only().build() } else { builder.build() }
        };
        let metrics = lookup("metrics", layout.metric_width)?;
        let tag_names = lookup("tagk", layout.tag_name_width)?;
        let tag_values = lookup("tagv", layout.tag_value_width)?;
        let tables = Tables { points, layout, min_compaction_age, metrics, tag_names, tag_values };
        Ok(TimeSeriesTable::new(tables))
    }
}
