//! The options of a family, and what HBase calls them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Lit, LitInt};

use super::attr::{FamilyAttr, Setting};
use super::message;
use crate::errors::Errors;
use crate::suggest::nearest;

/// What a family may say, and the function of `Family` that takes it.
const OPTIONS: [&str; 11] = [
    "versions",
    "min_versions",
    "ttl",
    "keep_deleted_cells",
    "bloom",
    "compression",
    "block_size",
    "in_memory",
    "data_block_encoding",
    "scope",
    "alias",
];

pub(super) fn family(
    family: &FamilyAttr,
    private: &TokenStream,
    errors: &mut Errors,
) -> TokenStream {
    let name = &family.name;
    let mut seen: Vec<String> = Vec::new();
    let mut out = quote!(#private::Family::new(#name));
    for setting in &family.options {
        let key = setting.name.unraw().to_string();
        if seen.contains(&key) {
            errors.on(&setting.name, message::twice(&key));
        }
        if key == "alias" {
            if !matches!(setting.value, Lit::Str(_)) {
                errors.on(&setting.value, message::expects(&key, "a text in quotes"));
            }
        } else if let Some((hbase, value)) = option(&key, setting, errors) {
            out = quote!(#out.attribute(#hbase, #value));
        }
        seen.push(key);
    }
    out
}

/// HBase's name for an option, and its value as text.
fn option(key: &str, setting: &Setting, errors: &mut Errors) -> Option<(&'static str, String)> {
    let value = &setting.value;
    match key {
        "versions" => Some(("VERSIONS", number(key, value, 1, errors)?)),
        "min_versions" => Some(("MIN_VERSIONS", number(key, value, 0, errors)?)),
        "block_size" => Some(("BLOCKSIZE", number(key, value, 1, errors)?)),
        "scope" => match value {
            Lit::Int(int) if in_range(int, 0) => {
                Some(("REPLICATION_SCOPE", int.base10_digits().to_owned()))
            }
            other => wrong(key, "0, or 1 to replicate the family to other clusters", other, errors),
        },
        "ttl" => Some(("TTL", seconds(value, errors)?)),
        "in_memory" => match value {
            Lit::Bool(yes) => Some(("IN_MEMORY", yes.value.to_string())),
            other => wrong(key, "true or false", other, errors),
        },
        "keep_deleted_cells" => match value {
            Lit::Bool(yes) => Some(("KEEP_DELETED_CELLS", yes.value.to_string().to_uppercase())),
            Lit::Str(text) if text.value() == "ttl" => Some(("KEEP_DELETED_CELLS", "TTL".into())),
            other => wrong(key, "true, false or \"ttl\"", other, errors),
        },
        "bloom" => word("BLOOMFILTER", key, value, &["none", "row", "rowcol"], errors),
        "compression" => {
            word("COMPRESSION", key, value, &["none", "gz", "snappy", "lz4", "zstd"], errors)
        }
        "data_block_encoding" => {
            let known = ["none", "prefix", "diff", "fast_diff", "row_index_v1"];
            word("DATA_BLOCK_ENCODING", key, value, &known, errors)
        }
        _ => {
            let text = message::unknown(key, "family", nearest(key, &OPTIONS), &OPTIONS);
            errors.on(&setting.name, text);
            None
        }
    }
}

fn number(key: &str, value: &Lit, least: u32, errors: &mut Errors) -> Option<String> {
    match value {
        Lit::Int(int) if in_range(int, least) => Some(int.base10_digits().to_owned()),
        other => wrong(key, &format!("a whole number from {least} to {}", i32::MAX), other, errors),
    }
}

fn in_range(int: &LitInt, least: u32) -> bool {
    int.base10_parse::<u32>().is_ok_and(|n| n >= least && i32::try_from(n).is_ok())
}

/// `86400`, `"90s"`, `"15m"`, `"12h"` or `"30d"`, as seconds.
fn seconds(value: &Lit, errors: &mut Errors) -> Option<String> {
    const EXPECTED: &str =
        "seconds, as in 86400, or a text like \"90s\", \"15m\", \"12h\" or \"30d\"";
    let seconds = match value {
        Lit::Int(int) => int.base10_parse::<u32>().ok(),
        Lit::Str(text) => {
            let text = text.value();
            let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
            let unit = match text.get(digits.len()..) {
                Some("s") => 1,
                Some("m") => 60,
                Some("h") => 3_600,
                Some("d") => 86_400,
                _ => 0,
            };
            digits.parse::<u32>().ok().and_then(|n| n.checked_mul(unit))
        }
        _ => None,
    };
    match seconds.filter(|s| *s > 0 && i32::try_from(*s).is_ok()) {
        Some(seconds) => Some(seconds.to_string()),
        None => wrong("ttl", EXPECTED, value, errors),
    }
}

fn word(
    hbase: &'static str,
    key: &str,
    value: &Lit,
    known: &[&str],
    errors: &mut Errors,
) -> Option<(&'static str, String)> {
    match value {
        Lit::Str(text) if known.contains(&text.value().as_str()) => {
            Some((hbase, text.value().to_uppercase()))
        }
        other => wrong(key, &format!("one of {}, in quotes", message::list(known)), other, errors),
    }
}

fn wrong<T>(key: &str, expected: &str, value: &Lit, errors: &mut Errors) -> Option<T> {
    errors.on(value, message::expects(key, expected));
    None
}
