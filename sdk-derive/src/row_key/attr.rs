//! The attributes `#[row_key(..)]` and `#[key(..)]`, as users write them.

use proc_macro2::Span;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path, Type};

use tallrow_layout::{
    Attribute as FieldAttribute, CompatTarget, Lint, RevTsKind, SaltFunction, Unit,
};

use super::message;
use crate::kernel::{Entries, Entry, Errors, Spanned, Value, span};

/// The types that a tag can have, each with its number of bytes.
const TAG_TYPES: [(&str, usize); 3] = [("u8", 1), ("u16", 2), ("u32", 4)];

/// Entries of `#[key(..)]` that users may write on the type by mistake.
const OF_FIELDS: [&str; 16] = [
    "rev_ts",
    "desc",
    "escaped",
    "nul_terminated",
    "reverse",
    "width",
    "digits",
    "floor",
    "md5",
    "monotonic",
    "raw_be",
    "terminated_list",
    "display_time",
    "unit",
    "truncate",
    "via",
];

/// Entries of `#[row_key(..)]` that users may write on a field by mistake.
const OF_TYPES: [&str; 7] =
    ["salt", "hash_prefix", "text_sep", "shared", "compat", "transparent", "allow"];

/// The attribute `#[row_key(..)]`.
#[derive(Default)]
pub(super) struct RowKeyAttr {
    pub(super) krate: Option<Path>,
    pub(super) salt: Option<Spanned<SaltAttr>>,
    pub(super) hash_prefix: Option<Spanned<HashAttr>>,
    pub(super) text_sep: Option<Spanned<u8>>,
    pub(super) shared: Option<Spanned<Vec<Ident>>>,
    pub(super) schema_table: Option<Spanned<LitStr>>,
    pub(super) layout: Option<Spanned<u64>>,
    pub(super) lock_file: Option<Spanned<LitStr>>,
    pub(super) max_fixed_len: Option<Spanned<u64>>,
    /// The number of bytes of a tag.
    pub(super) tag_type: Option<Spanned<usize>>,
    pub(super) ord: Option<Spanned<()>>,
    pub(super) layouts: Option<Spanned<()>>,
    pub(super) transparent: Option<Spanned<()>>,
    /// The compatibility target; the inner `None` selects this library's own encodings.
    pub(super) compat: Option<Spanned<Option<CompatTarget>>>,
    pub(super) allow: Vec<Lint>,
    /// Whether the attribute contains an error.
    pub(super) broken: bool,
}

/// The entry `salt(..)`.
#[derive(Clone, Default)]
pub(super) struct SaltAttr {
    pub(super) random: Option<Spanned<()>>,
    pub(super) buckets: Option<Spanned<u64>>,
    pub(super) fields: Option<Spanned<Vec<Ident>>>,
    pub(super) width: Option<Spanned<u64>>,
    pub(super) bucket_offset: Option<Spanned<u64>>,
    pub(super) hash: Option<Spanned<SaltFunction>>,
}

/// The entry `hash_prefix(..)`.
#[derive(Clone, Default)]
pub(super) struct HashAttr {
    pub(super) digest: DigestAttr,
    pub(super) md5: Option<Spanned<()>>,
    pub(super) fields: Option<Spanned<Vec<Ident>>>,
    pub(super) sep: Option<Spanned<u8>>,
}

/// The size of a digest: `bytes = 8` or `hex = 8`; the whole digest if neither is given.
#[derive(Clone, Default)]
pub(super) struct DigestAttr {
    pub(super) bytes: Option<Spanned<u64>>,
    pub(super) hex: Option<Spanned<u64>>,
}

