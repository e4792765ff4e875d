//! Reads assembly: the instructions of each function, by their effect on control flow.

use std::collections::BTreeMap;
use std::fmt;

/// The effect of an instruction on control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Call,
    Branch,
    Trap,
    Return,
}

/// Classifies the instruction of this name.
type Reader = fn(&str) -> Kind;

/// Returns the classifier for an architecture.
pub(crate) fn of(machine: &str) -> Option<Reader> {
    match machine {
        "x86_64" => Some(x86_64),
        "aarch64" => Some(aarch64),
        _ => None,
    }
}

fn x86_64(name: &str) -> Kind {
    match name {
        _ if name.starts_with("call") => Kind::Call,
        _ if name.starts_with("ret") => Kind::Return,
        _ if name.starts_with('j') || name.starts_with("loop") => Kind::Branch,
        _ if name.starts_with("ud") || name.starts_with("int") => Kind::Trap,
        _ => Kind::Plain,
    }
}

fn aarch64(name: &str) -> Kind {
    match name {
        "bl" | "blr" => Kind::Call,
        "ret" => Kind::Return,
        "b" | "br" | "cbz" | "cbnz" | "tbz" | "tbnz" => Kind::Branch,
        "brk" | "udf" | "hlt" => Kind::Trap,
        _ if name.starts_with("b.") => Kind::Branch,
        _ => Kind::Plain,
    }
}

/// The functions of an assembly file, by symbol.
pub(crate) struct Assembly {
    bodies: BTreeMap<String, Body>,
}

/// The instructions of a function, in order.
#[derive(Default)]
pub(crate) struct Body {
    instructions: Vec<(Kind, String)>,
}

impl Assembly {
    pub(crate) fn new(text: &str, reader: Reader) -> Self {
        let mut bodies: BTreeMap<String, Body> = BTreeMap::new();
        let mut symbol = None;
        for line in text.lines() {
            if let Some(label) = line.strip_suffix(':').filter(|l| !l.starts_with([' ', '\t'])) {
                // A label inside a function starts with `.L`, or with `L` on macOS.
                if !label.starts_with(['.', 'L']) {
                    symbol = Some(label.to_owned());
                }
                continue;
            }
            let line = line.trim();
            if line == ".cfi_endproc" {
                symbol = None;
            }
            let name = line.split_whitespace().next().unwrap_or_default();
            let is_instruction = name.starts_with(|c: char| c.is_ascii_lowercase());
            if let Some(symbol) = symbol.as_ref().filter(|_| is_instruction) {
                let body = bodies.entry(symbol.clone()).or_default();
                body.instructions.push((reader(name), line.to_owned()));
            }
        }
        Self { bodies }
    }

    /// The only function whose symbol ends with this name, followed by the hash.
    pub(crate) fn function(&self, name: &str) -> &Body {
        // In a symbol each name follows its length.
        let counted = format!("{}{name}", name.len());
        let mut found = self.bodies.iter().filter(|(symbol, _)| symbol.contains(&counted));
        match (found.next(), found.next()) {
            (Some((_, body)), None) => body,
            (found, _) => panic!("{} functions named {name}", found.map_or("no", |_| "several")),
        }
    }
}

impl Body {
    /// The number of instructions of this kind.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.instructions.iter().filter(|(k, _)| *k == kind).count()
    }

    /// The instructions that change control flow.
    pub(crate) fn crooked(&self) -> Vec<&str> {
        let leaves = |kind: Kind| matches!(kind, Kind::Call | Kind::Branch | Kind::Trap);
        self.instructions.iter().filter(|(k, _)| leaves(*k)).map(|(_, line)| &**line).collect()
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instructions.iter().try_for_each(|(_, line)| writeln!(f, "    {line}"))
    }
}
