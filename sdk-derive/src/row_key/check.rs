//! The rules of a key: the rules of its layout, and the rules of its syntax.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use tallrow_layout::{Attribute, LintSettings, Part, Place, SaltOrHash, Type, Violation};

use super::field::Field;
use super::model::Key;
use super::{lookup, message};
use crate::kernel::{Errors, nearest, span};

/// Reports all errors of `key`, including `violations`, and all lints that it triggers. Returns
/// true if code can be generated for the key: if there are no errors, whatever the lints say.
/// Without code, there would be more errors where the key is used.
pub(super) fn report_problems(key: &Key, violations: Vec<Violation>, errors: &mut Errors) -> bool {
    for field in &key.fields {
        if !field.is_converted() {
            platform_dependent_width(field, errors);
            no_encoding(field, errors);
        }
        converted(field, errors);
    }
    parameters(key, errors);
    lookup::check(key, errors);
    // If the attributes of a field are wrong, a violation of the compatibility target may be only a
    // consequence of that error.
    let broken = |place: Place| field_of(key, place).is_some_and(|field| field.attr.broken);
    let own = tallrow_layout::check(&key.layout, &nearest).into_iter();
    let own = own.filter(|violation| !follows(key, violation.place));
    let advice = if key.attr.broken { Vec::new() } else { lint(key) };
    let given = violations.into_iter().filter(|violation| !broken(violation.place));
    report(key, given.chain(own), errors);
    let sound = errors.is_empty();
    report(key, advice, errors);
    sound
}

fn report(key: &Key, violations: impl IntoIterator<Item = Violation>, errors: &mut Errors) {
    for violation in violations {
        if let Some(span) = place_span(key, violation.place) {
            errors.report_at_span(span, message::with_derive_names(&violation.message));
        }
    }
}

fn lint(key: &Key) -> Vec<Violation> {
    let plans: Vec<_> = key.fields.iter().map(|field| field.plan.clone()).collect();
    tallrow_layout::lint(&key.layout, &plans, &lint_settings(key))
}

fn lint_settings(key: &Key) -> LintSettings {
    LintSettings {
        allow: key.attr.allow.clone(),
        monotonic: key.fields.iter().map(|field| field.attr.monotonic.is_some()).collect(),
        max_fixed_len: key.attr.max_fixed_len.as_ref().map(|max| max.value),
        salt_names_fields: key.attr.salt.as_ref().is_some_and(|s| s.value.fields.is_some()),
        newtype: is_newtype(key),
    }
}

/// Returns whether the key is a tuple struct with one field and without `schema_table`.
pub(super) fn is_newtype(key: &Key) -> bool {
    let unnamed = |field: &Field| matches!(field.member, syn::Member::Unnamed(_));
    key.attr.schema_table.is_none()
        && matches!(&key.fields[..], [field] if unnamed(field))
        && key.records.is_none()
}

/// Returns whether all new rows that start with the field of this newtype would go to one region.
pub(super) fn is_hotspot(key: &Key) -> bool {
    tallrow_layout::is_hotspot(&key.layout, &lint_settings(key))
}

/// Returns the first field, if only the compiler can find out whether its type is a newtype whose
/// values grow with time.
pub(super) fn possible_hotspot_field(key: &Key) -> Option<&Field> {
    let known = !tallrow_layout::may_be_hotspot(&key.layout, &lint_settings(key));
    key.leading_fields()
        .first()
        .filter(|first| first.encoding_assertion.is_some() && !first.is_converted() && !known)
}

/// Returns the hint about the first field of the key, if the name of this field suggests that it is
/// a time.
pub(super) fn time_name_hint(key: &Key) -> Option<String> {
    tallrow_layout::time_name_hint(&key.layout, &lint_settings(key))
}

/// Returns the field to which a place belongs, if it belongs to a field.
fn field_of(key: &Key, place: Place) -> Option<&Field> {
    match place {
        Place::Field(at) | Place::Type(at) | Place::Attribute(at, _) | Place::Digest(at) => {
            key.fields.get(at)
        }
        _ => None,
    }
}

/// Returns whether an error at `place` is about the type of a field and may be a consequence of
/// wrong attributes.
fn follows(key: &Key, place: Place) -> bool {
    let Place::Type(_) = place else { return false };
    field_of(key, place).is_some_and(|field| {
        field.attr.broken || (key.attr.broken && *field.kind.innermost() == Type::Text)
    })
}

