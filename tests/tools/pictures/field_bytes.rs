//! Which bytes of a row belong to which field, from its schema.

use std::ops::Range;

use tallrow::key::schema::{
    DigestPart, End, Field, PartLayout, RowPart, SaltOrHash, Schema, Type, Value,
};

use crate::svg::colour;

/// A part of a row: the key prefix, the tag of a record variant, or a field.
pub(crate) struct Part {
    pub(crate) name: String,
    /// Its encoding: a line for the type, and one for each attribute.
    pub(crate) encoding: Vec<String>,
    /// Its value, in one or two lines.
    pub(crate) value: Vec<String>,
    pub(crate) bytes: Range<usize>,
    /// How many of the last bytes end or pad the value.
    pub(crate) end: usize,
    /// Whether it is the key prefix.
    pub(crate) prefix: bool,
}

/// Returns the parts of a row, in order.
pub(crate) fn parts(schema: &Schema, row: &[u8]) -> Vec<Part> {
    let parts = schema.parts(row).expect("a row of this key");
    let part = |part: RowPart<'_>| {
        let (encoding, end) = match part.layout {
            PartLayout::KeyPrefix(prefix) => return prefix_part(prefix, row),
            PartLayout::Tag(_, width) => (vec![format!("u{}", 8 * width)], 0),
            PartLayout::Field(field) => (encoding(field), ending(field, &row[part.bytes.clone()])),
            other => panic!("{other:?}"),
        };
        let value = part.value.as_ref().map(lines).unwrap_or_default();
        Part { name: part.name.into(), encoding, value, bytes: part.bytes, end, prefix: false }
    };
    parts.into_iter().map(part).collect()
}

/// Returns the parts, each with the class of its colour.
pub(crate) fn coloured(parts: &[Part]) -> impl Iterator<Item = (&Part, &'static str)> {
    let mut fields = 0;
    parts.iter().map(move |part| {
        let class = colour(part.prefix, fields);
        fields += usize::from(!part.prefix);
        (part, class)
    })
}

/// Returns bytes as pairs of digits.
pub(crate) fn spaced(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

fn prefix_part(prefix: &SaltOrHash, row: &[u8]) -> Part {
    let bytes = 0..prefix.width();
    let number = || row[bytes.clone()].iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let (name, encoding, value, end) = match prefix {
        SaltOrHash::None => ("", Vec::new(), String::new(), 0),
        SaltOrHash::Salt { buckets, hash, fields, .. } => {
            let rule =
                vec![format!("{} of {}", hash.word(), fields.join(", ")), format!("mod {buckets}")];
            ("salt", rule, format!("bucket {}", number()), 0)
        }
        SaltOrHash::RandomSalt { buckets, .. } => (
            "salt",
            vec!["random".into(), format!("one of {buckets}")],
            format!("bucket {}", number()),
            0,
        ),
        SaltOrHash::HashPrefix { digest: DigestPart { hex, len, .. }, sep, fields } => {
            let unit = if *hex { "hex digits" } else { "bytes" };
            let rule =
                vec![format!("first {len} {unit} of"), format!("md5 of {}", fields.join(", "))];
            let value = String::from_utf8_lossy(&row[bytes.clone()]).into_owned();
            (
                "hash prefix",
                rule,
                if *hex { value } else { String::new() },
                usize::from(sep.is_some()),
            )
        }
    };
    Part { name: name.into(), encoding, value: vec![value], bytes, end, prefix: true }
}

fn encoding(field: &Field) -> Vec<String> {
    let mut lines = vec![match field.ty() {
        Type::TagPairs { key, value, .. } => format!("pairs of {key}, {value}"),
        ty => ty.to_string(),
    }];
    let attributes = field.attributes().to_string();
    // The unit is for reading a number as a date: no byte depends on it.
    let attributes =
        attributes.split(", ").filter(|word| !word.is_empty() && !word.starts_with("display_time"));
    lines.extend(attributes.map(String::from));
    lines
}

/// Returns how many bytes at the end of a field are its end or its padding.
fn ending(field: &Field, bytes: &[u8]) -> usize {
    let attributes = field.attributes();
    match attributes.end() {
        End::Escaped => 2,
        End::Byte(_) => 1,
        End::Width { pad, .. } => {
            let pad = if attributes.desc { !pad } else { pad };
            bytes.iter().rev().take_while(|byte| **byte == pad).count()
        }
        End::Native => 0,
    }
}

/// Returns a value as text, its number in a line of its own if it is a time.
fn lines(value: &Value) -> Vec<String> {
    let text = value.to_string();
    match (value, text.split_once(" (")) {
        (Value::Time(time), Some((date, _))) => vec![date.into(), time.count.to_string()],
        _ => vec![text],
    }
}
