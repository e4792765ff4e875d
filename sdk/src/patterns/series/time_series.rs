//! `TimeSeriesTable`, the handle of a table of time series, which finds a series by its names or
//! ids.

use std::fmt;
use std::sync::Arc;

use super::handle::Series;
use super::layout::SeriesIds;
use super::tables::{Tables, encode_id};
use crate::{Error, Result};

/// The time series of a table. Cheap to clone; the clones share their caches of names.
///
/// See the [module](crate::series) for an example, the bytes and the cost.
#[derive(Clone)]
pub struct TimeSeriesTable(Arc<Tables>);

impl TimeSeriesTable {
    pub(super) fn new(tables: Tables) -> Self {
        Self(Arc::new(tables))
    }

    pub(super) fn tables(&self) -> &Arc<Tables> {
        &self.0
    }

    /// Returns the series of a metric with these tags. A name that has no id yet gets one.
    ///
    /// ```
    /// # use tallrow::{Client, lookup, series::{self, TimeSeriesTable}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
    /// let tags = [("host", "web01"), ("cpu", "0")];
    /// assert_eq!(db.find_series("sys.cpu.user", tags).await?, None);
    /// let cpu = db.get_or_create_series("sys.cpu.user", tags).await?;
    /// assert_eq!(db.find_series("sys.cpu.user", [tags[1], tags[0]]).await?, Some(cpu));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`Lookup::get_or_create`](crate::lookup::Lookup::get_or_create);
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if there is no tag, or if a tag has
    /// two values.
    pub async fn get_or_create_series<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        metric: impl AsRef<[u8]>,
        tags: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Series> {
        let resolved = async {
            let (names, values): (Vec<N>, Vec<V>) = tags.into_iter().unzip();
            let tables = self.tables();
            let metric = tables.metrics.get_or_create(metric);
            let names = tables.tag_names.get_or_create_all(names);
            let values = tables.tag_values.get_or_create_all(values);
            let (metric, names, values) = tokio::join!(metric, names, values);
            let tags = names.into_result()?.into_iter().zip(values.into_result()?);
            self.series_of_ids(metric?, tags)
        };
        resolved.await.map_err(|error: Error| error.with_operation("get or create series"))
    }

    /// Returns the series of a metric with these tags; `None` if one of the names has no id, so the
    /// series cannot have points.
    ///
    /// See [`get_or_create_series`](Self::get_or_create_series) for an example.
    ///
    /// # Errors
    /// The errors of [`get_or_create_series`](Self::get_or_create_series).
    pub async fn find_series<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        metric: impl AsRef<[u8]>,
        tags: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Option<Series>> {
        let found = async {
            let (names, values): (Vec<N>, Vec<V>) = tags.into_iter().unzip();
            let found = self.tables().find_ids(metric, names, values).await?;
            let series = found.map(|(metric, names, values)| {
                self.series_of_ids(metric, names.into_iter().zip(values))
            });
            series.transpose()
        };
        found.await.map_err(|error: Error| error.with_operation("find series"))
    }

    /// Returns the series with these ids: the id of a metric, and the ids of the name and the value
    /// of each tag. Nothing is sent.
    ///
    /// ```
    /// # use tallrow::{Client, lookup, series::{self, TimeSeriesTable}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
    /// let first = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
    /// assert_eq!(db.series_of_ids(1, [(1, 1)])?, first);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if there is no tag, a tag has two
    /// values, or an id does not fit into its width.
    pub fn series_of_ids(
        &self,
        metric: u64,
        tags: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Series> {
        let tables = self.tables();
        let mut pairs: Vec<_> = tags.into_iter().collect();
        pairs.sort_unstable();
        let ids = || match pairs.windows(2).any(|pair| matches!(pair, [a, b] if a.0 == b.0)) {
            true => Err("a tag has two values".to_owned()),
            false if pairs.is_empty() => Err("a series needs a tag".to_owned()),
            false => Ok(SeriesIds {
                metric: encode_id(metric, tables.layout.metric_width)?,
                tags: tables.encode_tags(&pairs)?,
            }),
        };
        let ids = ids().map_err(|problem| {
            Error::invalid(problem)
                .with_operation_if_unset("series of ids")
                .on_table(tables.points.name())
        });
        Ok(Series::new(tables.clone(), ids?))
    }
}

impl fmt::Debug for TimeSeriesTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
