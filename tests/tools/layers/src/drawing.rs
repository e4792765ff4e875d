//! The crates and their modules as text in which every arrow points down.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::graph::Graph;
use crate::workspace::Package;

/// The crates of the workspace, then the modules of each that is published and has any that depend
/// on each other.
///
/// # Errors
/// When sources cannot be read.
pub fn drawing(packages: &[Package]) -> io::Result<String> {
    let mut text = layers("crates", &crates(packages));
    for package in packages.iter().filter(|package| package.published) {
        if let Some(library) = &package.library {
            let parts = by_folder(&Graph::of_library(library)?);
            if parts.arrows.is_empty() {
                continue;
            }
            text += "\n";
            text += &layers(&format!("{}/src", package.folder), &parts);
        }
    }
    Ok(text)
}

fn crates(packages: &[Package]) -> Graph {
    let mut arrows = BTreeMap::new();
    for (from, package) in packages.iter().enumerate() {
        for (to, other) in packages.iter().enumerate() {
            if package.dependencies.contains(&other.name) {
                arrows.insert((from, to), BTreeSet::new());
            }
        }
    }
    Graph { names: packages.iter().map(|package| package.folder.clone()).collect(), arrows }
}

/// A crate's files grouped by folder; a folder in a circle with others is split into its parts.
fn by_folder(files: &Graph) -> Graph {
    let mut apart = BTreeSet::new();
    loop {
        let parts = together(files, |file| part(&files.names[file], &apart).to_owned());
        let circular = parts.circles();
        let names = circular.iter().flat_map(|circle| &circle.nodes).map(|n| &parts.names[*n]);
        let folders = names
            .filter(|name| files.names.iter().any(|file| file.starts_with(&format!("{name}/"))));
        let before = apart.len();
        apart.extend(folders.cloned());
        if apart.len() == before {
            // Files that are in a circle nevertheless are one node, so that all arrows point down.
            return together(&parts, |node| {
                let circle = circular.iter().find(|circle| circle.nodes.contains(&node));
                let nodes = circle.map_or_else(|| BTreeSet::from([node]), |c| c.nodes.clone());
                let names: Vec<_> = nodes.iter().map(|n| parts.names[*n].as_str()).collect();
                names.join(" + ")
            });
        }
    }
}

/// The outermost folder of a file that is not split into its parts, or the file.
fn part<'a>(file: &'a str, apart: &BTreeSet<String>) -> &'a str {
    let ends = file.match_indices('/').map(|(end, _)| end).chain([file.len()]);
    let mut folders = ends.map(|end| &file[..end]);
    folders.find(|folder| !apart.contains(*folder)).unwrap_or(file)
}

fn together(graph: &Graph, name: impl Fn(usize) -> String) -> Graph {
    let of: Vec<_> = (0..graph.names.len()).map(name).collect();
    let names: BTreeSet<_> = of.iter().cloned().collect();
    let mut joined = Graph { names: names.into_iter().collect(), arrows: BTreeMap::new() };
    let number = |node: usize| joined.names.binary_search(&of[node]).unwrap_or_default();
    let ends = graph.arrows.keys().map(|(from, to)| (number(*from), number(*to)));
    let arrows = ends.filter(|(from, to)| from != to).map(|ends| (ends, BTreeSet::new()));
    joined.arrows = arrows.collect();
    joined
}

/// A line for each node, in layers: all arrows of a node go to later layers. Arrows that others
/// imply are left out, and so are nodes without arrows.
fn layers(title: &str, graph: &Graph) -> String {
    let reach: Vec<_> = (0..graph.names.len()).map(|node| graph.reach(node)).collect();
    let pointed: BTreeSet<_> = reach.iter().flatten().copied().collect();
    let mut height: Vec<usize> = vec![0; reach.len()];
    let mut order: Vec<_> = (0..reach.len()).collect();
    order.sort_by_key(|node| reach[*node].len());
    for node in order {
        height[node] = graph.below(node).map(|below| height[below] + 1).max().unwrap_or(0);
    }
    let shown = |node: &usize| !reach[*node].is_empty() || pointed.contains(node);
    let width = (0..reach.len()).filter(shown).map(|n| graph.names[n].len()).max().unwrap_or(0);
    let mut text = format!("{title}\n");
    for layer in (0..=height.iter().copied().max().unwrap_or(0)).rev() {
        for node in (0..reach.len()).filter(shown).filter(|node| height[*node] == layer) {
            let direct = graph.below(node);
            let direct =
                direct.filter(|to| !graph.below(node).any(|other| reach[other].contains(to)));
            let direct: Vec<_> = direct.map(|to| graph.names[to].as_str()).collect();
            let arrows =
                if direct.is_empty() { String::new() } else { format!("-> {}", direct.join(", ")) };
            let line = format!("{layer:>4}  {:width$}  {arrows}", graph.names[node]);
            text += line.trim_end();
            text += "\n";
        }
    }
    text
}
