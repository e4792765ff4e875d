//! `#[row_key(..)]` and `#[key(..)]` as written.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Attribute, Ident, Path};

use super::grammar::{self, Item, Spanned, Value};
use super::message;
use super::world::{WORLDS, World};
use crate::errors::Errors;

/// The hash functions of a salt.
pub(super) const HASHES: &[&str] = &["fnv1a", "crc32", "murmur3", "java31", "modulo"];
/// The types of a tag.
const TAGS: &[&str] = &["u8", "u16", "u32"];
/// The lints that can be allowed.
const LINTS: &[&str] = &["hot_lead", "grouped", "long"];
const TYPE_KEYS: &[&str] = &[
    "salt",
    "hash_prefix",
    "text",
    "table",
    "allow",
    "crate",
    "shared",
    "version",
    "lock",
    "max",
    "tag",
    "ord",
    "versions",
    "compat",
];
const FIELD_KEYS: &[&str] = &[
    "escaped", "end", "width", "pad", "sep", "chars", "reverse", "rev_ts", "desc", "md5", "rising",
    "raw_be", "digits", "floor", "time", "marked",
];

/// `#[row_key(..)]`.
#[derive(Default)]
pub(super) struct TypeAttr {
    pub(super) krate: Option<Path>,
    pub(super) salt: Option<Spanned<SaltAttr>>,
    pub(super) hash_prefix: Option<Spanned<HashAttr>>,
    pub(super) sep: Option<Spanned<u8>>,
    pub(super) shared: Option<Spanned<Vec<Ident>>>,
    pub(super) table: Option<Spanned<syn::LitStr>>,
    pub(super) version: Option<Spanned<u64>>,
    pub(super) lock: Option<Spanned<syn::LitStr>>,
    pub(super) max: Option<Spanned<u64>>,
    pub(super) tag: Option<Spanned<&'static str>>,
    pub(super) ord: Option<Spanned<()>>,
    pub(super) versions: Option<Spanned<()>>,
    /// Whose bytes the key has, where they are not ours.
    pub(super) compat: Option<Spanned<Option<World>>>,
    pub(super) allow: Vec<String>,
    /// Something in it was not understood.
    pub(super) broken: bool,
}

/// `salt(..)`.
#[derive(Clone, Default)]
pub(super) struct SaltAttr {
    pub(super) random: Option<Spanned<()>>,
    pub(super) buckets: Option<Spanned<u64>>,
    pub(super) of: Option<Spanned<Vec<Ident>>>,
    pub(super) width: Option<Spanned<u64>>,
    pub(super) first: Option<Spanned<u64>>,
    pub(super) hash: Option<Spanned<&'static str>>,
}

/// `hash_prefix(..)`.
#[derive(Clone, Default)]
pub(super) struct HashAttr {
    pub(super) digest: DigestAttr,
    pub(super) md5: Option<Spanned<()>>,
    pub(super) of: Option<Spanned<Vec<Ident>>>,
    pub(super) sep: Option<Spanned<u8>>,
}

/// The size of a digest: `bytes = 8` or `hex = 8`; all of it without.
#[derive(Clone, Default)]
pub(super) struct DigestAttr {
    pub(super) bytes: Option<Spanned<u64>>,
    pub(super) hex: Option<Spanned<u64>>,
}

