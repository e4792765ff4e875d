//! SVG as text: panels, boxes and labels that fit, in light and dark.

use std::fmt::Write as _;

/// The space around everything.
pub(crate) const MARGIN: f64 = 16.0;

/// The panel has a background of its own, so that a picture is legible on any page, also where the
/// page and the system disagree about dark and light. A field of a key has one of five colours.
const STYLE: &str = "\
.panel { fill: #ffffff; stroke: #d0d7de; }
.text { fill: #1f2328; } .soft { fill: #59636e; }
.mono { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.sans { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }
.bold { font-weight: 600; }
.prefix { fill: #e4e7eb; stroke: #8c959f; }
.f0 { fill: #dbeafe; stroke: #3b82f6; } .f1 { fill: #dcfce7; stroke: #22a05a; }
.f2 { fill: #fef3c7; stroke: #d08700; } .f3 { fill: #fce7f3; stroke: #db5c9b; }
.f4 { fill: #ede9fe; stroke: #8b5cf6; }
.s0 { fill: #0969da; } .s1 { fill: #bc4c00; }
@media (prefers-color-scheme: dark) {
.panel { fill: #161b22; stroke: #3d444d; }
.text { fill: #f0f6fc; } .soft { fill: #9198a1; }
.prefix { fill: #30363d; stroke: #9198a1; }
.f0 { fill: #1b3358; stroke: #3b82f6; } .f1 { fill: #143d27; stroke: #2ea866; }
.f2 { fill: #46340f; stroke: #c98a10; } .f3 { fill: #471c36; stroke: #db5c9b; }
.f4 { fill: #32255c; stroke: #8b5cf6; }
.s0 { fill: #4493f8; } .s1 { fill: #f0883e; }
}
";

/// A font: its classes, its size, and how wide a character is at most, in parts of the size.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    classes: &'static str,
    size: f64,
    advance: f64,
}

pub(crate) const HEADING: Font = Font { classes: "sans bold text", size: 14.0, advance: 0.68 };
pub(crate) const NAME: Font = Font { classes: "mono bold text", size: 13.0, advance: 0.61 };
pub(crate) const CODE: Font = Font { classes: "mono text", size: 12.0, advance: 0.61 };
pub(crate) const RULE: Font = Font { classes: "mono soft", size: 11.0, advance: 0.61 };
pub(crate) const HEX: Font = Font { classes: "mono text", size: 11.0, advance: 0.61 };
pub(crate) const BYTE: Font = Font { classes: "mono text", size: 12.5, advance: 0.61 };
pub(crate) const END_BYTE: Font = Font { classes: "mono soft", size: 12.5, advance: 0.61 };

impl Font {
    /// Returns how wide a text can be.
    pub(crate) fn width(self, text: &str) -> f64 {
        text.chars().count() as f64 * self.size * self.advance
    }
}

/// A picture that is being drawn.
#[derive(Default)]
pub(crate) struct Svg {
    body: String,
    right: f64,
    bottom: f64,
}

impl Svg {
    /// Draws a box.
    pub(crate) fn rect(
        &mut self,
        class: &str,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        radius: f64,
    ) {
        self.reach(x + width, y + height);
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>"#
        );
    }

    /// Draws a box in a part of its colour, from 0 to 1, in front of an outline.
    pub(crate) fn shade(
        &mut self,
        class: &str,
        part: f64,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
    ) {
        self.reach(x + width, y + height);
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" fill-opacity="{part:.2}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        );
    }

    /// Writes a text whose base line starts here, and returns where it ends at most.
    pub(crate) fn text(&mut self, font: Font, x: f64, y: f64, text: &str) -> f64 {
        let end = x + font.width(text);
        self.reach(end, y + 0.3 * font.size);
        self.put_text(font, x, y, "start", text);
        end
    }

    /// Writes a text into the middle of a width, which it must not exceed.
    pub(crate) fn centred(&mut self, font: Font, x: f64, y: f64, width: f64, text: &str) {
        assert!(font.width(text) <= width, "{text:?} leaves its box");
        self.put_text(font, x + width / 2.0, y, "middle", text);
    }

    fn put_text(&mut self, font: Font, x: f64, y: f64, anchor: &str, text: &str) {
        let Font { classes, size, .. } = font;
        let anchor =
            if anchor == "start" { String::new() } else { format!(r#" text-anchor="{anchor}""#) };
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            r#"<text class="{classes}" font-size="{size}" x="{x}" y="{y}"{anchor}>{text}</text>"#
        );
    }

    fn reach(&mut self, right: f64, bottom: f64) {
        self.right = self.right.max(right);
        self.bottom = self.bottom.max(bottom);
    }

    /// Returns the picture, around what was drawn; `title` and `description` are for those who
    /// cannot see it.
    pub(crate) fn finish(self, title: &str, description: &str) -> String {
        let (width, height) = ((self.right + MARGIN).ceil(), (self.bottom + MARGIN).ceil());
        let (title, description, body) = (escaped(title), escaped(description), self.body);
        let (inner_width, inner_height) = (width - 1.0, height - 1.0);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description">
<title id="title">{title}</title>
<desc id="description">{description}</desc>
<style>
{STYLE}</style>
<rect class="panel" x="0.5" y="0.5" width="{inner_width}" height="{inner_height}" rx="8"/>
{body}</svg>
"#
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the class of the colour of a part, given how many fields precede it.
pub(crate) fn colour(prefix: bool, field: usize) -> &'static str {
    match (prefix, field % 5) {
        (true, _) => "prefix",
        (_, 0) => "f0",
        (_, 1) => "f1",
        (_, 2) => "f2",
        (_, 3) => "f3",
        _ => "f4",
    }
}
