//! The file of flights: the one that the environment names, or the sample repeated for many years.

use std::path::{Path, PathBuf};

/// The variable with the path of the file of all flights.
const CSV: &str = "TALLROW_FLIGHTS_CSV";
const SAMPLE: &str = include_str!("../../../examples/flights/sample.csv");
/// The number of years of the sample that are loaded otherwise.
const YEARS: u16 = 200;

/// A file of flights, deleted at the end if this test wrote it.
pub(crate) enum Input {
    Given(PathBuf),
    Written(PathBuf),
}

/// The file that the environment names, else the sample repeated for many years.
pub(crate) fn flights() -> Input {
    if let Some(path) = std::env::var_os(CSV).filter(|path| !path.is_empty()) {
        return Input::Given(path.into());
    }
    let path = std::env::temp_dir().join(format!("tallrow-chaos-{}.csv", std::process::id()));
    let mut lines = SAMPLE.lines();
    let mut text = format!("{}\n", lines.next().unwrap());
    let flights: Vec<_> = lines.collect();
    for later in 0..YEARS {
        for flight in &flights {
            text.push_str(&flown_later(flight, later));
            text.push('\n');
        }
    }
    std::fs::write(&path, text).unwrap();
    Input::Written(path)
}

/// A line with its first column, and the year at the start of its last column, moved by this many
/// years.
fn flown_later(line: &str, years: u16) -> String {
    let later = |year: &str| year.parse::<u16>().unwrap() + years;
    let (year, rest) = line.split_once(',').unwrap();
    let (rest, hour) = rest.rsplit_once(',').unwrap();
    let (hour_year, hour) = hour.split_once('-').unwrap();
    format!("{},{rest},{}-{hour}", later(year), later(hour_year))
}

impl Input {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Given(path) | Self::Written(path) => path,
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if let Self::Written(path) = self {
            // At worst it stays in the temporary folder.
            let _ = std::fs::remove_file(path);
        }
    }
}
