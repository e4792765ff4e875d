//! The parts of a row key: which bytes are which field.

use std::ops::Range;

use tallrow::key::schema::{Fields, SaltOrHash, Schema, Value};

/// One field of a row, or the bytes before the fields.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) bytes: Range<usize>,
    /// Its type and attributes, as in the text of the schema.
    pub(crate) encoding: String,
    pub(crate) value: Option<Value>,
}

/// Returns the parts of a row that decodes to `fields`.
pub(crate) fn parts(schema: &Schema, fields: &Fields, row: &[u8]) -> Vec<Part> {
    let text = schema.to_string();
    let prefix = schema.salt_or_hash();
    let mut parts = Vec::new();
    let mut end = prefix.width();
    if end > 0 {
        let encoding = text.lines().find(|line| is_prefix(line)).unwrap_or_default();
        let (name, encoding) = encoding.split_once(": ").unwrap_or(("salt", encoding));
        let value = fields.get("salt").filter(|_| matches!(prefix, SaltOrHash::RandomSalt { .. }));
        parts.push(Part {
            name: name.into(),
            bytes: 0..end,
            encoding: encoding.into(),
            value: value.cloned(),
        });
    }
    let is_random = matches!(prefix, SaltOrHash::RandomSalt { .. });
    let own = fields.iter().skip(usize::from(is_random));
    let given: Vec<(&str, Value)> =
        own.map(|(name, value)| (name.as_str(), value.clone())).collect();
    for (index, (name, value)) in given.iter().enumerate() {
        let start = end;
        let is_last = index + 1 == given.len();
        end = if is_last {
            row.len()
        } else {
            end_of(schema, given.get(..=index).unwrap_or_default(), row.len())
        };
        parts.push(Part {
            name: (*name).into(),
            bytes: start..end,
            encoding: encoding(&text, name, fields),
            value: Some(value.clone()),
        });
    }
    parts
}

/// Returns where these fields, the first of a row, end: so long are the rows that start with them.
fn end_of(schema: &Schema, fields: &[(&str, Value)], whole: usize) -> usize {
    match schema.select_rows(fields) {
        Ok(found) => {
            let start = found.ranges.first().map_or(0, |range| range.start().len());
            found.fuzzy.map_or(start, |fuzzy| fuzzy.row.len())
        }
        // A field that goes to the end of the row.
        Err(_) => whole,
    }
}

fn is_prefix(line: &str) -> bool {
    line.starts_with("salt of ")
        || line.starts_with("salt random")
        || line.starts_with("hash_prefix ")
}

/// Returns the line of a field in the text of a schema, without the name.
fn encoding(schema: &str, field: &str, fields: &Fields) -> String {
    let start = format!("{field}: ");
    let of_line = |line: &str| line.strip_prefix(&start).map(String::from);
    if let Some(own) = schema.lines().filter(|line| !is_prefix(line)).find_map(of_line) {
        return own;
    }
    // A field of the record variant, whose lines are below that of the variant.
    let variant = match fields.get("tag") {
        Some(Value::Variant(name)) => format!("{name}: tag"),
        _ => return String::new(),
    };
    if field == "tag" {
        return schema.lines().find(|line| line.starts_with(&variant)).unwrap_or_default().into();
    }
    let below = schema.lines().skip_while(|line| !line.starts_with(&variant)).skip(1);
    let mut below = below.take_while(|line| line.starts_with("  ")).map(|line| line.trim_start());
    below.find_map(of_line).unwrap_or_default()
}
