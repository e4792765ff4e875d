//! The arrows between the files of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fmt, io};

use crate::source::Source;

/// Arrows between files, or between parts of a crate.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The names of the nodes.
    pub names: Vec<String>,
    /// From and to, with the paths that cause the arrow.
    pub arrows: BTreeMap<(usize, usize), BTreeSet<String>>,
}

/// Nodes that reach each other, and the arrows between them.
#[derive(Clone, Debug)]
pub struct Circle {
    /// Their numbers.
    pub nodes: BTreeSet<usize>,
    text: String,
}

impl Graph {
    /// The files of a library and their arrows, starting from its root file.
    ///
    /// # Errors
    /// When its sources cannot be read.
    pub fn of_library(library: &Path) -> io::Result<Self> {
        let source = Source::read(library)?;
        let mut arrows: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for (number, module) in source.modules.iter().enumerate() {
            let imports = module.imports.iter().filter(|import| !import.public);
            let paths = imports.map(|import| &import.path).chain(&module.mentions);
            let paths = paths.map(|path| (source.definition(number, path), path.join("::")));
            let macros = module.called_macros.iter();
            let macros =
                macros.map(|name| (source.macro_definition(number, name), format!("{name}!")));
            for (to, path) in paths.chain(macros) {
                if let Some(to) = to.filter(|to| *to != module.file) {
                    arrows.entry((module.file, to)).or_default().insert(path);
                }
            }
        }
        Ok(Self { names: source.files, arrows })
    }

    /// The nodes that a node points to.
    pub fn below(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.arrows.range((node, 0)..=(node, usize::MAX)).map(|((_, to), _)| *to)
    }

    /// Each set of two or more nodes that reach each other.
    pub fn circles(&self) -> Vec<Circle> {
        let reach: Vec<_> = (0..self.names.len()).map(|node| self.reach(node)).collect();
        let mut circles: Vec<Circle> = Vec::new();
        for node in 0..self.names.len() {
            let known = circles.iter().any(|c| c.nodes.contains(&node));
            if reach[node].contains(&node) && !known {
                let back = reach[node].iter().copied().filter(|o| reach[*o].contains(&node));
                let nodes = back.collect();
                let text = self.text(&nodes);
                circles.push(Circle { nodes, text });
            }
        }
        circles
    }

    /// Every node that can be reached from a node; the node itself only if it is in a circle.
    pub fn reach(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut next: Vec<_> = self.below(node).collect();
        while let Some(node) = next.pop() {
            if found.insert(node) {
                next.extend(self.below(node));
            }
        }
        found
    }

    fn text(&self, nodes: &BTreeSet<usize>) -> String {
        let mut text = String::new();
        for ((from, to), paths) in &self.arrows {
            if nodes.contains(from) && nodes.contains(to) {
                let paths: Vec<_> = paths.iter().map(String::as_str).collect();
                let (from, to) = (&self.names[*from], &self.names[*to]);
                text += &format!("  {from} -> {to}: {}\n", paths.join(", "));
            }
        }
        text
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in a circle\n{}", self.nodes.len(), self.text)
    }
}
