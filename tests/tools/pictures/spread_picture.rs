//! Where the rows of simulations are written: a column for each window of time, a line for each
//! region; or a bar for each region.

use tallrow::key::show::shell;
use tallrow::simulate::RegionDistribution;

use crate::svg::{CODE, HEADING, HEX, MARGIN, RULE, Svg};

const CELL: f64 = 11.0;
const GAP: f64 = 32.0;
const BAR: f64 = 220.0;
const LINE: f64 = 18.0;

/// Draws simulations next to each other, each with its name: the darker a cell, the more of the
/// writes of its time.
pub(crate) fn over_time(title: &str, spreads: &[(&str, RegionDistribution)]) -> String {
    let mut svg = Svg::default();
    svg.text(HEADING, MARGIN, MARGIN + 12.0, title);
    svg.text(RULE, MARGIN, MARGIN + 32.0, "A line for each region; time goes to the right.");
    let top = MARGIN + 62.0;
    let mut left = MARGIN;
    let mut text = String::new();
    for (name, spread) in spreads {
        let windows = spread.rows_by_window();
        let regions = spread.rows().len();
        let (width, height) = (CELL * windows.len() as f64, CELL * regions as f64);
        svg.text(CODE, left, top - 8.0, name);
        svg.rect("panel", left - 1.5, top - 1.5, width + 2.0, height + 2.0, 0.0);
        for (column, rows) in windows.iter().enumerate() {
            let all = rows.iter().sum::<u64>().max(1) as f64;
            for (line, rows) in rows.iter().enumerate() {
                let (x, y) = (left + CELL * column as f64, top + CELL * line as f64);
                // A sixteenth, the share of each region if all are even, is a quarter of the
                // colour.
                let share = (*rows as f64 / all).sqrt();
                if *rows == 0 {
                    continue;
                }
                svg.shade("s0", share, x, y, CELL - 1.0, CELL - 1.0);
            }
        }
        let busiest =
            format!("busiest region: {:.0} % of the writes", spread.busiest_region_share() * 100.0);
        svg.text(RULE, left, top + height + 16.0, &busiest);
        text += &format!("{name}: {regions} regions, {busiest} at a time. ");
        left += width.max(RULE.width(&busiest)) + GAP;
    }
    svg.finish(title, text.trim_end())
}

/// Draws the rows of each region of some simulations as bars.
pub(crate) fn bars(title: &str, spreads: &[(&str, RegionDistribution)]) -> String {
    let mut svg = Svg::default();
    svg.text(HEADING, MARGIN, MARGIN + 12.0, title);
    let top = MARGIN + 52.0;
    let mut left = MARGIN;
    let mut text = String::new();
    for (name, spread) in spreads {
        svg.text(CODE, left, top - 16.0, name);
        let rows = spread.rows();
        let most = rows.iter().max().copied().unwrap_or(0).max(1) as f64;
        let starts: Vec<String> =
            spread.regions().map(|region| start(&shell(region.start_key).to_string())).collect();
        let wide = starts.iter().map(|start| HEX.width(start)).fold(0.0, f64::max);
        let mut right = left;
        for ((start, rows), line) in starts.iter().zip(&rows).zip(0..) {
            let base = top + LINE * f64::from(line);
            svg.text(HEX, left, base + 10.0, start);
            let x = left + wide + 8.0;
            let width = BAR * *rows as f64 / most;
            if *rows > 0 {
                svg.rect("s0", x, base, width.max(1.0), 12.0, 2.0);
            }
            let label = if *rows == 0 { "no row".to_owned() } else { rows.to_string() };
            right = right.max(svg.text(RULE, x + width + 6.0, base + 10.0, &label));
        }
        let dead = spread.empty_regions();
        text += &format!("{name}: {dead} of {} regions have no row. ", rows.len());
        left = right + GAP;
    }
    svg.finish(title, text.trim_end())
}

/// A row that fits next to a bar.
fn start(row: &str) -> String {
    match row {
        "" => "from the first row".to_owned(),
        row if row.len() > 18 => format!("{}..", &row[..16]),
        row => row.to_owned(),
    }
}
