//! Prometheus's text format, read back line by line as Prometheus does.

use std::collections::BTreeMap;

use tallrow::Put;

use crate::observe::{Site, site};

/// A value: its name, its labels, its number.
type Sample = (String, BTreeMap<String, String>, f64);

/// The samples of a text, and the type of each name.
fn parse(text: &str) -> (Vec<Sample>, BTreeMap<String, String>) {
    let (mut samples, mut types) = (Vec::new(), BTreeMap::new());
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let words: Vec<&str> = comment.splitn(3, ' ').collect();
            match words[..] {
                ["TYPE", name, kind] => {
                    assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                    assert!(types.insert(name.to_owned(), kind.to_owned()).is_none(), "{line}");
                }
                ["HELP", _, help] => assert!(!help.is_empty(), "{line}"),
                _ => panic!("{line}"),
            }
            continue;
        }
        let (head, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = head.split_once('{').unwrap_or((head, "}"));
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{line}");
        samples.push((name.to_owned(), parse_labels(labels), value.parse().unwrap()));
    }
    (samples, types)
}

/// `a="b",c="d"}`, with escapes.
fn parse_labels(text: &str) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let mut rest = text;
    while !rest.is_empty() && rest != "}" {
        let (name, after) = rest.split_once("=\"").unwrap();
        let mut value = String::new();
        let mut chars = after.char_indices();
        let end = loop {
            match chars.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => match chars.next().unwrap().1 {
                    'n' => value.push('\n'),
                    c => value.push(c),
                },
                (_, c) => value.push(c),
            }
        };
        assert!(labels.insert(name.trim_start_matches(',').to_owned(), value).is_none());
        rest = &after[end + 1..];
    }
    labels
}

#[tokio::test(start_paused = true)]
async fn the_text_has_the_numbers_of_the_metrics() {
    let Site { client, table, .. } = site().await;
    for row in ["a", "b", "c"] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    table.put(Put::new("a").cell("nosuch", "q", "v")).await.unwrap_err();
    let metrics = client.metrics();
    let odd = "a \"b\"\\\nc";
    let (samples, types) = parse(&metrics.to_prometheus(&[("cluster", odd)]));
    assert!(samples.iter().all(|(_, labels, _)| labels["cluster"] == odd));
    for (name, ..) in &samples {
        assert!(name.starts_with("tallrow_"), "{name}");
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let family = family.filter(|family| types.contains_key(*family)).unwrap_or(name);
        assert!(types.contains_key(family), "{name} has no type");
    }
    let find = |name: &str, with: &[(&str, &str)]| -> Vec<f64> {
        let has = |labels: &BTreeMap<String, String>| with.iter().all(|(l, v)| labels[*l] == *v);
        let found = samples.iter().filter(|(n, labels, _)| n == name && has(labels));
        found.map(|(.., value)| *value).collect()
    };
    let puts = [("operation", "put"), ("table", "t")];
    assert_eq!(find("tallrow_operation_duration_seconds_count", &puts), [3.0]);
    assert_eq!(find("tallrow_operations_failed_total", &puts), [1.0]);
    let buckets = find("tallrow_operation_duration_seconds_bucket", &puts);
    assert_eq!((buckets.len(), buckets.last()), (21, Some(&3.0)));
    assert!(buckets.is_sorted(), "{buckets:?}");
    let calls: f64 = find("tallrow_calls_total", &[]).iter().sum();
    assert_eq!(calls, metrics.servers.iter().map(|server| server.calls).sum::<u64>() as f64);
    let hits = metrics.regions.hits as f64;
    assert_eq!(find("tallrow_region_locations_total", &[("event", "hit")]), [hits]);
}