impl TypeAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        let mut krate = None;
        let before = errors.len();
        for item in grammar::items(attrs, "row_key", errors) {
            match item.name.unraw().to_string().as_str() {
                "crate" => {
                    let path = item.text(errors).and_then(|text| match text.parse::<Path>() {
                        Ok(path) => Some(path),
                        Err(error) => {
                            errors.add(error);
                            None
                        }
                    });
                    item.store(&mut krate, path, errors);
                }
                "table" => {
                    let name = item.text(errors);
                    item.store(&mut this.table, name, errors);
                }
                "version" => item.store(&mut this.version, item.number(errors), errors),
                "max" => item.store(&mut this.max, item.number(errors), errors),
                "lock" => item.store(&mut this.lock, item.text(errors), errors),
                "tag" => item.store(&mut this.tag, item.word(TAGS, errors), errors),
                "versions" => item.store(&mut this.versions, item.flag(errors), errors),
                "ord" => item.store(&mut this.ord, item.flag(errors), errors),
                "compat" => {
                    let world = item.text(errors).and_then(|text| compat(&item, &text, errors));
                    item.store(&mut this.compat, world, errors);
                }
                "salt" => {
                    let salt = SaltAttr::parse(&item, errors);
                    item.store(&mut this.salt, salt, errors);
                }
                "hash_prefix" => {
                    let hash = HashAttr::parse(&item, errors);
                    item.store(&mut this.hash_prefix, hash, errors);
                }
                "text" => this.text(&item, errors),
                "shared" => {
                    let shared = shared(&item, errors);
                    item.store(&mut this.shared, shared, errors);
                }
                "allow" => this.allows(&item, errors),
                "sep" => errors.at(item.span(), message::SEP_ON_TYPE),
                _ => item.unknown("#[row_key(..)]", TYPE_KEYS, errors),
            }
        }
        this.broken = errors.len() > before;
        this.krate = krate.map(|k: Spanned<Path>| k.value);
        this
    }

    /// Returns the places of what says something that each version says for itself.
    pub(super) fn beside_versions(&self) -> Vec<Span> {
        let spans = [
            self.salt.as_ref().map(|s| s.span),
            self.hash_prefix.as_ref().map(|s| s.span),
            self.sep.as_ref().map(|s| s.span),
            self.shared.as_ref().map(|s| s.span),
            self.table.as_ref().map(|s| s.span),
            self.version.as_ref().map(|s| s.span),
            self.lock.as_ref().map(|s| s.span),
            self.max.as_ref().map(|s| s.span),
            self.tag.as_ref().map(|s| s.span),
            self.ord.as_ref().map(|s| s.span),
            self.compat.as_ref().map(|s| s.span),
        ];
        spans.into_iter().flatten().collect()
    }

    fn text(&mut self, item: &Item, errors: &mut Errors) {
        let Value::List(list) = &item.value else {
            return item.wrong("a separator, as in `text(sep = '|')`", errors).unwrap_or(());
        };
        for inner in grammar::inner(list, errors) {
            match inner.name.to_string().as_str() {
                "sep" => {
                    let sep = inner.byte(errors);
                    inner.store(&mut self.sep, sep, errors);
                }
                _ => inner.unknown("text(..)", &["sep"], errors),
            }
        }
    }

    fn allows(&mut self, item: &Item, errors: &mut Errors) {
        let Value::List(list) = &item.value else {
            return item.wrong("names of lints, as in `allow(hot_lead)`", errors).unwrap_or(());
        };
        for inner in grammar::inner(list, errors) {
            let name = inner.name.to_string();
            match inner.flag(errors) {
                Some(()) if LINTS.contains(&name.as_str()) => self.allow.push(name),
                Some(()) => inner.unknown("allow(..)", LINTS, errors),
                None => {}
            }
        }
    }

    /// Returns whose bytes the key has, where they are not ours.
    pub(super) fn world(&self) -> Option<World> {
        self.compat.as_ref().and_then(|compat| compat.value)
    }

    pub(super) fn allowed(&self, lint: &str) -> bool {
        self.allow.iter().any(|a| a == lint)
    }
}