impl RowKeyAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let before = errors.len();
        let mut all = Entries::of(attrs, "row_key", errors);
        let mut this = Self {
            salt: all.read("salt", SaltAttr::parse),
            hash_prefix: all.read("hash_prefix", HashAttr::parse),
            text_sep: all.read("text_sep", Entry::ascii),
            schema_table: all.read("schema_table", Entry::string),
            allow: all.read("allow", allowed).map_or_else(Vec::new, |allow| allow.value),
            krate: all.read("crate", Entry::path_in_string).map(|path| path.value),
            shared: all.read("shared", shared),
            layout: all.read("layout", Entry::number),
            lock_file: all.read("lock_file", Entry::string),
            max_fixed_len: all.read("max_fixed_len", Entry::number),
            tag_type: all.read("tag_type", tag_type),
            ord: all.read("ord", Entry::flag),
            layouts: all.read("layouts", Entry::flag),
            transparent: all.read("transparent", Entry::flag),
            compat: all.read("compat", compat),
            broken: false,
        };
        all.report_entries_named(&["sep"], |_| message::SEP_ON_TYPE.to_owned());
        all.report_entries_named(&["lookup"], |_| message::LOOKUP_ON_TYPE.to_owned());
        all.report_entries_named(&OF_FIELDS, message::belongs_on_field);
        all.finish();
        this.broken = errors.len() > before;
        this
    }

    /// Returns the spans of the entries that are allowed on a whole key, but not on an enum of
    /// layouts or on a type that is a field.
    pub(super) fn spans_of_whole_key_entries(&self) -> Vec<Span> {
        let spans = [
            span(&self.salt),
            span(&self.hash_prefix),
            span(&self.text_sep),
            span(&self.shared),
            span(&self.schema_table),
            span(&self.layout),
            span(&self.lock_file),
            span(&self.max_fixed_len),
            span(&self.ord),
            span(&self.compat),
        ];
        spans.into_iter().flatten().collect()
    }

    /// Returns the compatibility target; `None` for this library's own encodings.
    pub(super) fn compat(&self) -> Option<CompatTarget> {
        self.compat.as_ref().and_then(|compat| compat.value)
    }
}

impl SaltAttr {
    fn parse(entry: &Entry, errors: &mut Errors) -> Option<Self> {
        // Whether `buckets` is given, even with a wrong value, so that only one error is reported.
        let mut gives_buckets = false;
        let expected = "its buckets, as in `salt(buckets = 16)`";
        let mut inside = Entries::from_list_of(entry, expected, errors)?;
        let this = Self {
            random: inside.read("random", Entry::flag),
            buckets: inside.read("buckets", |entry, errors| {
                gives_buckets = true;
                entry.number(errors)
            }),
            fields: inside.read("fields", fields),
            width: inside.read("width", Entry::number),
            bucket_offset: inside.read("bucket_offset", Entry::number),
            hash: inside.read("hash", |entry, errors| {
                let known = SaltFunction::ALL.map(SaltFunction::word);
                let found = entry.word(&known, errors)?;
                SaltFunction::ALL.into_iter().find(|function| function.word() == found)
            }),
        };
        inside.finish();
        if !gives_buckets {
            errors.report_at_tokens(&entry.name, message::SALT_WITHOUT_BUCKETS);
        }
        Some(this)
    }
}

impl HashAttr {
    fn parse(entry: &Entry, errors: &mut Errors) -> Option<Self> {
        let expected = "its parts, as in `hash_prefix(md5, hex = 8, fields = (user))`";
        let mut inside = Entries::from_list_of(entry, expected, errors)?;
        let this = Self {
            md5: inside.read("md5", Entry::flag),
            digest: DigestAttr::read(&mut inside),
            fields: inside.read("fields", fields),
            sep: inside.read("sep", Entry::ascii),
        };
        inside.finish();
        if this.md5.is_none() {
            errors.report_at_tokens(&entry.name, message::HASH_WITHOUT_FUNCTION);
        }
        if this.fields.is_none() {
            errors.report_at_tokens(&entry.name, message::HASH_WITHOUT_FIELDS);
        }
        Some(this)
    }
}

impl DigestAttr {
    fn read(entries: &mut Entries<'_>) -> Self {
        Self {
            bytes: entries.read("bytes", Entry::number),
            hex: entries.read("hex", Entry::number),
        }
    }
}

/// The attribute `#[key(..)]` of a field.
#[derive(Default)]
pub(super) struct KeyAttr {
    pub(super) escaped: Option<Spanned<()>>,
    pub(super) nul_terminated: Option<Spanned<()>>,
    pub(super) width: Option<Spanned<u64>>,
    pub(super) pad: Option<Spanned<u8>>,
    pub(super) sep: Option<Spanned<u8>>,
    pub(super) chars: Option<Spanned<LitStr>>,
    pub(super) reverse: Option<Spanned<()>>,
    pub(super) rev_ts: Option<Spanned<RevTsKind>>,
    pub(super) desc: Option<Spanned<()>>,
    pub(super) md5: Option<Spanned<DigestAttr>>,
    pub(super) monotonic: Option<Spanned<()>>,
    pub(super) raw_be: Option<Spanned<()>>,
    pub(super) digits: Option<Spanned<u64>>,
    pub(super) floor: Option<Spanned<u64>>,
    pub(super) terminated_list: Option<Spanned<()>>,
    pub(super) display_time: Option<Spanned<Unit>>,
    /// The unit in which a point in time is written.
    pub(super) unit: Option<Spanned<Unit>>,
    /// Whether the part of a point in time that is less than one unit is dropped.
    pub(super) truncate: Option<Spanned<()>>,
    /// The type to which the value is converted.
    pub(super) via: Option<Spanned<Type>>,
    /// The kind of the names for which the field holds ids.
    pub(super) lookup: Option<Spanned<LitStr>>,
    /// Whether the attribute contains an error.
    pub(super) broken: bool,
}

