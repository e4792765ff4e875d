//! Pictures with a line for each region. Horizontal positions are in per cent, so that pictures fit
//! any window while the letters keep their size.

use std::fmt::Write as _;

use super::element::escape_html;

/// The horizontal positions where the labels end and where the bars end, in per cent.
pub(super) const LABELS_END_PERCENT: f64 = 34.0;
const BARS: f64 = 78.0;

/// The height of a line, in pixels.
const LINE: usize = 20;

/// The maximum number of characters of a label.
const LABEL_CHARS: usize = 14;

/// A picture that is being drawn.
#[derive(Debug)]
pub(super) struct Picture {
    title: String,
    description: String,
    body: String,
    lines: usize,
}

impl Picture {
    /// Starts a picture; the title and the description are for readers who cannot see it.
    pub(super) fn new(title: impl Into<String>, description: impl Into<String>) -> Self {
        let (title, description) = (title.into(), description.into());
        Self { title, description, body: String::new(), lines: 0 }
    }

    /// Adds a line with a bar and a number; `share` is the length of the bar as a part of the
    /// longest possible bar, from 0 to 1.
    pub(super) fn add_bar(&mut self, label: &str, share: f64, number: &str) {
        let y = self.label(label);
        let width = share.clamp(0.0, 1.0) * (BARS - LABELS_END_PERCENT);
        let _ = writeln!(
            self.body,
            r#"<rect class="bar" x="{LABELS_END_PERCENT}%" y="{}" width="{width:.2}%" height="14"/><text x="100%" y="{}" text-anchor="end">{}</text>"#,
            y + 3,
            y + 14,
            escape_html(number)
        );
    }

    /// Adds a line of coloured cells. Each cell has a CSS class, and a start and an end as parts of
    /// the width, from 0 to 1.
    pub(super) fn add_cells(&mut self, label: &str, cells: &[(&str, f64, f64)]) {
        let y = self.label(label);
        for (class, from, to) in cells {
            let (x, width) = (
                LABELS_END_PERCENT + from * (100.0 - LABELS_END_PERCENT),
                (to - from) * (100.0 - LABELS_END_PERCENT),
            );
            let _ = writeln!(
                self.body,
                r#"<rect class="{class}" x="{x:.2}%" y="{y}" width="{width:.2}%" height="{LINE}"/>"#
            );
        }
    }

    /// Adds a line below the cells, with one text at their start and one at their end.
    pub(super) fn add_axis(&mut self, from: &str, to: &str) {
        let y = self.lines * LINE;
        let (frame, text) = (100.0 - LABELS_END_PERCENT, y + 15);
        let _ = writeln!(
            self.body,
            r#"<rect class="frame" x="{LABELS_END_PERCENT}%" y="0.5" width="{frame}%" height="{y}"/><text class="soft" x="{LABELS_END_PERCENT}%" y="{text}">{}</text><text class="soft" x="100%" y="{text}" text-anchor="end">{}</text>"#,
            escape_html(from),
            escape_html(to)
        );
        self.lines += 1;
    }

    /// Draws a vertical line through all bars, at the end of a bar with this `share`.
    pub(super) fn mark(&mut self, share: f64) {
        let (x, bottom) = (
            LABELS_END_PERCENT + share.clamp(0.0, 1.0) * (BARS - LABELS_END_PERCENT),
            self.lines * LINE,
        );
        let _ = writeln!(
            self.body,
            r#"<line class="even" x1="{x:.2}%" x2="{x:.2}%" y1="0" y2="{bottom}"/>"#
        );
    }

    fn label(&mut self, label: &str) -> usize {
        let y = self.lines * LINE;
        self.lines += 1;
        let _ = write!(self.body, r#"<text x="0" y="{}">{}</text>"#, y + 14, escape_html(label));
        y
    }

    /// Returns the picture with a caption.
    pub(super) fn finish(self, caption: &str) -> String {
        let Self { title, description, body, lines } = self;
        format!(
            "<figure>\n<svg role=\"img\" aria-label=\"{}\" width=\"100%\" \
             height=\"{}\">\n<desc>{}</desc>\n{body}</svg>\n\
             <figcaption>{}</figcaption>\n</figure>\n",
            escape_html(&title),
            lines * LINE + 1,
            escape_html(&description),
            escape_html(caption)
        )
    }
}

/// Shortens labels until they fit. A prefix that all labels share is left out first; an empty label
/// becomes `first`.
pub(super) fn labels(starts: &[String]) -> Vec<String> {
    let all: Vec<Vec<&str>> = starts.iter().map(|start| units(start)).collect();
    let long = all.iter().any(|units| width(units) > LABEL_CHARS);
    let common = if long { common(&all) } else { 0 };
    all.iter()
        .map(|units| match units.get(common..) {
            _ if units.is_empty() => "first".to_owned(),
            Some(rest) if common > 0 => cut(&[&["…"], rest].concat()),
            _ => cut(units),
        })
        .collect()
}

/// Returns the characters of a text in the shell's notation, where `\x00` is one character.
fn units(text: &str) -> Vec<&str> {
    let (mut units, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("\\x") { 4.min(rest.len()) } else { c.len_utf8() };
        let (unit, left) = rest.split_at_checked(len).unwrap_or((rest, ""));
        units.push(unit);
        rest = left;
    }
    units
}

fn width(units: &[&str]) -> usize {
    units.iter().map(|unit| unit.chars().count()).sum()
}

/// Returns how many units all texts, except the empty ones, have in common at their start.
fn common(all: &[Vec<&str>]) -> usize {
    let mut given = all.iter().filter(|units| !units.is_empty());
    let Some(first) = given.next() else { return 0 };
    let same = |other: &Vec<&str>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    given.map(same).min().unwrap_or(0)
}

fn cut(units: &[&str]) -> String {
    if width(units) <= LABEL_CHARS {
        return units.concat();
    }
    let mut text = String::new();
    for unit in units {
        if text.chars().count() + unit.chars().count() >= LABEL_CHARS {
            break;
        }
        text.push_str(unit);
    }
    text + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_fit_and_differ() {
        let short = |starts: &[&str]| {
            labels(&starts.iter().map(|start| (*start).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(short(&["", "\\x04", "\\x08"]), ["first", "\\x04", "\\x08"]);
        assert_eq!(
            short(&["", "\\x00\\x00\\x01\\x8B\\xCF", "\\x00\\x00\\x01\\x8C\\x00"]),
            ["first", "…\\x8B\\xCF", "…\\x8C\\x00"]
        );
        assert_eq!(short(&["", "a long start key"]), ["first", "a long start …"]);
        assert_eq!(short(&["0123456789abcdef", "x"]), ["0123456789abc…", "x"]);
    }

    #[test]
    fn a_picture_is_as_high_as_its_lines() {
        let mut picture = Picture::new("rows", "of each <region>");
        picture.add_bar("a", 1.0, "12");
        picture.add_bar("b", 0.5, "6");
        picture.mark(0.75);
        let svg = picture.finish("caption");
        assert!(svg.contains("height=\"41\""), "{svg}");
        assert!(svg.contains("<desc>of each &lt;region&gt;</desc>"), "{svg}");
        assert!(svg.contains("width=\"44.00%\"") && svg.contains("width=\"22.00%\""), "{svg}");
    }
}
