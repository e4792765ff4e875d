//! The table of points, and the lookups of the names of its metrics and tags.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use super::layout::{Layout, SeriesIds};
use crate::patterns::lookup::{Lookup, id_bytes, id_from_bytes};
use crate::request::filter::{Comparator, CompareOperator, RegexPattern};
use crate::{Error, ErrorKind, Filter, RawTable, Result};

pub(super) struct Tables {
    pub(super) points: RawTable,
    pub(super) layout: Layout,
    pub(super) min_compaction_age: Duration,
    pub(super) metrics: Lookup,
    pub(super) tag_names: Lookup,
    pub(super) tag_values: Lookup,
}

/// The metric and the tags of a [`Series`](super::Series), as names.
///
/// See [`Series::names`](super::Series::names) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeriesNames {
    /// The metric.
    pub metric: Bytes,
    /// The names and values of the tags, in the order of the ids of the names.
    pub tags: Vec<(Bytes, Bytes)>,
}

impl Tables {
    /// Returns the ids of a metric, of tag names and of tag values; `None` if one of them has no
    /// id.
    pub(super) async fn find_ids<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        metric: impl AsRef<[u8]>,
        names: Vec<N>,
        values: Vec<V>,
    ) -> Result<Option<(u64, Vec<u64>, Vec<u64>)>> {
        let metric = self.metrics.find(metric);
        let names = self.tag_names.find_all(names);
        let values = self.tag_values.find_all(values);
        let (metric, names, values) = tokio::join!(metric, names, values);
        let all = |ids: Vec<Option<u64>>| ids.into_iter().collect::<Option<Vec<u64>>>();
        let (names, values) = (all(names.into_result()?), all(values.into_result()?));
        let found = |metric| Some((metric, names?, values?));
        Ok(metric?.and_then(found))
    }

    pub(super) async fn names_of(&self, ids: &SeriesIds) -> Result<SeriesNames> {
        let pairs = ids.tags.chunks(self.layout.pair_len());
        let pairs = pairs.map(|pair| pair.split_at(self.layout.tag_name_width.min(pair.len())));
        let (names, values): (Vec<_>, Vec<_>) =
            pairs.map(|(name, value)| (id_from_bytes(name), id_from_bytes(value))).unzip();
        let metric_id = id_from_bytes(&ids.metric);
        let metric = self.metrics.name(metric_id);
        let all_names = self.tag_names.names(names.iter().copied());
        let all_values = self.tag_values.names(values.iter().copied());
        let (metric, all_names, all_values) = tokio::join!(metric, all_names, all_values);
        let present = |what: &str, id: u64, name: Option<Bytes>| {
            let text = format!("the id {id} of a {what} has no name");
            name.ok_or_else(|| Error::new(ErrorKind::Inconsistent, text))
        };
        let metric = present("metric", metric_id, metric?)?;
        let named = names.into_iter().zip(all_names.into_result()?);
        let valued = values.into_iter().zip(all_values.into_result()?);
        let tags = named.zip(valued).map(|((name_id, name), (value_id, value))| {
            Ok((present("tag name", name_id, name)?, present("tag value", value_id, value)?))
        });
        Ok(SeriesNames { metric, tags: tags.collect::<Result<_>>()? })
    }

    /// Encodes pairs of the ids of tag names and tag values, in the order of the pairs.
    pub(super) fn encode_tags(&self, pairs: &[(u64, u64)]) -> Result<Bytes, String> {
        let mut bytes = Vec::with_capacity(pairs.len() * self.layout.pair_len());
        for (name, value) in pairs {
            bytes.extend(encode_id(*name, self.layout.tag_name_width)?);
            bytes.extend(encode_id(*value, self.layout.tag_value_width)?);
        }
        Ok(bytes.into())
    }

    /// Returns a filter for rows whose keys contain these pairs in this order, and possibly other
    /// pairs too.
    pub(super) fn tags_filter(&self, pairs: &[Bytes]) -> Filter {
        let others = format!("(?:.{{{}}})*", self.layout.pair_len());
        let mut pattern = format!("^.{{{}}}{others}", self.layout.tags_offset());
        for pair in pairs {
            pattern.push_str(&RegexPattern::quote(pair).pattern);
            pattern.push_str(&others);
        }
        pattern.push('$');
        Filter::row(CompareOperator::Equal, Comparator::regex(RegexPattern::new(pattern).latin_1()))
    }
}

/// Returns an id in `width` bytes, or the text of an error if it does not fit.
pub(super) fn encode_id(id: u64, width: usize) -> Result<Bytes, String> {
    id_bytes(id, width).ok_or_else(|| format!("the id {id} does not fit into {width} bytes"))
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, layout, .. } = self;
        f.debug_struct("TimeSeries").field("points", points).field("layout", layout).finish()
    }
}
