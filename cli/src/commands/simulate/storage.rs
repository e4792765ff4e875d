//! The cells of the simulated rows, and the settings of the servers that store them.

use clap::Args;
use tallrow::simulate::StorageForecast;
use tallrow::sizes::CellSize;

use crate::failure::{Failure, Result};

/// The flags about what is stored.
#[derive(Args, Clone, Debug)]
pub(super) struct StorageArguments {
    /// A column of each row, with the length of its value; may be repeated. Without any, only keys
    /// are counted
    #[arg(long, value_name = "FAMILY:QUALIFIER=BYTES")]
    column: Vec<String>,

    /// How many rows the table will have, if not --rows
    #[arg(long, value_name = "ROWS", requires = "column")]
    expected_rows: Option<u64>,

    /// hbase.hregion.memstore.flush.size, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 128 << 20, requires = "column")]
    flush_size: u64,

    /// hbase.hregion.max.filesize, in bytes: a region with more splits
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 30, requires = "column")]
    max_file_size: u64,

    /// How many regions of the table a server has; with 1, the region splits at twice the flush
    /// size
    #[arg(long, value_name = "N", default_value_t = 2, requires = "column")]
    regions_per_server: usize,

    /// What compression and block encoding leave of a store file: 0.3 is 30 %
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 1.0,
        value_parser = share,
        requires = "column",
    )]
    compression: f64,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if share > 0.0 && share <= 1.0 { Ok(share) } else { Err("it is not in 0 to 1".into()) }
}

/// The sizes of the cells of a row: for each cell, the lengths of its family, qualifier and value.
pub(super) type CellSizes = Vec<(usize, usize, usize)>;

impl StorageArguments {
    /// Returns the sizes of the cells of a row, which are read from the flags.
    pub(super) fn cells(&self) -> Result<CellSizes> {
        self.column.iter().map(|text| cell(text)).collect()
    }

    /// Returns how many rows the table will have: the expected number, or the simulated number if
    /// none is given.
    pub(super) fn rows(&self, simulated: u64) -> u64 {
        self.expected_rows.unwrap_or(simulated)
    }

    /// Returns the settings for a forecast of how servers store rows with these cells and row keys
    /// of `key_len` bytes on average; none without cells.
    pub(super) fn storage(&self, cells: &CellSizes, key_len: f64) -> Option<StorageForecast> {
        let key = key_len.round() as usize;
        let sizes = cells
            .iter()
            .map(|(family, qualifier, value)| CellSize::new(key, *family, *qualifier, *value));
        let storage = StorageForecast::new(sizes)
            .flush_size(self.flush_size)
            .max_file_size(self.max_file_size)
            .regions_per_server(self.regions_per_server)
            .compression(self.compression);
        (!cells.is_empty()).then_some(storage)
    }
}

/// Parses a column and the length of its value, such as `d:what=20`.
fn cell(text: &str) -> Result<(usize, usize, usize)> {
    let parts = text.rsplit_once('=').and_then(|(column, bytes)| {
        let (family, qualifier) = column.split_once(':')?;
        Some((family.len(), qualifier.len(), bytes.trim().parse().ok()?))
    });
    parts.filter(|(family, ..)| *family > 0).ok_or_else(|| {
        Failure::usage(format!("--column {text}: it is not FAMILY:QUALIFIER=BYTES"))
            .advise("for a value of 20 bytes write it as --column d:what=20")
    })
}
