//! Tests of many rows (ranges and split keys), and of the allocations of encoding.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;
use core::hint::black_box;

use assert_no_alloc::{assert_no_alloc, violation_count};

use super::failure::Failure;
use super::fields::{ExpectedValues, KeyFields, ScanRanges, VisitFields};
use super::keys::{Case, Keys};
use super::model;
use crate::key::RowKey;
use crate::schema::SaltOrHash;
use crate::split::from_samples;

/// The number of keys from which ranges are built.
const ENDS: usize = 24;

impl<K: RowKey + VisitFields + Debug> Keys<K> {
    /// Checks every scan that can be built from the values of a key: a scan of its first fields
    /// and, for a sorted field, also the scans of the values that are at least, above, below or at
    /// most the value in the key. Each scan must contain exactly the rows that a model of the
    /// values contains, each in exactly one of its ranges.
    ///
    /// # Errors
    /// With the first row that is missing from a scan, or that a scan should not contain.
    pub fn ranges_equal_the_model(&self) -> Result<(), Failure> {
        for end in self.cases.iter().take(ENDS) {
            for built in KeyFields::of(&end.key).built {
                self.range(end, &built)?;
            }
        }
        Ok(())
    }

    fn range(&self, end: &Case<K>, built: &ScanRanges) -> Result<(), Failure> {
        const TEST: &str = "ranges_equal_the_model";
        let ranges = match &built.ranges {
            Ok(ranges) => ranges,
            Err(error) => return Err(self.failure(TEST, format!("{}: {error}", end.show()))),
        };
        let ScanRanges { fixed, wanted, .. } = *built;
        let reversed = model::is_reversed(&self.schema, &end.values, fixed);
        for case in &self.cases {
            let front = self.compare(case, end, fixed).is_eq();
            let order = if front { self.compare(case, end, fixed + 1) } else { Ordering::Equal };
            let order = if reversed { order.reverse() } else { order };
            let inside = front
                && match wanted {
                    ExpectedValues::Any => true,
                    ExpectedValues::Equal => order.is_eq(),
                    ExpectedValues::AtLeast => order.is_ge(),
                    ExpectedValues::Above => order.is_gt(),
                    ExpectedValues::Below => order.is_lt(),
                    ExpectedValues::AtMost => order.is_le(),
                };
            let found = ranges.iter().filter(|range| range.contains(&case.row)).count();
            if found != usize::from(inside) {
                let what = match (found, inside) {
                    (0, _) => "misses",
                    (_, true) => "contains more than once",
                    (_, false) => "must not contain",
                };
                let values = match wanted {
                    ExpectedValues::Any => format!("the first {fixed} values"),
                    _ => format!("the first {fixed} values and {wanted:?} the next"),
                };
                let how = format!(
                    "the scan with {values} of {} {what} {}: {ranges:?}",
                    end.show(),
                    case.show()
                );
                return Err(self.failure(TEST, how));
            }
        }
        Ok(())
    }

    /// For a salted key, checks that there is a split key between any two buckets, so that each row
    /// is in the region of its bucket. For any other key, checks that no region is empty after a
    /// split by samples.
    ///
    /// # Errors
    /// With the first wrong split key, row or empty region.
    pub fn splits_spread_rows(&self) -> Result<(), Failure> {
        let (first, buckets, width) = match *self.schema.salt_or_hash() {
            SaltOrHash::Salt { bucket_offset, buckets, width, .. }
            | SaltOrHash::RandomSalt { bucket_offset, buckets, width } => {
                (bucket_offset, buckets, width)
            }
            _ => {
                let splits = from_samples(self.cases.iter().map(|case| &case.row), 4);
                let splits = splits.unwrap_or_default();
                let regions = regions(&self.cases, &splits);
                return match regions.iter().position(|rows| *rows == 0) {
                    Some(at) => Err(self.failure(
                        "splits_spread_rows",
                        format!("region {at} is empty: {splits:?}"),
                    )),
                    None => Ok(()),
                };
            }
        };
        self.buckets(&K::splits(), first, buckets, width)
    }

    fn buckets(
        &self,
        splits: &[Vec<u8>],
        first: u32,
        buckets: u32,
        width: usize,
    ) -> Result<(), Failure> {
        let broken = |how| Err(self.failure("splits_spread_rows", how));
        let low = u32::from(first == 0);
        let wanted: Vec<_> = (low..buckets)
            .map(|index| {
                let number = (first + index).to_be_bytes();
                let mut row = alloc::vec![0; width.saturating_sub(number.len())];
                row.extend(number.iter().skip(number.len().saturating_sub(width)));
                row
            })
            .collect();
        if splits != wanted {
            return broken(format!(
                "the split keys are {splits:02x?}, the buckets start at {wanted:02x?}"
            ));
        }
        for case in &self.cases {
            let region = splits.iter().filter(|split| split[..] <= case.row[..]).count();
            let front =
                case.row.iter().take(width).fold(0_u32, |n, byte| n << 8 | u32::from(*byte));
            let bucket = front.wrapping_sub(first).wrapping_add(1 - low);
            if usize::try_from(bucket).ok() != Some(region) {
                return broken(format!("{} is in region {region}", case.show()));
            }
        }
        Ok(())
    }

    /// Checks that encoding a key allocates nothing. The test binary must count its allocations;
    /// see [`install_counting_allocator!`](crate::install_counting_allocator).
    ///
    /// # Errors
    /// With the first key that allocates, or if allocations are not counted.
    pub fn no_allocation(&self) -> Result<(), Failure> {
        const TEST: &str = "no_allocation";
        if !allocates(|| drop(black_box(Box::new(0_u8)))) {
            let how = "this program does not count its allocations; write `tallrow::install_counting_allocator!();` \
                       (or `tallrow_codec::..`) once in its main file";
            return Err(self.failure(TEST, how.into()));
        }
        for case in &self.cases {
            let allocates = allocates(|| {
                let row = black_box(&case.key).encode_key();
                black_box(row.is_ok());
            });
            if allocates {
                let how = format!("writing {} allocates", case.show());
                return Err(self.failure(TEST, how));
            }
        }
        Ok(())
    }
}

/// Returns the number of rows in each region.
fn regions<K>(cases: &[Case<K>], splits: &[Vec<u8>]) -> Vec<usize> {
    let mut rows = alloc::vec![0; splits.len() + 1];
    for case in cases {
        let region = splits.iter().filter(|split| split[..] <= case.row[..]).count();
        if let Some(rows) = rows.get_mut(region) {
            *rows += 1;
        }
    }
    rows
}

/// Returns whether `work` allocates or frees memory on this thread.
fn allocates(work: impl FnOnce()) -> bool {
    let before = violation_count();
    assert_no_alloc(work);
    violation_count() != before
}
