//! Pictures of how rows are distributed over regions: the rows of each region, and the part of the
//! writes that each region gets over time.

use super::picture::{Picture, labels};
use crate::commands::simulate::numbers;
use crate::commands::simulate::outcome::DesignOutcome;

/// The maximum number of lines of a picture. If there are more regions, several regions share a
/// line.
const MAX_LINES: usize = 48;

/// The CSS classes of the colours, each with its meaning as a multiple of an equal part of the
/// writes.
pub(super) const LEVELS: [(&str, &str); 5] = [
    ("h0", "no writes"),
    ("h1", "less than half of an equal part"),
    ("h2", "up to twice an equal part"),
    ("h3", "up to 4 times"),
    ("h4", "more"),
];

/// Draws how many rows each region has: a bar for each region, or for several regions.
pub(super) fn rows_picture(outcome: &DesignOutcome) -> String {
    let rows = outcome.spread.rows();
    let most = rows.iter().max().copied().unwrap_or(0).max(1);
    let even = rows.iter().sum::<u64>() as f64 / rows.len() as f64;
    let described: Vec<String> = match rows.len() <= MAX_LINES {
        true => outcome
            .starts()
            .iter()
            .zip(&rows)
            .map(|(start, rows)| format!("{start}: {rows}"))
            .collect(),
        false => vec![format!("{} regions; the table below has their rows", rows.len())],
    };
    let mut picture = Picture::new("Rows of each region", described.join("; "));
    let groups = group(rows.len());
    for (label, regions) in line_labels(outcome, groups).iter().zip(rows.chunks(groups)) {
        let rows = regions.iter().max().copied().unwrap_or(0);
        picture.add_bar(label, rows as f64 / most as f64, &numbers::short(rows));
    }
    picture.mark(even / most as f64);
    let caption = format!("Dashed: an equal part of the rows. {}", shared(groups, "the largest"));
    picture.finish(caption.trim())
}

/// Draws which part of the writes each region gets over time, from the first key that is written to
/// the last.
pub(super) fn writes_over_time_picture(outcome: &DesignOutcome) -> String {
    let windows = outcome.spread.rows_by_window();
    let regions = outcome.spread.region_map().len();
    let hot = numbers::percent(outcome.spread.busiest_region_share());
    let mut picture = Picture::new(
        "Writes of each region over time",
        format!("At a time, the busiest region gets {hot} of the writes, on average."),
    );
    let groups = group(regions);
    for (line, label) in line_labels(outcome, groups).iter().enumerate() {
        let level = |window: &Vec<u64>| {
            let of_line = window.iter().skip(line * groups).take(groups).max();
            level(of_line.copied().unwrap_or(0), window.iter().sum(), regions)
        };
        let levels: Vec<usize> = windows.iter().map(level).collect();
        picture.add_cells(label, &runs(&levels));
    }
    picture.add_axis("first key", "last key");
    let caption = format!("Each column is a part of the time. {}", shared(groups, "the busiest"));
    picture.finish(caption.trim())
}

/// Returns how many regions share a line.
fn group(regions: usize) -> usize {
    regions.div_ceil(MAX_LINES).max(1)
}

fn shared(groups: usize, which: &str) -> String {
    match groups {
        1 => String::new(),
        groups => format!("Each line is {which} of {groups} regions that follow each other."),
    }
}

fn line_labels(outcome: &DesignOutcome, groups: usize) -> Vec<String> {
    let starts: Vec<String> = outcome.starts().into_iter().step_by(groups).collect();
    labels(&starts)
}

/// Returns the index in `LEVELS` of the colour for a region that got `writes` of the `all` writes
/// to `regions` regions: 0 for none, 2 for half to twice an equal share.
fn level(writes: u64, all: u64, regions: usize) -> usize {
    if writes == 0 {
        return 0;
    }
    match writes as f64 * regions as f64 / all as f64 {
        parts if parts < 0.5 => 1,
        parts if parts <= 2.0 => 2,
        parts if parts <= 4.0 => 3,
        _ => 4,
    }
}

/// Joins neighbouring cells of the same colour. Cells without writes are left out, so that the
/// background of the page is visible there.
fn runs(levels: &[usize]) -> Vec<(&'static str, f64, f64)> {
    let count = levels.len().max(1) as f64;
    let mut start = 0;
    let mut runs = Vec::new();
    for run in levels.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        let class = run.first().and_then(|level| LEVELS.get(*level)).map_or("h0", |level| level.0);
        if class != "h0" {
            runs.push((class, start as f64 / count, end as f64 / count));
        }
        start = end;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_by_multiples_of_an_equal_part() {
        let levels = [0, 1, 12, 13, 50, 60].map(|writes| level(writes, 100, 4));
        assert_eq!(levels, [0, 1, 1, 2, 2, 3]);
        assert_eq!(level(100, 100, 16), 4);
    }

    #[test]
    fn neighbours_of_one_colour_are_one_rectangle() {
        assert_eq!(runs(&[0, 2, 2, 4]), [("h2", 0.25, 0.75), ("h4", 0.75, 1.0)]);
        assert_eq!((group(48), group(49), group(1_000)), (1, 2, 21));
    }
}
