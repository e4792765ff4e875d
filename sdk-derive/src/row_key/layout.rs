//! The layout that the syntax of a key describes.

use syn::Ident;
use syn::ext::IdentExt;
use tallrow_layout::{
    Attributes, CompatTarget, DigestPart, Layout, RevTsKind, SaltFunction, SaltOrHash, Unit,
};

use super::attr::{DigestAttr, HashAttr, KeyAttr, RowKeyAttr, SaltAttr};
use super::field::Field;
use super::message;
use super::record::{Record, Records};
use crate::kernel::{Errors, Spanned};

/// Returns the layout of a key, and reports attributes that no layout can represent.
pub(super) fn of(
    ident: &Ident,
    fields: &[Field],
    records: Option<&Records>,
    attr: &RowKeyAttr,
    errors: &mut Errors,
) -> Layout {
    let fields: Vec<tallrow_layout::Field> = fields.iter().map(|f| field(f, errors)).collect();
    let shared = fields.get(..records.map_or(fields.len(), |r| r.shared)).unwrap_or_default();
    let record = |(index, record): (u64, &Record)| {
        // A missing tag has been reported already, so any tag that no other variant has can replace
        // it.
        let tag = record.tag.as_ref().map_or(u64::MAX - index, |tag| tag.value);
        let own = fields.get(record.fields.clone()).unwrap_or_default();
        tallrow_layout::RecordVariant::new(record.name(), tag, own.to_vec())
    };
    Layout {
        name: ident.unraw().to_string(),
        table: attr.schema_table.as_ref().map(|table| table.value.value()),
        number: attr.layout.as_ref().map(|number| number.value),
        compat: attr.compat(),
        text_sep: attr.text_sep.as_ref().map(|sep| sep.value),
        prefix: prefix(attr, shared, errors),
        fields: shared.to_vec(),
        records: (0..).zip(records.iter().flat_map(|records| &records.list)).map(record).collect(),
        tag_width: attr.tag_type.as_ref().map_or(1, |bytes| bytes.value),
    }
}

fn field(field: &Field, errors: &mut Errors) -> tallrow_layout::Field {
    let attributes = attributes(&field.attr, errors);
    tallrow_layout::Field::new(field.name.clone(), field.kind.clone(), attributes)
}

fn attributes(attr: &KeyAttr, errors: &mut Errors) -> Attributes {
    let rev_ts: Option<RevTsKind> = attr.rev_ts.as_ref().map(|given| given.value);
    Attributes {
        compat: None,
        md5: attr.md5.as_ref().map(|md5| digest(&md5.value, errors)),
        rev_ts,
        escaped: attr.escaped.is_some(),
        nul_terminated: attr.nul_terminated.is_some(),
        sep: attr.sep.as_ref().map(|sep| sep.value),
        width: attr.width.as_ref().map(size),
        pad: attr.pad.as_ref().map(|pad| pad.value),
        chars: attr.chars.as_ref().and_then(|chars| set(&chars.value, errors)),
        digits: attr.digits.as_ref().map(size),
        raw_be: attr.raw_be.is_some(),
        floor: attr.floor.as_ref().map(|step| step.value),
        reverse: attr.reverse.is_some(),
        terminated: attr.terminated_list.is_some(),
        desc: attr.desc.is_some(),
        // A reverse timestamp counts milliseconds.
        display_time: attr
            .display_time
            .as_ref()
            .or(attr.unit.as_ref())
            .map(|unit| unit.value)
            .or(rev_ts.map(|_| Unit::Millis)),
    }
}

fn size(number: &Spanned<u64>) -> usize {
    usize::try_from(number.value).unwrap_or(usize::MAX)
}

fn digest(attr: &DigestAttr, errors: &mut Errors) -> DigestPart {
    match (&attr.bytes, &attr.hex) {
        (Some(_), Some(hex)) => {
            errors.report_at_span(hex.span, message::DIGEST_IN_BYTES_AND_HEX);
            DigestPart { hex: true, len: size(hex) }
        }
        (None, Some(hex)) => DigestPart { hex: true, len: size(hex) },
        (Some(bytes), None) => DigestPart { hex: false, len: size(bytes) },
        (None, None) => DigestPart { hex: false, len: 16 },
    }
}