impl KeyAttr {
    pub(super) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let before = errors.len();
        let mut all = Entries::of(attrs, "key", errors);
        let mut this = Self {
            escaped: all.read("escaped", Entry::flag),
            nul_terminated: all.read("nul_terminated", Entry::flag),
            width: all.read("width", Entry::number),
            pad: all.read("pad", Entry::ascii),
            sep: all.read("sep", Entry::ascii),
            chars: all.read("chars", Entry::string),
            reverse: all.read("reverse", Entry::flag),
            rev_ts: all.read("rev_ts", rev_ts),
            desc: all.read("desc", Entry::flag),
            md5: all.read("md5", digest),
            monotonic: all.read("monotonic", Entry::flag),
            raw_be: all.read("raw_be", Entry::flag),
            digits: all.read("digits", Entry::number),
            floor: all.read("floor", Entry::number),
            display_time: all.read("display_time", display_time),
            unit: all.read("unit", unit),
            truncate: all.read("truncate", Entry::flag),
            via: all.read("via", via),
            terminated_list: all.read("terminated_list", Entry::flag),
            lookup: all.read("lookup", lookup),
            broken: false,
        };
        all.report_entries_named(&OF_TYPES, message::belongs_on_type);
        all.finish();
        this.broken = errors.len() > before;
        this
    }

    /// Returns the span of an attribute, if it is given.
    pub(super) fn span(&self, attribute: FieldAttribute) -> Option<Span> {
        match attribute {
            FieldAttribute::Compat => None,
            FieldAttribute::Md5 => span(&self.md5),
            FieldAttribute::RevTs => span(&self.rev_ts),
            FieldAttribute::Escaped => span(&self.escaped),
            FieldAttribute::NulTerminated => span(&self.nul_terminated),
            FieldAttribute::Sep => span(&self.sep),
            FieldAttribute::Width => span(&self.width),
            FieldAttribute::Pad => span(&self.pad),
            FieldAttribute::Chars => self.chars.as_ref().map(|chars| chars.value.span()),
            FieldAttribute::Digits => span(&self.digits),
            FieldAttribute::RawBe => span(&self.raw_be),
            FieldAttribute::Floor => span(&self.floor),
            FieldAttribute::Reverse => span(&self.reverse),
            FieldAttribute::Terminated => span(&self.terminated_list),
            FieldAttribute::Desc => span(&self.desc),
            FieldAttribute::DisplayTime => span(&self.display_time),
        }
    }
}

/// Reads the `#[key(tag = 1)]` of a variant.
pub(super) fn tag(attrs: &[Attribute], errors: &mut Errors) -> Option<Spanned<u64>> {
    let mut all = Entries::of(attrs, "key", errors);
    let tag = all.read("tag", Entry::number_or_byte);
    all.finish();
    tag
}

/// Reads `rev_ts` or `rev_ts = "inverted"`.
fn rev_ts(entry: &Entry, errors: &mut Errors) -> Option<RevTsKind> {
    if let Value::None = entry.value {
        return Some(RevTsKind::Max);
    }
    match entry.string(errors)?.value().as_str() {
        "max" => Some(RevTsKind::Max),
        "inverted" => Some(RevTsKind::Inverted),
        _ => {
            let expected =
                "\"max\" (i64::MAX - time, also without a value) or \"inverted\" (!time)";
            entry.report_wrong_value(expected, errors)
        }
    }
}

/// Reads `md5` or `md5(bytes = 8)`.
fn digest(entry: &Entry, errors: &mut Errors) -> Option<DigestAttr> {
    if let Value::None = entry.value {
        return Some(DigestAttr::default());
    }
    let expected = "a size in parentheses, as in `md5(bytes = 8)`";
    let mut inside = Entries::from_list_of(entry, expected, errors)?;
    let digest = DigestAttr::read(&mut inside);
    inside.finish();
    Some(digest)
}

