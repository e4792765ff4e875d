//! The regions of a simulated table, by its split keys, and the cost of a scan over them.

use bytes::Bytes;

use crate::key::RowRange;
use crate::key::show::shell;
use crate::{Error, Result};

/// The regions into which the split keys of a table divide it.
///
/// ```
/// use tallrow::simulate::RegionMap;
///
/// let map = RegionMap::new(["g", "p"])?;
/// assert_eq!(map.len(), 3);
/// assert_eq!([map.region_of(b"a"), map.region_of(b"g"), map.region_of(b"z")], [0, 1, 2]);
/// assert_eq!(map.start_key(1), b"g");
/// assert!(RegionMap::new(["p", "g"]).unwrap_err().to_string().contains("out of order"));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionMap {
    /// For each split key: its first 8 bytes as a number that sorts like these bytes, and the split
    /// key.
    splits: Vec<(u64, Bytes)>,
}

/// The cost of a scan, which does not depend on the rows that the scan finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanCost {
    /// The number of row ranges: one, or one for each bucket of a salt.
    pub ranges: usize,
    /// The number of regions that can hold rows of these ranges; each region is counted once.
    pub regions: usize,
    /// The number of scanners that are opened: one for each region of each range. A scanner makes
    /// at least one call.
    pub scanners: usize,
}

/// The size of a page of rows in HBase, in bytes.
const PAGE_BYTES: u64 = 2 << 20;

impl ScanCost {
    /// Returns how many calls a scan makes if it returns `bytes` bytes that are divided evenly
    /// between the scanners. A call returns a page of up to 2 MiB
    /// (`hbase.client.scanner.max.result.size`), and each scanner reads at least one page.
    ///
    /// ```
    /// use tallrow::simulate::RegionMap;
    ///
    /// let map = RegionMap::new(["g", "p"])?;
    /// let all = map.cost(&[tallrow::key::RowRange::all()]);
    /// assert_eq!((all.calls(100), all.calls(50 << 20)), (3, 27));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn calls(self, bytes: u64) -> u64 {
        let scanners = self.scanners as u64;
        bytes.checked_div(scanners).map_or(0, |each| scanners * each.div_ceil(PAGE_BYTES).max(1))
    }
}

impl RegionMap {
    /// Creates the map of the regions into which these split keys, in ascending order, divide a
    /// table.
    ///
    /// # Errors
    /// If a split key is empty, or not greater than the split key before it.
    pub fn new<S: AsRef<[u8]>>(splits: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut all: Vec<(u64, Bytes)> = Vec::new();
        for (at, split) in splits.into_iter().enumerate() {
            let split = split.as_ref();
            let before = all.last().map_or(&[][..], |(_, before)| before);
            if split <= before {
                let why = match split {
                    [] => "it is empty, and no region starts there but the first",
                    _ if split == before => "it is the same as the one before",
                    _ => "out of order: split keys have to be sorted by their bytes",
                };
                return Err(Error::invalid_argument(format!(
                    "split key {} '{}': {why}",
                    at + 1,
                    shell(split)
                )));
            }
            all.push((first_bytes(split), Bytes::copy_from_slice(split)));
        }
        Ok(Self { splits: all })
    }

    /// The number of regions: one more than there are split keys.
    #[allow(clippy::len_without_is_empty, reason = "a table always has a region")]
    pub fn len(&self) -> usize {
        self.splits.len() + 1
    }

    /// Returns the number of the region that holds a row, from 0.
    pub fn region_of(&self, row: &[u8]) -> usize {
        let first = first_bytes(row);
        self.splits.partition_point(|(bytes, split)| {
            *bytes < first || (*bytes == first && split.as_ref() <= row)
        })
    }

    /// Returns the first row key that a region can hold; empty for the first region and for a
    /// region that does not exist.
    pub fn start_key(&self, region: usize) -> &[u8] {
        let split = region.checked_sub(1).and_then(|at| self.splits.get(at));
        split.map_or(&[], |(_, split)| split)
    }

    /// Returns the cost of a scan of these ranges.
    ///
    /// ```
    /// use tallrow::{RowKey, simulate::RegionMap};
    /// use tallrow::key::RowRanges;
    ///
    /// #[derive(RowKey)]
    /// #[row_key(salt(buckets = 8, fields = (user)))]
    /// struct EventKey {
    ///     user: u32,
    ///     at: i64,
    /// }
    ///
    /// let map = RegionMap::new(EventKey::SPLITS)?;
    /// let one_user = map.cost(&EventKey::scan().user(7).row_ranges()?);
    /// let all_users = map.cost(&EventKey::scan().row_ranges()?);
    /// assert_eq!((one_user.ranges, one_user.regions), (1, 1));
    /// assert_eq!((all_users.ranges, all_users.regions, all_users.scanners), (8, 8, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost(&self, ranges: &[RowRange]) -> ScanCost {
        let mut cost = ScanCost { ranges: ranges.len(), ..ScanCost::default() };
        let mut met = vec![false; self.len()];
        for range in ranges {
            let first = self.region_of(range.start());
            let last = match range.stop() {
                None => self.len() - 1,
                Some(stop) if stop <= range.start() => continue,
                Some(stop) => {
                    let at = self.region_of(stop);
                    // A range that stops at the start of a region has no row in that region.
                    at - usize::from(at > first && self.start_key(at) == stop)
                }
            };
            cost.scanners += last - first + 1;
            for met in met.iter_mut().skip(first).take(last - first + 1) {
                cost.regions += usize::from(!*met);
                *met = true;
            }
        }
        cost
    }
}

/// Returns the first 8 bytes of a row key, padded with zeros if there are fewer, as a number that
/// sorts like these bytes.
fn first_bytes(row: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(row) {
        *to = *from;
    }
    u64::from_be_bytes(bytes)
}
