//! Writes text as HTML, and tables that fit narrow windows.

use std::fmt::Write as _;

/// Escapes a text for HTML.
pub(super) fn escape_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
    html
}

/// Returns a table in HTML. In a narrow window, each cell is shown as a line with the title of its
/// column.
pub(super) fn table<const N: usize>(titles: [&str; N], rows: &[[String; N]]) -> String {
    let mut html = String::from("<table>\n<thead><tr>");
    for title in titles {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escape_html(title));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (title, cell) in titles.iter().zip(row) {
            let (title, cell) = (escape_html(title), escape_html(cell));
            let _ = write!(html, "<td data-label=\"{title}\">{cell}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_text_is_text() {
        assert_eq!(escape_html("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        let html = table(["a<"], &[["<script>".into()]]);
        assert!(html.contains("<td data-label=\"a&lt;\">&lt;script&gt;</td>"), "{html}");
    }
}
