//! The rules for the key prefix.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::context;
use crate::attributes::{Attribute, DigestPart};
use crate::field::{Field, Type};
use crate::key_prefix::{SaltFunction, SaltOrHash};
use crate::model::Layout;
use crate::model::{MAX_BUCKETS, MAX_SALT_WIDTH};
use crate::violation::{Part, Place, Suggest, Violations};

pub(super) fn check(layout: &Layout, suggest: Suggest<'_>, violations: &mut Violations) {
    names(layout, suggest, violations);
    match &layout.prefix {
        SaltOrHash::None => {}
        SaltOrHash::RandomSalt { buckets, bucket_offset, width } => {
            salt(*buckets, *bucket_offset, *width, violations);
        }
        SaltOrHash::Salt { buckets, bucket_offset, width, hash, fields } => {
            salt(*buckets, *bucket_offset, *width, violations);
            if *hash == SaltFunction::Modulo {
                modulo(layout, fields, violations);
            }
        }
        SaltOrHash::HashPrefix { digest, .. } => hash(layout, *digest, violations),
    }
}

/// Checks the names of the hashed fields: each must be the name of a field that every row starts
/// with, and may be given only once.
fn names(layout: &Layout, suggest: Suggest<'_>, violations: &mut Violations) {
    let known: Vec<&str> = layout.fields.iter().map(Field::name).collect();
    let names = layout.prefix.fields();
    for (index, name) in names.iter().enumerate() {
        let place = Place::Prefix(Part::Field(index));
        if !known.contains(&name.as_str()) {
            violations.add(place, no_such_field(name, &known, suggest));
        } else if names.get(..index).is_some_and(|before| before.contains(name)) {
            violations.add(place, format!("`{name}` is given twice; remove one"));
        }
    }
}

fn no_such_field(name: &str, known: &[&str], suggest: Suggest<'_>) -> String {
    let number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    match suggest(name, known) {
        _ if number(name) => {
            format!(
                "there is no field {name}: the fields are 0 to {}",
                known.len().saturating_sub(1)
            )
        }
        _ if known.iter().all(|known| number(known)) => {
            format!(
                "there is no field `{name}`: these fields are numbered, as in `fields = (0, 1)`"
            )
        }
        Some(nearest) => format!("there is no field `{name}`; did you mean `{nearest}`?"),
        None => format!("there is no field `{name}` that every row starts with"),
    }
}

fn salt(buckets: u32, offset: u32, width: usize, violations: &mut Violations) {
    let mut add = |part, text: String| violations.add(Place::Prefix(part), text);
    let space = match width {
        0..4 => 1_u64 << (8 * width),
        _ => 1 << 32,
    };
    if !(1..=MAX_SALT_WIDTH).contains(&width) {
        add(Part::Width, format!("a salt is 1 to {MAX_SALT_WIDTH} bytes wide"));
    } else if buckets < 2 {
        add(Part::Buckets, "a salt needs at least 2 buckets; remove it to have none".into());
    } else if buckets > MAX_BUCKETS {
        let text = format!(
            "a salt has at most {MAX_BUCKETS} buckets, because every scan reads a range for each"
        );
        add(Part::Buckets, text);
    } else if u64::from(buckets) > space {
        let text = format!(
            "{buckets} buckets do not fit a salt of width {width}, which holds {space}; add `width \
             = {}`",
            width + 1
        );
        add(Part::Buckets, text);
    } else if u64::from(buckets) + u64::from(offset) > space {
        let text = format!(
            "{buckets} buckets from {offset} on do not fit a salt of width {width}; add `width = \
             {}` or reduce `bucket_offset`",
            width + 1
        );
        add(Part::BucketOffset, text);
    }
}

fn modulo(layout: &Layout, names: &[String], violations: &mut Violations) {
    let counts = |field: &Field| match field.ty() {
        Type::Int(int) => !int.signed,
        ty => ty.is_unknown(),
    };
    let field = |name: &String| layout.fields.iter().find(|field| field.name() == name);
    let one = match names {
        // `names` reports unknown names.
        [name] => field(name).is_none_or(counts),
        _ => false,
    };
    if !one {
        violations.add(
            Place::Prefix(Part::Hash),
            "`hash = modulo` takes a single unsigned number, as in `fields = (id)`",
        );
    }
}

fn hash(layout: &Layout, digest: DigestPart, violations: &mut Violations) {
    context::digest(digest, Place::Prefix(Part::Digest), violations);
    let mut at = 0;
    for one in &layout.fields {
        let own = at;
        at += 1 + nested(one);
        if !layout.prefix.hashes(one) {
            continue;
        }
        if one.attributes().md5.is_some() {
            violations.add(
                Place::Attribute(own, Attribute::Md5),
                "this field holds a digest, which already spreads the rows: no hash prefix of it \
                 is needed",
            );
        }
        if one.attributes().floor.is_some() {
            violations.add(
                Place::Attribute(own, Attribute::Floor),
                "the hash is of the exact value, but the row stores only the rounded value, so it \
                 could not be decoded; hash other fields",
            );
        }
        if !one.ty().is_hashable() {
            let text = format!(
                "the hash is of the plain bytes of text, bytes and integers; `{}` is none of them",
                one.name()
            );
            violations.add(Place::Type(own), text);
        }
    }
}

/// Returns the number of fields of all nested keys in a field.
fn nested(field: &Field) -> usize {
    field.ty().inner_fields().iter().map(|inner| 1 + nested(inner)).sum()
}