/// Reads `display_time` or `display_time = "s"`.
fn display_time(entry: &Entry, errors: &mut Errors) -> Option<Unit> {
    let unit = match (&entry.value, entry.literal()) {
        (Value::None, _) => "ms".to_owned(),
        (_, Some(Lit::Str(unit))) => unit.value(),
        _ => String::new(),
    };
    match unit.as_str() {
        "d" => Some(Unit::Days),
        "s" => Some(Unit::Seconds),
        "ms" => Some(Unit::Millis),
        "us" => Some(Unit::Micros),
        _ => {
            let expected = "a unit: `= \"d\"`, `= \"s\"`, `= \"ms\"` (the default) or `= \"us\"`";
            entry.report_wrong_value(expected, errors)
        }
    }
}

/// Reads `unit = "ms"`.
fn unit(entry: &Entry, errors: &mut Errors) -> Option<Unit> {
    let found = entry.quoted_word(&Unit::ALL.map(Unit::word), errors)?;
    Unit::ALL.into_iter().find(|unit| unit.word() == found)
}

/// Reads `via = u32`.
fn via(entry: &Entry, errors: &mut Errors) -> Option<Type> {
    match &entry.value {
        Value::Type(ty) => Some(ty.clone()),
        _ => entry
            .report_wrong_value("the type that the value is converted to, as in `= u32`", errors),
    }
}

/// Reads `allow(hotspot, long_key)`.
fn allowed(entry: &Entry, errors: &mut Errors) -> Option<Vec<Lint>> {
    let mut inside =
        Entries::from_list_of(entry, "names of lints, as in `allow(hotspot)`", errors)?;
    let given = |lint: &Lint| inside.read(lint.word(), Entry::flag).is_some();
    let allowed = Lint::ALL.into_iter().filter(given).collect();
    inside.finish();
    Some(allowed)
}

/// Reads `tag_type = u16`.
fn tag_type(entry: &Entry, errors: &mut Errors) -> Option<usize> {
    let found = entry.word(&TAG_TYPES.map(|(word, _)| word), errors)?;
    TAG_TYPES.into_iter().find(|(word, _)| *word == found).map(|(_, bytes)| bytes)
}

/// Reads `compat = "phoenix"`, or `"native"` for this library's own encodings.
fn compat(entry: &Entry, errors: &mut Errors) -> Option<Option<CompatTarget>> {
    let targets = CompatTarget::ALL.map(CompatTarget::word);
    let known: Vec<&str> = ["native"].into_iter().chain(targets).collect();
    let found = entry.quoted_word(&known, errors)?;
    Some(CompatTarget::ALL.into_iter().find(|target| target.word() == found))
}

/// Reads `lookup = "host"`.
fn lookup(entry: &Entry, errors: &mut Errors) -> Option<LitStr> {
    let is_part = |c: char| !c.is_whitespace() && !c.is_control();
    match entry.literal() {
        Some(Lit::Str(kind)) if !kind.value().is_empty() && kind.value().chars().all(is_part) => {
            Some(kind.clone())
        }
        _ => entry.report_wrong_value(
            "the kind of the names, one word in quotes, as in `= \"host\"`",
            errors,
        ),
    }
}

/// Reads `shared(a, b)`.
fn shared(entry: &Entry, errors: &mut Errors) -> Option<Vec<Ident>> {
    let expected = "the fields that all variants start with, as in `shared(customer)`";
    let names = Entries::from_list_of(entry, expected, errors)?.names();
    if names.is_empty() { entry.report_wrong_value(expected, errors) } else { Some(names) }
}

/// Reads the names or numbers of fields: `fields = (a, b)`.
fn fields(entry: &Entry, errors: &mut Errors) -> Option<Vec<Ident>> {
    let name = |expr: &Expr| match expr {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Lit(ExprLit { lit: Lit::Int(i), .. }) => {
            Some(Ident::new(&format!("field_{}", i.base10_digits()), i.span()))
        }
        _ => None,
    };
    let names = match &entry.value {
        Value::Expr(Expr::Tuple(tuple)) if !tuple.elems.is_empty() => {
            tuple.elems.iter().map(name).collect()
        }
        Value::Expr(Expr::Paren(one)) => name(&one.expr).map(|n| vec![n]),
        Value::Expr(one) => name(one).map(|n| vec![n]),
        _ => None,
    };
    match names {
        Some(names) => Some(names),
        None => entry.report_wrong_value("names of fields, as in `= (tenant, user)`", errors),
    }
}
