//! `#[family("d", versions = 3)]`: the options of a column family, and HBase's names for them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Lit, LitInt, LitStr};

use super::message;
use crate::kernel::{Entries, Entry, Errors};

/// A function that reads the value of an option, and returns it in the form that HBase writes.
type Read = fn(&Entry, &mut Errors) -> Option<String>;

/// The options of a column family: for each option, its name in the attribute, its name in HBase,
/// and the function that reads its value.
pub(super) const OPTIONS: [(&str, &str, Read); 11] = [
    ("versions", "VERSIONS", |entry, errors| number(entry, 1, errors)),
    ("min_versions", "MIN_VERSIONS", |entry, errors| number(entry, 0, errors)),
    ("ttl", "TTL", seconds),
    ("keep_deleted_cells", "KEEP_DELETED_CELLS", keep_deleted_cells),
    ("bloom", "BLOOMFILTER", |entry, errors| word(entry, &["none", "row", "rowcol"], errors)),
    ("compression", "COMPRESSION", |entry, errors| {
        word(entry, &["none", "gz", "snappy", "lz4", "zstd"], errors)
    }),
    ("block_size", "BLOCKSIZE", |entry, errors| number(entry, 1, errors)),
    ("in_memory", "IN_MEMORY", in_memory),
    ("data_block_encoding", "DATA_BLOCK_ENCODING", |entry, errors| {
        word(entry, &["none", "prefix", "diff", "fast_diff", "row_index_v1"], errors)
    }),
    ("replication_scope", "REPLICATION_SCOPE", scope),
    (AGGREGATE.0, AGGREGATE.1, |entry, errors| word(entry, &["sum", "min", "max", "hll"], errors)),
];

/// The name of the option that makes a family an aggregate, in the attribute and in the descriptor.
const AGGREGATE: (&str, &str) = ("aggregate", "AGGREGATE");

/// A column family of the table.
pub(super) struct Family {
    pub(super) name: LitStr,
    /// Another name that the cells of this type may use for the family.
    pub(super) alias: Option<LitStr>,
    /// The names and values of the options, as HBase writes them.
    attributes: Vec<(&'static str, String)>,
}

impl Family {
    pub(super) fn parse(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        let (name, mut options) =
            Entries::after_string(attr, message::FAMILY_TAKES_A_NAME, errors)?;
        let Some(name) = name else {
            options.reject_attr(attr, message::FAMILY_TAKES_A_NAME);
            return None;
        };
        let alias = options.read("as", Entry::string).map(|alias| alias.value);
        let attributes = attributes(&mut options);
        options.finish();
        Some(Self { name, alias, attributes })
    }

    /// Returns the aggregate that the family is, `SUM`, `MIN`, `MAX` or `HLL`; `None` for a family
    /// that is not an aggregate.
    pub(super) fn aggregate(&self) -> Option<&str> {
        let found = self.attributes.iter().find(|(name, _)| *name == AGGREGATE.1);
        found.map(|(_, word)| &**word)
    }

    /// Returns the code for the constant with the names of the families that are aggregates, if
    /// there are any.
    pub(super) fn aggregates(families: &[Self], private: &TokenStream) -> Option<TokenStream> {
        let named = families.iter().filter(|family| family.aggregate().is_some());
        let names: Vec<_> = named.map(|family| &family.name).collect();
        (!names.is_empty())
            .then(|| quote!(const AGGREGATES: &'static [&'static #private::str] = &[#(#names),*];))
    }

    /// Returns the code that makes the descriptor of the family.
    pub(super) fn describe(&self, private: &TokenStream) -> TokenStream {
        let name = &self.name;
        let attributes =
            self.attributes.iter().map(|(name, value)| quote!(.attribute(#name, #value)));
        quote!(#private::FamilyDescriptor::new(#name)#(#attributes)*)
    }
}

fn attributes(options: &mut Entries<'_>) -> Vec<(&'static str, String)> {
    let read = |(option, name, read): (_, _, Read)| Some((name, options.read(option, read)?.value));
    OPTIONS.into_iter().filter_map(read).collect()
}

fn word(entry: &Entry, known: &[&str], errors: &mut Errors) -> Option<String> {
    entry.quoted_word(known, errors).map(str::to_uppercase)
}

fn number(entry: &Entry, least: u32, errors: &mut Errors) -> Option<String> {
    match entry.literal() {
        Some(Lit::Int(int)) if in_range(int, least) => Some(int.base10_digits().to_owned()),
        _ => entry
            .report_wrong_value(&format!("a whole number from {least} to {}", i32::MAX), errors),
    }
}

fn in_range(int: &LitInt, least: u32) -> bool {
    int.base10_parse::<u32>().is_ok_and(|n| n >= least && i32::try_from(n).is_ok())
}

fn scope(entry: &Entry, errors: &mut Errors) -> Option<String> {
    match entry.literal() {
        Some(Lit::Int(int)) if in_range(int, 0) => Some(int.base10_digits().to_owned()),
        _ => entry.report_wrong_value("0, or 1 to replicate the family to other clusters", errors),
    }
}

fn in_memory(entry: &Entry, errors: &mut Errors) -> Option<String> {
    match entry.literal() {
        Some(Lit::Bool(yes)) => Some(yes.value.to_string()),
        _ => entry.report_wrong_value("true or false", errors),
    }
}

fn keep_deleted_cells(entry: &Entry, errors: &mut Errors) -> Option<String> {
    match entry.literal() {
        Some(Lit::Bool(yes)) => Some(yes.value.to_string().to_uppercase()),
        Some(Lit::Str(text)) if text.value() == "ttl" => Some("TTL".into()),
        _ => entry.report_wrong_value("true, false or \"ttl\"", errors),
    }
}

/// Reads a time such as `86400`, `"90s"`, `"15m"`, `"12h"` or `"30d"`, and returns it in seconds.
fn seconds(entry: &Entry, errors: &mut Errors) -> Option<String> {
    let seconds = match entry.literal() {
        Some(Lit::Int(int)) => int.base10_parse::<u32>().ok(),
        Some(Lit::Str(text)) => {
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
        None => entry.report_wrong_value(
            "seconds, as in 86400, or a string like \"90s\", \"15m\", \"12h\" or \"30d\"",
            errors,
        ),
    }
}
