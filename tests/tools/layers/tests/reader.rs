//! The reader of sources finds every kind of arrow, no others, and circles.

use std::collections::BTreeMap;
use std::path::Path;

use tallrow_layers::{Graph, Workspace, drawing};

fn sample() -> Graph {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample/lib.rs");
    Graph::of_library(&library).unwrap()
}

#[test]
fn every_arrow_is_found_and_no_other() {
    let graph = sample();
    let arrows: Vec<_> = graph
        .arrows
        .iter()
        .map(|((from, to), paths)| {
            let paths: Vec<_> = paths.iter().map(String::as_str).collect();
            format!("{} -> {}: {}", graph.names[*from], graph.names[*to], paths.join(", "))
        })
        .collect();
    assert_eq!(
        arrows,
        [
            "a -> b/inner: Renamed, crate::b::Inner",
            "a -> b/outer: b::Outer",
            "a -> d: crate::d::D",
            "b -> c: crate::c::C",
            "b/inner -> b/outer: Outer",
            "b/outer -> b/inner: super::Inner",
            "c -> lib: shared!",
            "c -> d: crate::d::MadeByAMacro",
            "e -> c: c::C",
        ]
    );
}

#[test]
fn a_circle_is_found_with_its_causes() {
    let circles: Vec<_> = sample().circles().iter().map(ToString::to_string).collect();
    assert_eq!(
        circles,
        ["2 in a circle\n  b/inner -> b/outer: Outer\n  b/outer -> b/inner: super::Inner\n"]
    );
}

#[test]
fn all_arrows_of_the_listing_point_down() {
    let text = drawing(&Workspace::here().unwrap().packages).unwrap();
    let mut sections = 0;
    for section in text.split("\n\n") {
        let mut layers = BTreeMap::new();
        let mut arrows = Vec::new();
        for line in section.lines().skip(1).map(str::trim) {
            let (layer, rest) = line.split_once("  ").unwrap();
            let layer: usize = layer.parse().unwrap();
            let (name, targets) = rest.split_once(" -> ").unwrap_or((rest, ""));
            layers.insert(name.trim(), layer);
            arrows.extend(targets.split(", ").filter(|to| !to.is_empty()).map(|to| (layer, to)));
        }
        assert!(arrows.len() > 2, "{section}");
        for (layer, to) in arrows {
            assert!(layer > layers[to], "an arrow from layer {layer} to {to} in\n{section}");
        }
        sections += 1;
    }
    assert!(sections > 5, "{text}");
}
