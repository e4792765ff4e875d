//! The bytes of one row: a box for each field, with its name, its encoding, its bytes and its
//! value.

use tallrow::key::schema::Schema;
use tallrow::key::show;

use crate::field_bytes::{Part, coloured, parts, spaced};
use crate::svg::{BYTE, CODE, END_BYTE, HEADING, MARGIN, NAME, RULE, Svg};

/// The longest line of boxes.
const MAX_WIDTH: f64 = 740.0;
const GAP: f64 = 8.0;
const PADDING: f64 = 8.0;
const CELL: f64 = 24.0;
const CELL_HEIGHT: f64 = 22.0;
const LINE: f64 = 16.0;

/// Draws a row.
pub(crate) fn draw(title: &str, schema: &Schema, row: &[u8]) -> String {
    let parts = parts(schema, row);
    let tallest = |lines: fn(&Part) -> usize| parts.iter().map(lines).max().unwrap_or(0) as f64;
    let rules = tallest(|part| part.encoding.len()) * LINE;
    let values = tallest(|part| part.value.len()) * LINE;
    let height = PADDING + LINE + rules + GAP + CELL_HEIGHT + GAP + values + PADDING / 2.0;

    let mut svg = Svg::default();
    let end = svg.text(HEADING, MARGIN, MARGIN + 12.0, title);
    svg.text(RULE, end + GAP, MARGIN + 12.0, &format!("{} bytes", row.len()));
    let (mut x, mut y) = (MARGIN, MARGIN + 26.0);
    for (part, class) in coloured(&parts) {
        let width = width(part);
        if x > MARGIN && x + width > MARGIN + MAX_WIDTH {
            (x, y) = (MARGIN, y + height + GAP);
        }
        svg.rect(class, x, y, width, height, 6.0);
        let mut base = y + PADDING + 11.0;
        svg.centred(NAME, x, base, width, &part.name);
        for line in &part.encoding {
            base += LINE;
            svg.centred(RULE, x, base, width, line);
        }
        let top = y + PADDING + LINE + rules + GAP;
        let bytes = &row[part.bytes.clone()];
        let left = x + (width - CELL * bytes.len() as f64) / 2.0;
        for (index, byte) in bytes.iter().enumerate() {
            let left = left + CELL * index as f64;
            let font = if index + part.end >= bytes.len() { END_BYTE } else { BYTE };
            svg.rect("panel", left, top, CELL, CELL_HEIGHT, 0.0);
            svg.centred(font, left, top + 15.5, CELL, &format!("{byte:02x}"));
        }
        let mut base = top + CELL_HEIGHT + GAP - 3.0;
        for line in &part.value {
            base += LINE;
            svg.centred(CODE, x, base, width, line);
        }
        x += width + GAP;
    }
    let base = y + height + 20.0;
    let end = svg.text(RULE, MARGIN, base, "In the HBase shell:");
    svg.text(CODE, end + GAP, base, &show::shell(row).to_string());
    if parts.iter().any(|part| part.end > 0) {
        svg.text(RULE, MARGIN, base + 17.0, "Grey bytes end or pad the value before them.");
    }
    svg.finish(&format!("The bytes of a row: {title}"), &description(&parts, row))
}

fn width(part: &Part) -> f64 {
    let rules = part.encoding.iter().map(|line| RULE.width(line));
    let values = part.value.iter().map(|line| CODE.width(line));
    let bytes = CELL * part.bytes.len() as f64;
    let widest = rules.chain(values).chain([NAME.width(&part.name)]).fold(bytes, f64::max);
    (widest + 2.0 * PADDING).ceil()
}

/// Returns what the picture shows, as text.
fn description(parts: &[Part], row: &[u8]) -> String {
    let part = |part: &Part| {
        format!(
            "{} ({}): {} for {}.",
            part.name,
            part.encoding.join(", "),
            spaced(&row[part.bytes.clone()]),
            part.value.join(", ")
        )
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}
