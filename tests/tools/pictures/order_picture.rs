//! Rows of a table in their order, and the ranges of scans next to them.

use tallrow::key::RowRange;
use tallrow::key::schema::{Schema, Value};

use crate::field_bytes::{Part, coloured, parts, spaced};
use crate::svg::{CODE, HEADING, HEX, MARGIN, RULE, Svg};

const ROW: f64 = 22.0;
const CELL: f64 = 20.0;
const GAP: f64 = 10.0;
/// The width of the bars of one scan.
const BAR: f64 = 6.0;

/// A scan: its code, and the rows it reads.
pub(crate) struct Scan {
    pub(crate) code: &'static str,
    pub(crate) ranges: Vec<RowRange>,
}

/// Draws rows, sorted as a server sorts them, and scans.
pub(crate) fn draw(title: &str, schema: &Schema, rows: &[Vec<u8>], scans: &[Scan]) -> String {
    let mut rows = rows.to_vec();
    rows.sort();
    let rows: Vec<_> = rows.into_iter().map(|row| (parts(schema, &row), row)).collect();

    let mut svg = Svg::default();
    svg.text(HEADING, MARGIN, MARGIN + 12.0, title);
    let mut base = MARGIN + 36.0;
    legend(&mut svg, schema, &rows, base);
    let top = base + 14.0;

    let bars = MARGIN + scans.len() as f64 * (BAR + 4.0);
    let bytes = bars + if scans.is_empty() { 0.0 } else { GAP };
    let longest = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0) as f64;
    let values = bytes + longest * CELL + GAP + 4.0;
    let tops = tops(schema, &rows, top);
    for ((parts, row), y) in rows.iter().zip(&tops) {
        for (part, class) in coloured(parts) {
            let left = bytes + CELL * part.bytes.start as f64;
            let width = CELL * part.bytes.len() as f64 - 2.0;
            svg.rect(class, left, y + 2.0, width, ROW - 4.0, 3.0);
            svg.centred(HEX, left, y + 15.0, width, &spaced(&row[part.bytes.clone()]));
        }
        svg.text(CODE, values, y + 15.0, &value(schema, parts, row));
    }
    for (index, scan) in scans.iter().enumerate() {
        let x = MARGIN + index as f64 * (BAR + 4.0);
        for range in &scan.ranges {
            let inside: Vec<_> = rows
                .iter()
                .zip(&tops)
                .filter(|((_, row), _)| range.contains(row))
                .map(|(_, y)| *y)
                .collect();
            let [Some(first), Some(last)] = [inside.first(), inside.last()] else { continue };
            svg.rect(
                &format!("s{}", index % 2),
                x,
                first + 2.0,
                BAR,
                last - first + ROW - 4.0,
                3.0,
            );
        }
    }
    base = tops.last().copied().unwrap_or(top) + ROW + 8.0;
    for (index, scan) in scans.iter().enumerate() {
        base += 18.0;
        svg.rect(&format!("s{}", index % 2), MARGIN, base - 10.0, BAR, 13.0, 3.0);
        let end = svg.text(CODE, MARGIN + BAR + 8.0, base, scan.code);
        svg.text(RULE, end + 8.0, base, &count(scan.ranges.len(), "range"));
    }
    svg.finish(title, &description(schema, &rows, scans))
}

/// Returns where each row is, with a space between two buckets.
fn tops(schema: &Schema, rows: &[(Vec<Part>, Vec<u8>)], top: f64) -> Vec<f64> {
    let width = schema.salt_or_hash().width();
    let mut y = top;
    let mut tops = Vec::new();
    for (index, (_, row)) in rows.iter().enumerate() {
        if index > 0 {
            let same = rows[index - 1].1[..width] == row[..width];
            y += if same { ROW } else { ROW + 8.0 };
        }
        tops.push(y);
    }
    tops
}

/// Writes the names of the fields next to their colours.
fn legend(svg: &mut Svg, schema: &Schema, rows: &[(Vec<Part>, Vec<u8>)], base: f64) {
    let longest = rows.iter().map(|(parts, _)| parts).max_by_key(|parts| parts.len());
    let mut x = MARGIN;
    for (part, class) in longest.into_iter().flat_map(|parts| coloured(parts)) {
        svg.rect(class, x, base - 10.0, 12.0, 12.0, 3.0);
        // Record variants have fields of their own, which have no common name.
        let own = !schema.records().is_empty() && !shared(schema, part);
        let name = if own { "fields of the variant" } else { &part.name };
        x = svg.text(CODE, x + 18.0, base, name) + 14.0;
    }
}

fn shared(schema: &Schema, part: &Part) -> bool {
    part.prefix
        || part.name == "tag"
        || schema.fields().iter().any(|field| field.name() == part.name)
}

/// Returns the values of a row; a time as its number, which is what the program has.
fn value(schema: &Schema, parts: &[Part], row: &[u8]) -> String {
    let values = schema.decode(row).expect("a row of this key");
    let text = |(name, value): &(String, Value)| match value {
        Value::Time(time) => format!("{name}: {}", time.count),
        Value::Variant(variant) if name == "tag" => variant.clone(),
        value => format!("{name}: {value}"),
    };
    let bucket = parts.iter().filter(|part| part.prefix).flat_map(|part| part.value.clone());
    bucket.chain(values.iter().map(text)).collect::<Vec<_>>().join(", ")
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns what the picture shows, as text.
fn description(schema: &Schema, rows: &[(Vec<Part>, Vec<u8>)], scans: &[Scan]) -> String {
    let list: Vec<_> = rows.iter().map(|(parts, row)| value(schema, parts, row)).collect();
    let mut text = format!("The rows in their order: {}.", list.join("; "));
    for scan in scans {
        let read = rows
            .iter()
            .enumerate()
            .filter(|(_, (_, row))| scan.ranges.iter().any(|r| r.contains(row)));
        let read: Vec<_> = read.map(|(index, _)| (index + 1).to_string()).collect();
        let ranges = count(scan.ranges.len(), "range");
        text += &format!(" {} reads {ranges}: the rows {}.", scan.code, read.join(", "));
    }
    text
}
