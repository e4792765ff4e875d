//! The layout of a key in words: once for people, once, without names, for the fingerprint.

use std::fmt::Write as _;

use quote::ToTokens;

use super::attr::RevTs;
use super::model::{End, Field, Key, Lead, set_of, size};
use super::record::Tag;
use super::shape::Shape;

/// Returns the schema of `key`, a line for each part.
pub(super) fn schema(key: &Key) -> String {
    let mut text = format!("row key {}\n", key.name());
    if let Some(table) = &key.attr.table {
        let _ = writeln!(text, "table {}", table.value.value());
    }
    if let Some(version) = &key.attr.version {
        let _ = writeln!(text, "version {}", version.value);
    }
    let of = || {
        let fed = key.fields.iter().filter(|f| f.feeds).map(|f| f.name.clone());
        fed.collect::<Vec<_>>().join(" ")
    };
    if let Some(lead) = lead(&key.lead) {
        let _ = writeln!(text, "{lead} of {}", of());
    }
    for field in key.front() {
        let _ = writeln!(text, "{}: {}{}", field.name, kind(field), form(field));
    }
    let width = match key.records.as_ref().map(|records| records.tag) {
        Some(tag) if tag != Tag::U8 => format!(" in {} bytes", tag.bytes()),
        _ => String::new(),
    };
    for record in key.records.iter().flat_map(|records| &records.list) {
        let _ = writeln!(text, "tag {}{}: {}", record.tag, width, record.ident);
        for field in key.fields.get(record.fields.clone()).unwrap_or_default() {
            let _ = writeln!(text, "  {}: {}{}", field.name, kind(field), form(field));
        }
    }
    text
}

/// Returns what of `key` the types of its fields do not tell.
pub(super) fn layout(key: &Key) -> String {
    let mut text = lead(&key.lead).unwrap_or_default();
    for field in &key.fields {
        let _ = write!(text, ";{}{}", if field.feeds { "*" } else { "" }, form(field));
    }
    if let Some(records) = key.records.as_ref().filter(|r| r.tag != Tag::U8) {
        let _ = write!(text, ";tags in {} bytes", records.tag.bytes());
    }
    for record in key.records.iter().flat_map(|records| &records.list) {
        let _ = write!(text, ";tag {} {:?}", record.tag, record.fields);
    }
    text
}

fn lead(lead: &Lead) -> Option<String> {
    match lead {
        Lead::None => None,
        Lead::Salt { buckets, width, first, hash } => {
            let from = if *first == 0 { String::new() } else { format!(" from {first} on") };
            Some(format!("salt, {buckets} buckets{from} in {width} bytes by {hash}"))
        }
        Lead::Hash { hex, len, sep } => {
            let unit = if *hex { "hex digits" } else { "bytes" };
            let sep = sep.map(|sep| format!(", then {sep:#04x}")).unwrap_or_default();
            Some(format!("hash prefix, {len} {unit} of md5{sep}"))
        }
    }
}

fn kind(field: &Field) -> String {
    fn word(shape: &Shape) -> Option<String> {
        match shape {
            Shape::Text(_) => Some("text".into()),
            Shape::Bytes(_) => Some("bytes".into()),
            Shape::Maybe(some) => word(some).map(|some| format!("optional {some}")),
            _ => None,
        }
    }
    word(&field.shape).unwrap_or_else(|| field.ty.to_token_stream().to_string().replace(' ', ""))
}

/// Returns the form of a field, with a comma in front of each part.
fn form(field: &Field) -> String {
    let attr = &field.attr;
    let mut text = String::new();
    if let Some(md5) = &attr.md5 {
        let (hex, len) = size(md5.value.bytes.as_ref(), md5.value.hex.as_ref());
        let _ = write!(text, ", md5 {len} {}", if hex { "hex digits" } else { "bytes" });
    }
    match attr.rev_ts.as_ref().map(|r| r.value) {
        Some(RevTs::Max) => text.push_str(", reverse timestamp"),
        Some(RevTs::Not) => text.push_str(", inverted timestamp"),
        None => {}
    }
    match field.end {
        End::Native => {}
        End::Escaped => text.push_str(", escaped"),
        End::Zero => text.push_str(", ended by 0x00"),
        End::Width { width, pad } => {
            let _ = write!(text, ", width {width} filled with {pad:#04x}");
        }
        End::Sep { sep, .. } => {
            let _ = write!(text, ", ended by {sep:#04x}");
        }
    }
    if let Some(chars) = &attr.chars {
        let mut set = set_of(&chars.value.value());
        set.sort_unstable();
        set.dedup();
        let _ = write!(text, ", chars \"{}\"", set.escape_ascii());
    }
    if let Some(digits) = &attr.digits {
        let _ = write!(text, ", {} digits", digits.value);
    }
    if attr.raw_be.is_some() {
        text.push_str(", two's complement");
    }
    if let Some(floor) = &attr.floor {
        let _ = write!(text, ", floor {}", floor.value);
    }
    if attr.reverse.is_some() {
        text.push_str(", reversed");
    }
    if attr.desc.is_some() {
        text.push_str(", descending");
    }
    text
}
