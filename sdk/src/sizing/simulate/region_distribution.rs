//! The result of a simulation: how many rows each region got, in total and over time.

use std::fmt;

use super::RegionMap;
use crate::key::show::shell;

/// How many rows fell into each region, in total and over time.
///
/// Displayed as a table with a bar for each region:
///
/// ```
/// use tallrow::simulate::Simulation;
///
/// let thirds = Simulation::new(["b", "c"])?.keys(400);
/// let spread = thirds.run_rows(|draw| Ok(["a", "b", "b", "c"][draw.index() as usize % 4]))?;
/// assert_eq!(spread.rows(), [100, 200, 100]);
/// assert_eq!((spread.largest_to_smallest(), spread.busiest_region_share()), (2.0, 0.5));
/// assert_eq!(
///     spread.to_string(),
///     "\
/// start  rows  to the smallest
///         100  1.00 ####################
/// b       200  2.00 ########################################
/// c       100  1.00 ####################
/// 3 regions, 400 rows, largest to smallest 2.00; at a time, one region gets 50 % of the writes
/// "
/// );
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionDistribution {
    regions: RegionMap,
    /// For each window of time, the number of rows of each region.
    windows: Vec<Vec<u64>>,
    key_bytes: Vec<u64>,
}

/// The rows that fell into one region.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RegionRows<'s> {
    /// The first row key that the region can hold.
    pub start_key: &'s [u8],
    /// How many rows the region holds.
    pub rows: u64,
    /// The size of all row keys of the region together, in bytes.
    pub key_bytes: u64,
    /// `rows` divided by the number of rows in the smallest region; infinite if the smallest region
    /// is empty and this region is not.
    pub to_smallest: f64,
}

/// The length of the longest bar.
const BAR: u64 = 40;

impl RegionDistribution {
    pub(super) fn new(regions: RegionMap, windows: usize) -> Self {
        let count = regions.len();
        Self { regions, windows: vec![vec![0; count]; windows], key_bytes: vec![0; count] }
    }

    pub(super) fn add_row(&mut self, window: usize, region: usize, key_bytes: usize) {
        if let Some(rows) = self.windows.get_mut(window).and_then(|rows| rows.get_mut(region)) {
            *rows += 1;
        }
        if let Some(bytes) = self.key_bytes.get_mut(region) {
            *bytes += key_bytes as u64;
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let sum = |to: &mut Vec<u64>, from: &Vec<u64>| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        self.windows.iter_mut().zip(&other.windows).for_each(|(to, from)| sum(to, from));
        sum(&mut self.key_bytes, &other.key_bytes);
    }

    /// The regions of the simulated table.
    pub fn region_map(&self) -> &RegionMap {
        &self.regions
    }

    /// The number of rows of each region.
    pub fn rows(&self) -> Vec<u64> {
        let mut rows = vec![0; self.regions.len()];
        for window in &self.windows {
            rows.iter_mut().zip(window).for_each(|(all, rows)| *all += rows);
        }
        rows
    }

    /// The number of rows of each region in each window of time. The outer list contains the
    /// windows, and each inner list contains the regions.
    pub fn rows_by_window(&self) -> &[Vec<u64>] {
        &self.windows
    }

    /// The rows of each region, in the order of the start keys of the regions.
    pub fn regions(&self) -> impl Iterator<Item = RegionRows<'_>> {
        let rows = self.rows();
        let smallest = rows.iter().min().copied().unwrap_or(0);
        rows.into_iter().zip(&self.key_bytes).enumerate().map(move |(at, (rows, key_bytes))| {
            RegionRows {
                start_key: self.regions.start_key(at),
                rows,
                key_bytes: *key_bytes,
                to_smallest: if rows == smallest { 1.0 } else { rows as f64 / smallest as f64 },
            }
        })
    }

    /// The rows of the largest region divided by the rows of the smallest region: 1 means an even
    /// distribution, infinite means that a region is empty.
    pub fn largest_to_smallest(&self) -> f64 {
        self.regions().map(|region| region.to_smallest).fold(0.0, f64::max)
    }

    /// The number of regions without a row.
    pub fn empty_regions(&self) -> usize {
        self.rows().iter().filter(|rows| **rows == 0).count()
    }

    /// The share of the writes that the busiest region gets in each window of time, on average. 1
    /// means a hot spot, for example because of a leading timestamp; 1 divided by the number of
    /// regions means an even distribution.
    pub fn busiest_region_share(&self) -> f64 {
        let most: u64 = self.windows.iter().filter_map(|rows| rows.iter().max()).sum();
        let all: u64 = self.windows.iter().flatten().sum();
        if all == 0 { 0.0 } else { most as f64 / all as f64 }
    }

    /// The average length of a row key, in bytes.
    pub fn mean_key_len(&self) -> f64 {
        let rows: u64 = self.rows().iter().sum();
        if rows == 0 { 0.0 } else { self.key_bytes.iter().sum::<u64>() as f64 / rows as f64 }
    }
}

impl fmt::Display for RegionDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts: Vec<String> =
            self.regions().map(|region| shell(region.start_key).to_string()).collect();
        let all = self.rows();
        let most = all.iter().max().copied().unwrap_or(0);
        let start_width = starts.iter().map(String::len).max().unwrap_or(0).max("start".len());
        let rows_width = most.to_string().len().max("rows".len());
        writeln!(f, "{:start_width$}  {:>rows_width$}  to the smallest", "start", "rows")?;
        for (region, start) in self.regions().zip(&starts) {
            let bar = (u128::from(region.rows) * u128::from(BAR)).checked_div(u128::from(most));
            let bar = "#".repeat(bar.unwrap_or(0) as usize);
            let to_smallest = match self.empty_regions() {
                0 => format!("{:.2}", region.to_smallest),
                _ => "-".to_owned(),
            };
            let line =
                format!("{start:start_width$}  {:rows_width$}  {to_smallest:4} {bar}", region.rows);
            writeln!(f, "{}", line.trim_end())?;
        }
        let (regions, rows) = (all.len(), all.iter().sum::<u64>());
        write!(f, "{regions} regions, {rows} rows, ")?;
        match self.empty_regions() {
            0 => write!(f, "largest to smallest {:.2}", self.largest_to_smallest())?,
            dead => write!(f, "{dead} regions without one")?,
        }
        writeln!(
            f,
            "; at a time, one region gets {:.0} % of the writes",
            self.busiest_region_share() * 100.0
        )
    }
}