impl SaltAttr {
    fn parse(item: &Item, errors: &mut Errors) -> Option<Self> {
        let Value::List(list) = &item.value else {
            return item.wrong("its buckets, as in `salt(buckets = 16)`", errors);
        };
        let mut this = Self::default();
        for inner in grammar::inner(list, errors) {
            match inner.name.to_string().as_str() {
                "random" => inner.store(&mut this.random, inner.flag(errors), errors),
                "buckets" => inner.store(&mut this.buckets, inner.number(errors), errors),
                "of" => inner.store(&mut this.of, inner.fields(errors), errors),
                "width" => inner.store(&mut this.width, inner.number(errors), errors),
                "first" => inner.store(&mut this.first, inner.number(errors), errors),
                "hash" => inner.store(&mut this.hash, inner.word(HASHES, errors), errors),
                _ => {
                    let known = ["random", "buckets", "of", "width", "first", "hash"];
                    inner.unknown("salt(..)", &known, errors);
                }
            }
        }
        if this.buckets.is_none() {
            errors.at(item.span(), message::SALT_WITHOUT_BUCKETS);
        }
        Some(this)
    }
}

impl HashAttr {
    fn parse(item: &Item, errors: &mut Errors) -> Option<Self> {
        let Value::List(list) = &item.value else {
            return item.wrong("its parts, as in `hash_prefix(md5, hex = 8, of = (user))`", errors);
        };
        let mut this = Self::default();
        for inner in grammar::inner(list, errors) {
            match inner.name.to_string().as_str() {
                "md5" => inner.store(&mut this.md5, inner.flag(errors), errors),
                "bytes" => inner.store(&mut this.digest.bytes, inner.number(errors), errors),
                "hex" => inner.store(&mut this.digest.hex, inner.number(errors), errors),
                "of" => inner.store(&mut this.of, inner.fields(errors), errors),
                "sep" => inner.store(&mut this.sep, inner.byte(errors), errors),
                _ => {
                    let known = ["md5", "bytes", "hex", "of", "sep"];
                    inner.unknown("hash_prefix(..)", &known, errors);
                }
            }
        }
        if this.md5.is_none() {
            errors.at(item.span(), message::HASH_WITHOUT_FUNCTION);
        }
        if this.of.is_none() {
            errors.at(item.span(), message::HASH_WITHOUT_FIELDS);
        }
        Some(this)
    }
}

/// `#[key(..)]`.
#[derive(Default)]
pub(super) struct FieldAttr {
    pub(super) escaped: Option<Spanned<()>>,
    pub(super) end: Option<Spanned<u64>>,
    pub(super) width: Option<Spanned<u64>>,
    pub(super) pad: Option<Spanned<u8>>,
    pub(super) sep: Option<Spanned<u8>>,
    pub(super) chars: Option<Spanned<syn::LitStr>>,
    pub(super) reverse: Option<Spanned<()>>,
    pub(super) rev_ts: Option<Spanned<RevTs>>,
    pub(super) desc: Option<Spanned<()>>,
    pub(super) md5: Option<Spanned<DigestAttr>>,
    pub(super) rising: Option<Spanned<()>>,
    pub(super) raw_be: Option<Spanned<()>>,
    pub(super) digits: Option<Spanned<u64>>,
    pub(super) floor: Option<Spanned<u64>>,
    pub(super) marked: Option<Spanned<()>>,
    pub(super) time: Option<Spanned<Unit>>,
    /// Something in it was not understood.
    pub(super) broken: bool,
}

/// `rev_ts` or `rev_ts = "not"`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RevTs {
    Max,
    Not,
}

/// What a field counts since 1970, for people who read its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Millis,
    Micros,
}

impl FieldAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        let before = errors.len();
        for item in grammar::items(attrs, "key", errors) {
            match item.name.unraw().to_string().as_str() {
                "escaped" => item.store(&mut this.escaped, item.flag(errors), errors),
                "end" => item.store(&mut this.end, item.number_or_byte(errors), errors),
                "width" => item.store(&mut this.width, item.number(errors), errors),
                "pad" => item.store(&mut this.pad, item.byte(errors), errors),
                "sep" => item.store(&mut this.sep, item.byte(errors), errors),
                "chars" => item.store(&mut this.chars, item.text(errors), errors),
                "reverse" => item.store(&mut this.reverse, item.flag(errors), errors),
                "rev_ts" => item.store(&mut this.rev_ts, rev_ts(&item, errors), errors),
                "desc" => item.store(&mut this.desc, item.flag(errors), errors),
                "md5" => item.store(&mut this.md5, digest(&item, errors), errors),
                "rising" => item.store(&mut this.rising, item.flag(errors), errors),
                "raw_be" => item.store(&mut this.raw_be, item.flag(errors), errors),
                "digits" => item.store(&mut this.digits, item.number(errors), errors),
                "marked" => item.store(&mut this.marked, item.flag(errors), errors),
                "time" => item.store(&mut this.time, time(&item, errors), errors),
                "floor" => item.store(&mut this.floor, item.number(errors), errors),
                _ => item.unknown("#[key(..)]", FIELD_KEYS, errors),
            }
        }
        this.broken = errors.len() > before;
        this
    }
}