/// Returns the set of the characters that `chars` lists; `a-z` lists all characters from `a` to
/// `z`.
fn set(chars: &syn::LitStr, errors: &mut Errors) -> Option<u128> {
    let text = chars.value();
    if !text.is_ascii() {
        errors.report_at_tokens(chars, message::CHARS_NOT_ASCII);
        return None;
    }
    let mut set = 0;
    let mut rest = text.as_bytes();
    loop {
        let (from, to);
        (from, to, rest) = match rest {
            [from, b'-', to, tail @ ..] => (*from, *to, tail),
            [one, tail @ ..] => (*one, *one, tail),
            [] => return Some(set),
        };
        if from > to {
            errors.report_at_tokens(chars, message::chars_reversed(from.into(), to.into()));
            return None;
        }
        set |= (from..=to).fold(0, |set, byte| set | 1 << byte);
    }
}

fn prefix(attr: &RowKeyAttr, fields: &[tallrow_layout::Field], errors: &mut Errors) -> SaltOrHash {
    match (&attr.salt, &attr.hash_prefix) {
        (None, None) => SaltOrHash::None,
        (Some(salt), None) => self::salt(&salt.value, attr.compat(), fields, errors),
        (None, Some(hash)) => hash_prefix(&hash.value, fields, errors),
        (Some(_), Some(hash)) => {
            errors.report_at_span(hash.span, message::SALT_AND_HASH);
            SaltOrHash::None
        }
    }
}

fn salt(
    salt: &SaltAttr,
    compat: Option<CompatTarget>,
    fields: &[tallrow_layout::Field],
    errors: &mut Errors,
) -> SaltOrHash {
    let number = |given: &Option<Spanned<u64>>, default| {
        given.as_ref().map_or(default, |n| u32::try_from(n.value).unwrap_or(u32::MAX))
    };
    let buckets = number(&salt.buckets, 2);
    let bucket_offset = number(&salt.bucket_offset, 0);
    let width = salt.width.as_ref().map_or(1, size);
    if salt.random.is_some() {
        if let Some(fields) = &salt.fields {
            errors.report_at_span(fields.span, message::RANDOM_SALT_WITH_FIELDS);
        }
        if let Some(hash) = &salt.hash {
            errors.report_at_span(hash.span, message::RANDOM_SALT_WITH_HASH);
        }
        return SaltOrHash::RandomSalt { buckets, bucket_offset, width };
    }
    let default = match compat {
        Some(CompatTarget::Phoenix) => SaltFunction::JavaArraysHash,
        _ => SaltFunction::Fnv1a,
    };
    let hash = salt.hash.as_ref().map_or(default, |hash| hash.value);
    let fields = hashed(&salt.fields, fields);
    SaltOrHash::Salt { buckets, bucket_offset, width, hash, fields }
}

fn hash_prefix(
    hash: &HashAttr,
    fields: &[tallrow_layout::Field],
    errors: &mut Errors,
) -> SaltOrHash {
    let digest = digest(&hash.digest, errors);
    let sep = hash.sep.as_ref().map(|sep| sep.value);
    SaltOrHash::HashPrefix { digest, sep, fields: hashed(&hash.fields, fields) }
}

/// Returns the names of the fields from which a key prefix is computed: the given names or, without
/// them, the names of all fields.
fn hashed(given: &Option<Spanned<Vec<Ident>>>, all: &[tallrow_layout::Field]) -> Vec<String> {
    let known = |name: &str| all.iter().any(|field| field.name() == name);
    let name = |ident: &Ident| {
        let name = ident.unraw().to_string();
        match name.strip_prefix("field_") {
            // The field has a number, which is not an identifier, so it was read as
            // `field_<number>`.
            Some(number) if !known(&name) => number.to_owned(),
            _ => name,
        }
    };
    match given {
        Some(names) => names.value.iter().map(name).collect(),
        None => all.iter().map(|field| field.name().to_owned()).collect(),
    }
}
