//! What this crate declares against what HBase and Google publish.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::descriptors::model::{Field, Parts, Value, folded};
use crate::descriptors::published::Published;
use crate::descriptors::source::Declared;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// What is wrong, a sentence each.
    pub(crate) problems: BTreeSet<String>,
    /// What some versions do not have, as `2.4: ConnectionHeader.attribute`.
    pub(crate) absent: BTreeSet<String>,
    /// How many fields and values were compared, once for each version.
    pub(crate) compared: usize,
}

pub(crate) fn compare(declared: &[Declared], published: &Published) -> Comparison {
    let mut comparer = Comparer { declared, published, found: Comparison::default() };
    for ours in declared {
        comparer.declaration(ours);
    }
    comparer.in_no_version();
    comparer.found
}

struct Comparer<'a> {
    declared: &'a [Declared],
    published: &'a Published,
    found: Comparison,
}

/// A message or an enum of this crate, and what it is compared with.
struct Pair<'a> {
    ours: &'a Declared,
    /// The published name.
    name: &'a str,
    version: &'a str,
}

impl fmt::Display for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {} of {}", self.ours.name, self.name, self.version)
    }
}

impl Comparer<'_> {
    /// The published names of what is called `name` here.
    fn published_names(&self, name: &str) -> Vec<String> {
        let ours = self.declared.iter().find(|d| d.name == name);
        let aliases = ours.map(|d| d.aliases.clone()).unwrap_or_default();
        let own = self.published.types.contains_key(name).then(|| name.to_owned());
        aliases.into_iter().chain(own).collect()
    }

    fn declaration(&mut self, ours: &Declared) {
        let published = self.published;
        let names = self.published_names(&ours.name);
        if names.is_empty() {
            self.problem(format!("there is no {} {}", ours.parts.word(), ours.name));
        }
        for name in &names {
            let Some(theirs) = published.types.get(name) else {
                self.problem(format!("there is no {} {name}", ours.parts.word()));
                continue;
            };
            for version in &published.versions {
                let pair = Pair { ours, name, version };
                match (&ours.parts, &theirs.parts) {
                    _ if !theirs.versions.contains(version) => self.absent(&pair, ""),
                    (Parts::Message(a), Parts::Message(b)) => {
                        let b: Vec<_> = b.iter().filter(|f| f.versions.contains(version)).collect();
                        self.message(&pair, a, &b);
                    }
                    (Parts::Enum(a), Parts::Enum(b)) => {
                        let b: Vec<_> = b.iter().filter(|v| v.versions.contains(version)).collect();
                        self.enumeration(&pair, a, &b);
                    }
                    _ => {
                        self.problem(format!("{pair}: it is published as no {}", ours.parts.word()))
                    }
                }
            }
        }
    }

    fn message(&mut self, pair: &Pair<'_>, fields: &[Field], theirs: &[&Field]) {
        for field in fields {
            match theirs.iter().find(|f| f.number == field.number) {
                Some(their) => self.field(pair, field, their),
                None => self.absent(pair, &field.name),
            }
        }
        for their in theirs.iter().filter(|f| f.label == "required") {
            if fields.iter().all(|f| f.number != their.number) {
                self.problem(format!("{pair}: {} = {} is required", their.name, their.number));
            }
        }
    }

    fn field(&mut self, pair: &Pair<'_>, field: &Field, their: &Field) {
        self.found.compared += 1;
        let ours = pair.ours;
        // A struct for several messages has its own field names, and always sends what some of them
        // may leave out.
        let is_shared = ours.aliases.len() > 1 && !self.published.types.contains_key(&ours.name);
        let always_sent = is_shared && field.label == "required" && their.label == "optional";
        let mut problem = |what: String| {
            self.found.problems.insert(format!("{pair}, {} = {}: {what}", field.name, field.number))
        };
        if !is_shared && folded(&field.name) != folded(&their.name) {
            problem(format!("it is called {}", their.name));
        }
        if field.label != their.label && !always_sent {
            problem(format!("it is {}, not {}", their.label, field.label));
        }
        if field.packed != their.packed {
            problem(format!("packed is {}", their.packed));
        }
        let (default, their_default) = (&field.default, &their.default);
        if default.as_deref().map(folded) != their_default.as_deref().map(folded) {
            problem(format!("the default is {their_default:?}, not {default:?}"));
        }
        if !self.is_same_kind(&field.kind, &their.kind) {
            let what = format!("it is {}, not {}", their.kind, field.kind);
            self.problem(format!("{pair}, {} = {}: {what}", field.name, field.number));
        }
    }

    fn is_same_kind(&self, ours: &str, theirs: &str) -> bool {
        if let (Some(ours), Some(theirs)) = (map(ours), map(theirs)) {
            return ours.0 == theirs.0 && self.is_same_kind(ours.1, theirs.1);
        }
        match (ours.split_once(' '), theirs.split_once(' ')) {
            (Some((word, ours)), Some((their_word, theirs))) => {
                word == their_word && self.published_names(ours).iter().any(|name| name == theirs)
            }
            _ => ours == theirs,
        }
    }

    fn enumeration(&mut self, pair: &Pair<'_>, values: &[Value], theirs: &[&Value]) {
        for value in values {
            match theirs.iter().find(|v| v.number == value.number) {
                None => self.absent(pair, &value.name),
                Some(their) => {
                    self.found.compared += 1;
                    if folded(&their.name) != folded(&value.name) {
                        let (number, name) = (value.number, &their.name);
                        self.problem(format!("{pair}: {number} is {name}, not {}", value.name));
                    }
                }
            }
        }
        for their in theirs {
            // These numbers of 2.6 mean something else in 3.0, so that the client sends none.
            let is_ambiguous = pair.name == "Option" && their.number >= 13;
            if values.iter().all(|v| v.number != their.number) && !is_ambiguous {
                self.problem(format!("{pair}: {} = {} is left out", their.name, their.number));
            }
        }
    }

    fn problem(&mut self, problem: String) {
        self.found.problems.insert(problem);
    }

    /// Notes a message, or a `part` of it, that a version does not have.
    fn absent(&mut self, pair: &Pair<'_>, part: &str) {
        let dot = if part.is_empty() { "" } else { "." };
        self.found.absent.insert(format!("{}: {}{dot}{part}", pair.version, pair.name));
    }

    /// Reports what is absent from every version: it is declared by mistake.
    fn in_no_version(&mut self) {
        let mut versions = BTreeMap::<&str, usize>::new();
        for (_, what) in self.found.absent.iter().filter_map(|absent| absent.split_once(": ")) {
            *versions.entry(what).or_default() += 1;
        }
        let all = self.published.versions.len();
        let nowhere = versions.into_iter().filter(|(_, absent)| *absent == all);
        let problems: Vec<_> = nowhere.map(|(what, _)| format!("no version has {what}")).collect();
        self.found.problems.extend(problems);
    }
}

/// The types of key and value of `map<string, message Row>`.
fn map(kind: &str) -> Option<(&str, &str)> {
    kind.strip_prefix("map<")?.strip_suffix('>')?.split_once(", ")
}