fn rev_ts(item: &Item, errors: &mut Errors) -> Option<RevTs> {
    if let Value::None = item.value {
        return Some(RevTs::Max);
    }
    match item.text(errors)?.value().as_str() {
        "max" => Some(RevTs::Max),
        "not" => Some(RevTs::Not),
        _ => {
            item.wrong("\"max\" (i64::MAX - time, also without a value) or \"not\" (!time)", errors)
        }
    }
}

fn digest(item: &Item, errors: &mut Errors) -> Option<DigestAttr> {
    let list = match &item.value {
        Value::None => return Some(DigestAttr::default()),
        Value::List(list) => list,
        Value::Eq(_) => return item.wrong("a size in parentheses, as in `md5(bytes = 8)`", errors),
    };
    let mut this = DigestAttr::default();
    for inner in grammar::inner(list, errors) {
        match inner.name.to_string().as_str() {
            "bytes" => inner.store(&mut this.bytes, inner.number(errors), errors),
            "hex" => inner.store(&mut this.hex, inner.number(errors), errors),
            _ => inner.unknown("md5(..)", &["bytes", "hex"], errors),
        }
    }
    Some(this)
}

/// Parses `time` or `time = "s"`.
fn time(item: &Item, errors: &mut Errors) -> Option<Unit> {
    let expected = "a unit: `time = \"s\"`, `\"ms\"` (the same as `time` alone) or `\"us\"`";
    if matches!(item.value, Value::None) {
        return Some(Unit::Millis);
    }
    if !matches!(&item.value, Value::Eq(syn::Expr::Lit(l)) if matches!(l.lit, syn::Lit::Str(_))) {
        return item.wrong(expected, errors);
    }
    match item.text(errors)?.value().as_str() {
        "s" => Some(Unit::Seconds),
        "ms" => Some(Unit::Millis),
        "us" => Some(Unit::Micros),
        _ => item.wrong(expected, errors),
    }
}

/// Reads the word of `compat`; nothing for our own bytes.
fn compat(item: &Item, text: &syn::LitStr, errors: &mut Errors) -> Option<Option<World>> {
    let word = text.value();
    if WORLDS.contains(&word.as_str()) {
        return Some(World::named(&word));
    }
    item.wrong(&format!("one of {}", message::list(WORLDS)), errors)
}

/// Parses `shared(a, b)`.
fn shared(item: &Item, errors: &mut Errors) -> Option<Vec<Ident>> {
    match &item.value {
        Value::List(list) if !list.is_empty() => {
            let items = grammar::inner(list, errors);
            Some(items.into_iter().filter_map(|i| i.flag(errors).map(|()| i.name)).collect())
        }
        _ => {
            item.wrong("the fields all kinds of rows start with, as in `shared(customer)`", errors)
        }
    }
}

/// Parses the `#[key(tag = 1)]` of a variant.
pub(super) fn tag(attrs: &[Attribute], errors: &mut Errors) -> Option<Spanned<u64>> {
    let mut tag = None;
    for item in grammar::items(attrs, "key", errors) {
        match item.name.unraw().to_string().as_str() {
            "tag" => item.store(&mut tag, item.number_or_byte(errors), errors),
            _ => item.unknown("#[key(..)] on a variant", &["tag"], errors),
        }
    }
    tag
}