/// Returns the span in the source for a place in the layout; `None` for a missing tag, which has
/// been reported already.
fn place_span(key: &Key, place: Place) -> Option<Span> {
    let attr = &key.attr;
    let record = |at: usize| key.records.as_ref().and_then(|records| records.list.get(at));
    let found = match place {
        Place::Key => None,
        Place::Table => span(&attr.schema_table),
        Place::TextSep => span(&attr.text_sep),
        Place::MaxFixedLen => span(&attr.max_fixed_len),
        Place::Prefix(part) => prefix_span(key, part),
        Place::Field(at) => key.fields.get(at).map(|field| field.ident.span()),
        Place::Type(at) => key.fields.get(at).map(Field::span),
        Place::Attribute(at, attribute) => key.fields.get(at).map(|field| {
            // The separator for all texts is not an attribute of the field itself.
            let inherited = (attribute == Attribute::Sep).then(|| field.ident.span());
            field.attr.span(attribute).or(inherited).unwrap_or(field.span())
        }),
        Place::Digest(at) => key.fields.get(at).and_then(|field| {
            let digest = field.attr.md5.as_ref()?;
            let size = digest.value.hex.as_ref().or(digest.value.bytes.as_ref());
            Some(size.map_or(digest.span, |size| size.span))
        }),
        Place::Record(at) => record(at).map(|record| record.ident.span()),
        Place::Tag(at) => return record(at)?.tag.as_ref().map(|tag| tag.span),
    };
    Some(found.unwrap_or(key.ident.span()))
}

fn prefix_span(key: &Key, part: Part) -> Option<Span> {
    let (whole, found, fields) = match (&key.attr.salt, &key.attr.hash_prefix) {
        (Some(salt), _) => {
            let found = match part {
                Part::Buckets => span(&salt.value.buckets),
                Part::BucketOffset => span(&salt.value.bucket_offset),
                Part::Width => span(&salt.value.width),
                Part::Hash => span(&salt.value.hash),
                _ => None,
            };
            (salt.span, found, &salt.value.fields)
        }
        (None, Some(hash)) => {
            let found = match part {
                Part::Digest => span(&hash.value.digest.hex)
                    .or(span(&hash.value.digest.bytes))
                    .or(span(&hash.value.md5)),
                Part::Sep => span(&hash.value.sep),
                _ => None,
            };
            (hash.span, found, &hash.value.fields)
        }
        (None, None) => return None,
    };
    let named = fields.as_ref().and_then(|fields| match part {
        Part::Fields => Some(fields.span),
        Part::Field(index) => fields.value.get(index).map(syn::Ident::span),
        _ => None,
    });
    Some(found.or(named).unwrap_or(whole))
}

fn parameters(key: &Key, errors: &mut Errors) {
    if let Some(lock) =
        key.attr.lock_file.as_ref().filter(|_| !key.params.has_no_type_or_const_params())
    {
        errors.report_at_span(lock.span, message::GENERIC_LOCK);
    }
    for field in key.generic_fields() {
        if field.hashed && matches!(key.layout.prefix, SaltOrHash::HashPrefix { .. }) {
            errors.report_at_tokens(&field.ty, message::GENERIC_HASH);
        }
        if borrows(field.ty.to_token_stream()) {
            errors.report_at_tokens(&field.ty, message::GENERIC_BORROW);
        }
    }
}

/// Returns whether a type contains a lifetime other than `'static`.
fn borrows(ty: TokenStream) -> bool {
    let mut tokens = ty.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let name = tokens.next();
                if name.is_none_or(|name| name.to_string() != "static") {
                    return true;
                }
            }
            TokenTree::Group(group) if borrows(group.stream()) => return true,
            _ => {}
        }
    }
    false
}

fn converted(field: &Field, errors: &mut Errors) {
    if field.generic && field.is_converted() {
        errors.report_at_tokens(&field.ty, message::UNIT_OR_VIA_GENERIC);
    }
    if let (Some(_), Some(display)) = (&field.attr.unit, &field.attr.display_time) {
        errors.report_at_span(display.span, message::UNIT_AND_DISPLAY);
    }
    if let (Some(truncate), None, false) =
        (&field.attr.truncate, &field.attr.unit, field.attr.broken)
    {
        errors.report_at_span(truncate.span, message::TRUNCATE_WITHOUT_UNIT);
    }
}

fn platform_dependent_width(field: &Field, errors: &mut Errors) {
    if let syn::Type::Path(path) = &field.ty
        && let Some(name) = path.path.get_ident()
        && (name == "usize" || name == "isize")
    {
        errors.report_at_tokens(name, message::platform_dependent_width(&name.to_string()));
    }
}

/// Reports a type that is known to have no encoding. For a type that the derive cannot resolve, the
/// compiler reports that the traits of the library are not implemented, in a longer message.
fn no_encoding(field: &Field, errors: &mut Errors) {
    const NAMES: [&str; 14] = [
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "VecDeque",
        "LinkedList",
        "BinaryHeap",
        "Box",
        "Rc",
        "Arc",
        "Duration",
        "Instant",
        "f16",
        "f128",
    ];
    if !matches!(field.kind, Type::Unknown(_)) {
        return;
    }
    let hopeless = match &field.ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            NAMES.contains(&name.as_str())
        }),
        syn::Type::Tuple(_) | syn::Type::Reference(_) | syn::Type::Slice(_) => true,
        syn::Type::Ptr(_) | syn::Type::BareFn(_) | syn::Type::TraitObject(_) => true,
        _ => false,
    };
    if hopeless {
        errors.report_at_tokens(&field.ty, message::NO_ENCODING);
    }
}
