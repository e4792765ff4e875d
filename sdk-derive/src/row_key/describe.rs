//! The layout of a key in words, a line for each part.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attr::{RevTs, Unit};
use super::model::{End, Field, Key, KeyPrefix, Lifetimes, set_of, size};
use super::record::Tag;
use crate::kernel::respan;

/// Returns the lines before the fields: what names the key, and what stands in front.
pub(super) fn head(key: &Key) -> String {
    let mut text = format!("row key {}\n", key.name());
    if let Some(table) = &key.attr.table {
        let _ = writeln!(text, "table {}", table.value.value());
    }
    if let Some(version) = &key.attr.layout {
        let _ = writeln!(text, "version {}", version.value);
    }
    let fed = || {
        let fed = key.fields.iter().filter(|f| f.feeds).map(|f| f.name.clone());
        fed.collect::<Vec<_>>().join(", ")
    };
    match &key.lead {
        KeyPrefix::None => {}
        KeyPrefix::Salt { buckets, width, first, hash } => {
            let from = if *first == 0 { String::new() } else { format!(" from {first} on") };
            let bytes = plural(*width, "byte");
            let _ = match hash {
                Some(hash) => writeln!(
                    text,
                    "salt of {}: {buckets} buckets{from} in {bytes} by {hash}",
                    fed()
                ),
                None => writeln!(text, "salt at random: {buckets} buckets{from} in {bytes}"),
            };
        }
        KeyPrefix::Hash { hex, len, sep } => {
            let sep = sep.map(|sep| format!(", then {sep:#04x}")).unwrap_or_default();
            let _ = writeln!(text, "hash prefix of {}: {} of md5{sep}", fed(), digest(*hex, *len));
        }
    }
    text
}

/// Returns the lines of the fields, as constants of the library.
pub(super) fn fields(key: &Key, private: &TokenStream) -> Vec<TokenStream> {
    let line = |field: &Field, indent: usize| {
        let (name, form) = (&field.name, form(field));
        let ty = field.ty(Lifetimes::Static);
        let ty = field.proven(&ty, private);
        let kind = respan(quote!(<#ty as #private::Field>::KIND), field.span());
        quote! {
            #private::Line::Field { indent: #indent, name: #name, kind: #kind, form: #form }
        }
    };
    let mut lines: Vec<_> = key.front().iter().map(|field| line(field, 0)).collect();
    let width = match key.records.as_ref().map(|records| records.tag) {
        Some(tag) if tag != Tag::U8 => format!(" in {} bytes", tag.bytes()),
        _ => String::new(),
    };
    for record in key.records.iter().flat_map(|records| &records.list) {
        let words = format!("{}: tag {}{width}\n", record.name(), record.tag);
        lines.push(quote!(#private::Line::Words(#words)));
        let own = key.fields.get(record.fields.clone()).unwrap_or_default();
        lines.extend(own.iter().map(|field| line(field, 2)));
    }
    lines
}

fn plural(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

fn digest(hex: bool, len: usize) -> String {
    plural(len, if hex { "hex digit" } else { "byte" })
}

/// Returns the form of a field, with a comma in front of each part.
fn form(field: &Field) -> String {
    let attr = &field.attr;
    let mut text = String::new();
    if let Some(plan) = &field.plan {
        text.push_str(plan.words);
    }
    if let Some(md5) = &attr.md5 {
        let (hex, len) = size(md5.value.bytes.as_ref(), md5.value.hex.as_ref());
        let _ = write!(text, ", md5 {}", digest(hex, len));
    }
    match attr.rev_ts.as_ref().map(|r| r.value) {
        Some(RevTs::Max) => text.push_str(", reverse timestamp"),
        Some(RevTs::Inverted) => text.push_str(", inverted timestamp"),
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
        let _ = write!(text, ", {}", plural(usize::try_from(digits.value).unwrap_or(0), "digit"));
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
    if attr.terminated.is_some() {
        text.push_str(", marked");
    }
    if attr.desc.is_some() {
        text.push_str(", descending");
    }
    match attr.display_time.as_ref().map(|time| time.value) {
        Some(Unit::Seconds) => text.push_str(", time s"),
        Some(Unit::Millis) => text.push_str(", time ms"),
        Some(Unit::Micros) => text.push_str(", time us"),
        // What a reverse timestamp is of.
        None if attr.rev_ts.is_some() => text.push_str(", time ms"),
        None => {}
    }
    text
}
