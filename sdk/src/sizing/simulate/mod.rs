//! Simulates where the rows of a key design would be stored: generates keys and counts them by
//! region, before the table exists.
//!
//! A row key decides which regions are written to and read from, and it cannot be changed later. A
//! [`Simulation`] takes the split keys of a table and a function that makes keys, and counts how
//! many rows each region gets, in total and over time:
//!
//! ```
//! use tallrow::RowKey;
//! use tallrow::simulate::{Simulation, Zipf};
//!
//! /// Newest last: all that is written at one time is written to one region.
//! #[derive(RowKey)]
//! struct ByTime {
//!     at: u64,
//!     user: u32,
//! }
//!
//! /// The same, spread over 16 buckets by the user.
//! #[derive(RowKey)]
//! #[row_key(salt(buckets = 16, fields = (user)))]
//! struct Salted {
//!     at: u64,
//!     user: u32,
//! }
//!
//! // Users of whom few do most, one event a millisecond.
//! let users = Zipf::new(100_000, 0.9)?;
//! let at = |index: u64| 1_700_000_000_000 + index;
//!
//! // Split where one sixteenth of the time is over.
//! let splits = (1..16).map(|part| at(part * 100_000 / 16).to_be_bytes());
//! let by_time = Simulation::new(splits)?.keys(100_000);
//! let by_time =
//!     by_time.run(|draw| ByTime { at: at(draw.index()), user: draw.zipf(&users) as u32 })?;
//! assert!(by_time.largest_to_smallest() < 1.01, "each region gets as many rows as any other");
//! assert!(by_time.busiest_region_share() > 0.9, "but only one of them at a time");
//!
//! let salted = Simulation::new(Salted::SPLITS)?.keys(100_000);
//! let salted =
//!     salted.run(|draw| Salted { at: at(draw.index()), user: draw.zipf(&users) as u32 })?;
//! assert!(salted.busiest_region_share() < 0.2, "a sixteenth each, and what the busiest users add");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ValueGenerator`] supplies the values of keys: numbers in order, [`Zipf`] for users, [`Clock`]
//! for times, UUIDs, and values of a file or of a live table.
//!
//! Three types evaluate the design: [`RegionDistribution`] compares the regions,
//! [`StorageForecast`] forecasts when their memory is flushed, how large their files get and when
//! they split, and [`RegionMap::cost`] returns how many regions a scan has to read.

mod clock;
mod region_distribution;
mod region_map;
mod run;
mod storage;
mod value_generator;
mod zipf;

pub use clock::Clock;
pub use region_distribution::{RegionDistribution, RegionRows};
pub use region_map::{RegionMap, ScanCost};
pub use run::Simulation;
pub use storage::{RegionForecast, StorageForecast};
pub use value_generator::ValueGenerator;
pub use zipf::Zipf;
