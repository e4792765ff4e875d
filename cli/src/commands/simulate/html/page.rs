//! The page of the report: the text around the pictures.

use std::fmt::Write as _;

use tallrow::key::show::shell;

use super::element::{escape_html, table};
use super::picture::{Picture, labels};
use super::spread_pictures::{LEVELS, rows_picture, writes_over_time_picture};
use crate::commands::simulate::numbers::{bytes, grouped, percent};
use crate::commands::simulate::outcome::{DesignOutcome, StorageReport, Verdict};
use crate::commands::simulate::text;

const STYLE: &str = include_str!("style.css");

/// Returns the HTML of the report; `key_sources` are lines that say from what the keys were made.
pub(in crate::commands::simulate) fn page(
    key_sources: &[String],
    outcomes: &[DesignOutcome],
) -> String {
    let names: Vec<&str> = outcomes.iter().map(|outcome| outcome.name.as_str()).collect();
    let title = escape_html(&format!("Key designs: {}", names.join(", ")));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>Which regions the rows of each design are in, by a simulation of their \
         writes.</p>\n<ul class=\"soft\">\n"
    );
    for source in key_sources {
        let _ = writeln!(html, "<li>{}</li>", escape_html(source));
    }
    html.push_str("</ul>\n");
    if outcomes.len() > 1 {
        html.push_str(&comparison(outcomes));
    }
    for outcome in outcomes {
        html.push_str(&design(outcome));
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn comparison(outcomes: &[DesignOutcome]) -> String {
    let names: Vec<String> = outcomes.iter().map(|outcome| outcome.name.clone()).collect();
    let described = outcomes
        .iter()
        .map(|o| format!("{}: {}", o.name, percent(o.spread.busiest_region_share())));
    let mut picture = Picture::new(
        "Part of the writes that the busiest region gets at a time",
        described.collect::<Vec<_>>().join("; "),
    );
    for (label, outcome) in labels(&names).iter().zip(outcomes) {
        let share = outcome.spread.busiest_region_share();
        picture.add_bar(label, share, &percent(share));
    }
    let titles =
        ["design", "regions", "largest to smallest", "busiest region at a time", "row key"];
    let row = |outcome: &DesignOutcome| {
        let spread = &outcome.spread;
        [
            outcome.name.clone(),
            spread.region_map().len().to_string(),
            outcome.largest_to_smallest_text(),
            percent(spread.busiest_region_share()),
            format!("{:.1} bytes", spread.mean_key_len()),
        ]
    };
    let rows: Vec<_> = outcomes.iter().map(row).collect();
    let caption = "The part of the writes that the busiest region gets at a time. Short bars are \
                   good: many servers share the work.";
    format!("<h2>Compared</h2>\n{}{}", picture.finish(caption), table(titles, &rows))
}

fn design(outcome: &DesignOutcome) -> String {
    let mut html = format!("<section>\n<h2>{}</h2>\n", escape_html(&outcome.name));
    let _ = writeln!(html, "<p>{}</p>", escape_html(&verdict(outcome)));
    let examples = outcome
        .examples
        .iter()
        .map(|key| format!("<code>{}</code>", escape_html(&shell(key).to_string())));
    let _ = writeln!(
        html,
        "<p class=\"soft\">Row keys of {:.1} bytes on average: {}</p>",
        outcome.spread.mean_key_len(),
        examples.collect::<Vec<_>>().join(", ")
    );
    let _ = write!(html, "<h3>Rows of each region</h3>\n{}", rows_picture(outcome));
    let _ = write!(
        html,
        "<h3>Writes over time</h3>\n{}{}",
        writes_over_time_picture(outcome),
        legend()
    );
    if !outcome.scans.is_empty() {
        html.push_str("<h3>Cost of scans</h3>\n<ul>\n");
        for scan in &outcome.scans {
            let _ = writeln!(html, "<li>{}</li>", escape_html(&text::scan(scan)));
        }
        html.push_str("</ul>\n");
    }
    if let Some(storage) = &outcome.storage {
        let _ = writeln!(html, "<h3>Storage</h3>\n<p>{}</p>", escape_html(&stored(storage)));
    }
    let _ = write!(
        html,
        "<details>\n<summary>All regions as a table</summary>\n{}</details>\n</section>\n",
        regions(outcome)
    );
    html
}

fn verdict(outcome: &DesignOutcome) -> String {
    let spread = &outcome.spread;
    let (count, hot) = (spread.region_map().len(), percent(spread.busiest_region_share()));
    let ratio = outcome.largest_to_smallest_text();
    match outcome.verdict() {
        Verdict::OneRegion => {
            "The table has one region, which gets all writes until it splits.".into()
        }
        Verdict::Hotspot => format!(
            "A hot spot: at a time, one of {count} regions gets {hot} of the writes, so one \
             server does most of the work."
        ),
        Verdict::EmptyRegions => format!(
            "{} of {count} regions get no row; at a time, the busiest gets {hot} of the writes.",
            spread.empty_regions()
        ),
        Verdict::Uneven => format!(
            "Uneven: the largest of {count} regions has {ratio} times the rows of the smallest; \
             at a time, the busiest gets {hot} of the writes."
        ),
        Verdict::Even => format!(
            "Even: the largest of {count} regions has {ratio} times the rows of the smallest, and \
             at a time the busiest gets {hot} of the writes."
        ),
    }
}

fn stored(storage: &StorageReport) -> String {
    let first = match storage.rows_at_first_split() {
        Some(rows) => format!("The first region splits when the table has {} rows.", grouped(rows)),
        None => "No region splits.".into(),
    };
    format!(
        "{} rows of {} bytes: memory is flushed {} times, to store files of {}. {first}",
        grouped(storage.rows),
        grouped(storage.row_bytes),
        grouped(storage.flushes()),
        bytes(storage.store_bytes())
    )
}

fn legend() -> String {
    let item = |(class, meaning): &(&str, &str)| {
        format!(
            "<li><svg aria-hidden=\"true\" width=\"14\" height=\"14\"><rect class=\"{class}\" \
             width=\"14\" height=\"14\"/>\
             <rect class=\"frame\" x=\"0.5\" y=\"0.5\" width=\"13\" \
             height=\"13\"/></svg>{meaning}</li>"
        )
    };
    format!("<ul class=\"legend\">{}</ul>\n", LEVELS.iter().map(item).collect::<String>())
}

fn regions(outcome: &DesignOutcome) -> String {
    let starts = outcome.starts().into_iter();
    let starts = starts.map(|start| if start.is_empty() { "first".into() } else { start });
    let ratios = outcome.spread.regions().map(|region| to_smallest(outcome, region.to_smallest));
    match &outcome.storage {
        None => {
            let rows = outcome.spread.rows().into_iter().map(grouped);
            let rows =
                starts.zip(rows).zip(ratios).map(|((start, rows), ratio)| [start, rows, ratio]);
            table(["start key", "rows", "to the smallest"], &rows.collect::<Vec<_>>())
        }
        Some(storage) => {
            let rows = starts.zip(ratios).zip(&storage.regions).map(|((start, ratio), region)| {
                [
                    start,
                    grouped(region.rows),
                    ratio,
                    grouped(region.flushes),
                    bytes(region.memstore_bytes),
                    bytes(region.store_bytes),
                    region.table_rows_at_split.map_or_else(|| "never".into(), grouped),
                ]
            });
            let titles = [
                "start key",
                "rows",
                "to the smallest",
                "flushes",
                "in memory",
                "store files",
                "splits after rows",
            ];
            table(titles, &rows.collect::<Vec<_>>())
        }
    }
}

/// Returns as text the ratio of the rows of a region to the rows of the smallest region; `-` if the
/// smallest region has no rows.
fn to_smallest(outcome: &DesignOutcome, ratio: f64) -> String {
    if outcome.spread.empty_regions() == 0 { format!("{ratio:.2}") } else { "-".into() }
}
