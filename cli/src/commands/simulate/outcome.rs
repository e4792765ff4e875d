//! The results of the simulation of one design.

use tallrow::key::show::shell;
use tallrow::simulate::{RegionDistribution, RegionForecast};

use super::scans::ScanReport;

/// The results for one design.
#[derive(Debug)]
pub(super) struct DesignOutcome {
    pub(super) name: String,
    /// The number of keys that are equal to an earlier key, or the reason why the number is
    /// unknown.
    pub(super) equal_keys: Result<u64, String>,
    pub(super) spread: RegionDistribution,
    pub(super) scans: Vec<ScanReport>,
    /// Some keys, in the order in which they are written.
    pub(super) examples: Vec<Vec<u8>>,
    pub(super) storage: Option<StorageReport>,
}

/// The forecast of how servers store the rows.
#[derive(Debug)]
pub(super) struct StorageReport {
    /// The number of rows of the table.
    pub(super) rows: u64,
    pub(super) row_bytes: u64,
    /// The forecast of each region.
    pub(super) regions: Vec<RegionForecast>,
}

/// The main finding about how a design distributes its rows over regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    OneRegion,
    /// Some regions have no row.
    EmptyRegions,
    /// At any moment, most writes go to a single region.
    Hotspot,
    Uneven,
    Even,
}

impl DesignOutcome {
    pub(super) fn verdict(&self) -> Verdict {
        let regions = self.spread.region_map().len();
        let even = 1.0 / regions as f64;
        match self.spread.busiest_region_share() {
            _ if regions == 1 => Verdict::OneRegion,
            share if share > 0.5_f64.max(1.5 * even) => Verdict::Hotspot,
            _ if self.spread.empty_regions() > 0 => Verdict::EmptyRegions,
            _ if self.spread.largest_to_smallest() > 1.2 => Verdict::Uneven,
            _ => Verdict::Even,
        }
    }

    /// Returns the ratio of the largest region to the smallest; none if the smallest has no row.
    pub(super) fn largest_to_smallest_ratio(&self) -> Option<f64> {
        Some(self.spread.largest_to_smallest()).filter(|ratio| ratio.is_finite())
    }

    /// Returns the ratio of the largest region to the smallest as text, or how many regions have no
    /// row.
    pub(super) fn largest_to_smallest_text(&self) -> String {
        match self.largest_to_smallest_ratio() {
            Some(ratio) => format!("{ratio:.2}"),
            None => format!("{} without a row", self.spread.empty_regions()),
        }
    }

    /// Returns the start keys of the regions, as the HBase shell writes them.
    pub(super) fn starts(&self) -> Vec<String> {
        self.spread.regions().map(|region| shell(region.start_key).to_string()).collect()
    }
}

impl StorageReport {
    /// Returns after how many rows of the table the first region splits; none if no region splits.
    pub(super) fn rows_at_first_split(&self) -> Option<u64> {
        self.regions.iter().filter_map(|region| region.table_rows_at_split).min()
    }

    pub(super) fn flushes(&self) -> u64 {
        self.regions.iter().map(|region| region.flushes).sum()
    }

    pub(super) fn store_bytes(&self) -> u64 {
        self.regions.iter().map(|region| region.store_bytes).sum()
    }
}
