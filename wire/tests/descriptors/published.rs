//! Reads `hbase.txt` and `bigtable.txt`, what the classes of HBase and of Google were compiled
//! with.

use std::collections::BTreeMap;

use crate::descriptors::model::{Field, Parts, Value, Versions};

/// A message or an enum.
pub(crate) struct Declared {
    pub(crate) versions: Versions,
    pub(crate) parts: Parts,
}

/// Everything in the file, by name; a nested message is `Outer.Inner`.
pub(crate) struct Published {
    pub(crate) types: BTreeMap<String, Declared>,
    pub(crate) versions: Versions,
}

impl Published {
    pub(crate) fn parse(text: &str, versions: &[&str]) -> Self {
        let all: Versions = versions.iter().map(|v| v.to_string()).collect();
        let mut types = BTreeMap::<String, Declared>::new();
        let mut last = String::new();
        let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
        for line in lines.filter(|l| !l.starts_with("file ")) {
            let (line, only) = line.split_once(" // ").unwrap_or((line, ""));
            let only: Versions = only.split_whitespace().map(str::to_owned).collect();
            assert!(only.is_subset(&all), "a version that is not one of {all:?}: {line}");
            let or = |whole: &Versions| if only.is_empty() { whole.clone() } else { only.clone() };
            match line.split_once(' ') {
                Some(("", part)) => {
                    let part = part.trim_start();
                    let declared = types.get_mut(&last).expect("a line of no message");
                    let versions = or(&declared.versions);
                    match &mut declared.parts {
                        Parts::Message(fields) => fields.push(field(part, versions)),
                        Parts::Enum(values) => values.push(value(part, versions)),
                    }
                }
                Some((word, name)) => {
                    let parts = match word {
                        "message" => Parts::Message(Vec::new()),
                        "enum" => Parts::Enum(Vec::new()),
                        _ => panic!("neither a message nor an enum: {line}"),
                    };
                    last = name.to_owned();
                    let declared = Declared { versions: or(&all), parts };
                    assert!(types.insert(last.clone(), declared).is_none(), "{line} twice");
                }
                None => panic!("not a line of a dump: {line}"),
            }
        }
        Self { types, versions: all }
    }
}

/// `optional enum Consistency consistency = 12 [default = STRONG]`
fn field(line: &str, versions: Versions) -> Field {
    let (head, options) = line.split_once(" [").unwrap_or((line, ""));
    let (head, number) = head.split_once(" = ").unwrap_or_else(|| panic!("no number: {line}"));
    let (head, name) = head.rsplit_once(' ').unwrap_or_else(|| panic!("no name: {line}"));
    let (label, kind) = head.split_once(' ').unwrap_or_else(|| panic!("no label: {line}"));
    let mut field = Field {
        number: number.parse().unwrap(),
        name: name.to_owned(),
        label: label.to_owned(),
        kind: kind.to_owned(),
        default: None,
        packed: false,
        versions,
    };
    for option in options.split(['[', ']']).map(str::trim).filter(|o| !o.is_empty()) {
        match option.split_once(" = ") {
            Some(("default", value)) => field.default = Some(value.to_owned()),
            Some(("packed", "true")) => field.packed = true,
            // Its variants have the tags and types of fields.
            Some(("oneof", _)) => {}
            _ => panic!("an option this test does not compare: {line}"),
        }
    }
    field
}

/// `READ_TYPE = 1`
fn value(line: &str, versions: Versions) -> Value {
    let (name, number) = line.split_once(" = ").unwrap_or_else(|| panic!("no number: {line}"));
    Value { number: number.parse().unwrap(), name: name.to_owned(), versions }
}
