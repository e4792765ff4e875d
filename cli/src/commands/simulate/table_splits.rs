//! The split keys of the simulated tables.

use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use tallrow::key::split::{self, SplitError};
use tallrow::simulate::{Simulation, ValueGenerator};

use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::cluster::tables;
use crate::failure::{Failure, Result};
use crate::keys::key_format::KeyFormat;
use crate::keys::split_file::read_splits;

/// How a table is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SplitBy {
    /// Between the buckets of a salt or the values of a hash
    Schema,
    /// At equal parts of a sample of the keys that the generators make
    Sample,
    /// Equal parts of all bytes, as HBase's UniformSplit
    Uniform,
    /// Hex digits, as HBase's HexStringSplit
    Hex,
    /// Decimal digits, as HBase's DecimalStringSplit
    Decimal,
}

/// The flags that split the tables.
#[derive(Args, Clone, Debug)]
pub(super) struct DesignSplitArguments {
    /// How many regions the table of each design has
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "splits")]
    regions: Option<usize>,

    /// Where they are split
    #[arg(long, value_enum, default_value_t = SplitBy::Schema, requires = "regions")]
    split_by: SplitBy,

    /// A file with a split key on each line, for all designs; or a file for each design, in their
    /// order
    #[arg(long, value_name = "FILE")]
    splits: Vec<PathBuf>,
}

/// The way in which the table of a design is split.
#[derive(Clone, Debug)]
pub(super) enum TableSplits {
    /// The table is split by these split keys.
    Given(Vec<Vec<u8>>),
    /// The table is split into this number of regions.
    Regions(usize, SplitBy),
}

/// The number of keys that are sampled.
const SAMPLE: u64 = 100_000;

impl DesignSplitArguments {
    /// Whether the flags say how the tables are split.
    pub(super) fn are_given(&self) -> bool {
        self.regions.is_some() || !self.splits.is_empty()
    }

    /// Returns how the tables of `designs` designs are split, one result for each design: as the
    /// flags say, or else at the split keys of the live `table`. A file for all designs, or the
    /// live table, is read once.
    pub(super) fn read(
        &self,
        designs: usize,
        table: Option<(&str, &ConnectionArguments)>,
    ) -> Result<Vec<TableSplits>> {
        let files = self.splits.len();
        if files > 1 && files != designs {
            return Err(Failure::usage(format!(
                "{files} files of split keys for {designs} designs"
            ))
            .advise("give one --splits for all, or one for each --schema in their order"));
        }
        let of_file = |file: &PathBuf| read_splits(file, KeyFormat::Shell).map(TableSplits::Given);
        let splits = match (&self.splits[..], table) {
            ([], Some((table, connection))) if self.regions.is_none() => {
                TableSplits::Given(block_on(async {
                    tables::split_keys(&connection.connect().await?, table).await
                })?)
            }
            ([], _) => TableSplits::Regions(self.regions.unwrap_or(1), self.split_by),
            ([file], _) => of_file(file)?,
            (files, _) => return files.iter().map(of_file).collect(),
        };
        Ok(vec![splits; designs])
    }
}

impl TableSplits {
    /// Returns the split keys. `schema_splits` returns the split keys that the design's schema
    /// gives for a number of regions, and `make_key` makes keys of the design.
    pub(super) fn keys(
        self,
        seed: u64,
        schema_splits: impl Fn(usize) -> Result<Vec<Vec<u8>>, SplitError>,
        make_key: impl Fn(&mut ValueGenerator) -> tallrow::Result<Vec<u8>> + Sync,
    ) -> Result<Vec<Vec<u8>>> {
        let (regions, split_by) = match self {
            Self::Given(splits) => return Ok(splits),
            Self::Regions(1, _) => return Ok(Vec::new()),
            Self::Regions(regions, split_by) => (regions, split_by),
        };
        let made = match split_by {
            SplitBy::Schema => schema_splits(regions),
            SplitBy::Sample => split::from_samples(sample(seed, make_key)?, regions),
            SplitBy::Uniform => split::uniform(regions).map(bytes),
            SplitBy::Hex => split::hex_string_splits(regions).map(bytes),
            SplitBy::Decimal => split::decimal_string_splits(regions).map(bytes),
        };
        made.map_err(|error| {
            let advice = match error {
                SplitError::UnhashedValues | SplitError::MoreRegionsThanBuckets { .. } => {
                    "give --split-by sample, or --splits FILE"
                }
                _ => "choose another number for --regions, or give --split-by or --splits FILE",
            };
            Failure::usage(error.to_string()).advise(advice)
        })
    }
}

/// Makes a sample of keys, with another seed than the simulation.
fn sample(
    seed: u64,
    make_key: impl Fn(&mut ValueGenerator) -> tallrow::Result<Vec<u8>> + Sync,
) -> Result<Vec<Vec<u8>>> {
    let rows = Mutex::new(Vec::new());
    let all = Simulation::new([[0_u8; 0]; 0])?.keys(SAMPLE).seed(seed.wrapping_add(1));
    all.run_rows(|draw| {
        let row = make_key(draw)?;
        rows.lock().unwrap_or_else(|e| e.into_inner()).push(row);
        Ok([])
    })?;
    Ok(rows.into_inner().unwrap_or_else(|e| e.into_inner()))
}

fn bytes<K: AsRef<[u8]>>(keys: Vec<K>) -> Vec<Vec<u8>> {
    keys.iter().map(|key| key.as_ref().to_vec()).collect()
}
