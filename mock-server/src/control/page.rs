//! The status page, which a person sees when opening the control port in a browser.

use std::fmt::Write;

use serde_json::Value;

use super::status;
use crate::mock_cluster::MockCluster;

/// The number of lines of the transcript on the page.
const LINES: usize = 200;

/// The maximum number of regions of a table on the page.
const REGIONS: usize = 100;

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>tallrow mock</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 1.6em; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #ddd; padding: .2em .8em .2em 0; text-align: left; }
td.n, th.n { text-align: right; }
code, pre, td { font-family: ui-monospace, monospace; font-size: 13px; }
th { font-family: inherit; font-size: 13px; }
pre { background: #f6f6f6; overflow-x: auto; padding: .8em; }
.dead { color: #a00; }
</style>
</head>
<body>
";

/// Returns the page.
pub(super) fn page(cluster: &MockCluster) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("<h1>A mock cluster of tallrow</h1>\n<p>");
    if let Value::Object(addresses) = status::addresses(cluster) {
        for (protocol, address) in &addresses {
            let address = address.as_str().unwrap_or_default();
            push(&mut page, format_args!("{} <code>{}</code> · ", Text(protocol), Text(address)));
        }
    }
    let (clock, scanners) = (cluster.clock_ms(), cluster.open_scanner_count());
    push(
        &mut page,
        format_args!(
            "clock <code>{clock}</code> ms · {scanners} open scanners · \
             <a href=\"/status\">reload</a></p>\n"
        ),
    );
    servers(cluster, &mut page);
    tables(cluster, &mut page);
    calls(cluster, &mut page);
    faults(cluster, &mut page);
    transcript(cluster, &mut page);
    page.push_str("</body>\n</html>\n");
    page
}

fn servers(cluster: &MockCluster, page: &mut String) {
    page.push_str("<h2>Region servers</h2>\n<table>\n<tr><th>server<th>address<th>regions</tr>\n");
    let servers = status::servers(cluster);
    for server in servers.as_array().into_iter().flatten() {
        let dead = if server["alive"] == true { "" } else { " <span class=\"dead\">dead</span>" };
        let address = server["address"].as_str().unwrap_or_default();
        push(
            page,
            format_args!(
                "<tr><td>{}{dead}<td>{}<td class=\"n\">{}</tr>\n",
                server["server"],
                Text(address),
                server["regions"]
            ),
        );
    }
    page.push_str("</table>\n");
}

fn tables(cluster: &MockCluster, page: &mut String) {
    page.push_str("<h2>Tables</h2>\n<table>\n");
    page.push_str("<tr><th>table<th>from row<th>to row<th>server<th class=\"n\">cells</tr>\n");
    let tables = status::tables(cluster);
    for table in tables.as_array().into_iter().flatten() {
        let name = table["table"].as_str().unwrap_or_default();
        let regions = table["regions"].as_array().map(Vec::as_slice).unwrap_or_default();
        for region in regions.iter().take(REGIONS) {
            let key = |name: &str| region[name].as_str().unwrap_or_default().to_owned();
            let server = match &region["server"] {
                Value::Null => "<span class=\"dead\">closed</span>".to_owned(),
                number => number.to_string(),
            };
            push(
                page,
                format_args!(
                    "<tr><td>{}<td>{}<td>{}<td>{server}<td class=\"n\">{}</tr>\n",
                    Text(name),
                    Text(&key("start_key")),
                    Text(&key("end_key")),
                    region["cells"]
                ),
            );
        }
        if let Some(more) = regions.len().checked_sub(REGIONS).filter(|more| *more > 0) {
            push(page, format_args!("<tr><td>{}<td colspan=4>{more} more</tr>\n", Text(name)));
        }
    }
    page.push_str("</table>\n");
}

fn calls(cluster: &MockCluster, page: &mut String) {
    page.push_str("<h2>Calls</h2>\n<table>\n");
    page.push_str("<tr><th>method<th class=\"n\">arrived<th class=\"n\">dropped</tr>\n");
    if let Value::Object(calls) = status::calls(cluster) {
        for (method, counts) in &calls {
            let (arrived, dropped) = (&counts["arrived"], &counts["dropped"]);
            push(
                page,
                format_args!(
                    "<tr><td>{}<td class=\"n\">{arrived}<td class=\"n\">{dropped}</tr>\n",
                    Text(method)
                ),
            );
        }
    }
    page.push_str("</table>\n");
}

fn faults(cluster: &MockCluster, page: &mut String) {
    page.push_str("<h2>Faults and planned changes</h2>\n<table>\n");
    page.push_str("<tr><th>fault or change<th class=\"n\">matched<th class=\"n\">fired</tr>\n");
    for injected in cluster.injected_faults() {
        push(
            page,
            format_args!(
                "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}</tr>\n",
                Text(&injected.fault.to_json().to_string()),
                injected.matched,
                injected.fired
            ),
        );
    }
    page.push_str("</table>\n");
    for error in cluster.failed_changes() {
        push(page, format_args!("<p class=\"dead\">{}</p>\n", Text(&error.to_string())));
    }
}

fn transcript(cluster: &MockCluster, page: &mut String) {
    page.push_str("<h2>The latest events</h2>\n<pre>");
    for line in cluster.latest_transcript_lines(LINES) {
        push(page, format_args!("{}\n", Text(&line)));
    }
    page.push_str("</pre>\n<p><a href=\"/transcript\">The whole transcript</a></p>\n");
}

/// Adds to the page.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = page.write_fmt(text);
}

/// Text that is not HTML.
struct Text<'a>(&'a str);

impl std::fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_send_is_never_read_as_html() {
        assert_eq!(Text("<a href=\"x\">&").to_string(), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
