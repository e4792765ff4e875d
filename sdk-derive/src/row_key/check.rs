//! The rules that hold between attributes, types and fields.

use super::attr::RevTs;
use super::compat::CompatTarget;
use super::message;
use super::model::{End, Field, Key, KeyPrefix, Lifetimes, set_of};
use super::shape::Shape;
use crate::kernel::{Errors, Spanned};

/// Reports everything that is wrong with `key`.
pub(super) fn check(key: &Key, errors: &mut Errors) {
    for field in &key.fields {
        machine_width(field, errors);
        no_form(field, errors);
        time(field, errors);
        if field.attr.md5.is_some() {
            md5(field, errors);
            continue;
        }
        rev_ts(field, errors);
        ends(field, errors);
        chars(field, errors);
        separator(key, field, errors);
        numbers(field, errors);
        order(key, field, errors);
        list(field, errors);
        last(key, field, errors);
    }
    parameters(key, errors);
    lead(key, errors);
    hotspot(key, errors);
    length(key, errors);
}

fn parameters(key: &Key, errors: &mut Errors) {
    if let Some(lock) = key.attr.lock_file.as_ref().filter(|_| !key.params.is_empty()) {
        errors.at(lock.span, message::GENERIC_LOCK);
    }
    for field in key.generic_fields() {
        if field.feeds && matches!(key.lead, KeyPrefix::Hash { .. }) {
            errors.on(&field.ty, message::GENERIC_HASH);
        }
        let ty = field.ty(Lifetimes::Own).to_string();
        if field.ty(Lifetimes::Static).to_string() != ty {
            errors.on(&field.ty, message::GENERIC_BORROW);
        }
    }
}

fn machine_width(field: &Field, errors: &mut Errors) {
    if let syn::Type::Path(path) = &field.ty
        && let Some(name) = path.path.get_ident()
        && (name == "usize" || name == "isize")
    {
        errors.on(name, message::machine_width(&name.to_string()));
    }
}

/// Reports types that are known to have no form; of types the derive does not know, the traits of
/// the library report it, at more length.
fn no_form(field: &Field, errors: &mut Errors) {
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
    if field.shape != Shape::Other {
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
        errors.on(&field.ty, message::NO_ENCODING);
    }
}

fn md5(field: &Field, errors: &mut Errors) {
    let attr = &field.attr;
    let flags = [&attr.escaped, &attr.nul_terminated, &attr.reverse, &attr.desc, &attr.raw_be]
        .into_iter()
        .flatten()
        .map(|s| s.span);
    let numbers = [&attr.width, &attr.digits, &attr.floor].into_iter().flatten().map(|s| s.span);
    let bytes = [&attr.pad, &attr.sep].into_iter().flatten().map(|s| s.span);
    let rest = attr.chars.iter().map(|s| s.span).chain(attr.rev_ts.iter().map(|s| s.span));
    if let Some(span) = flags.chain(numbers).chain(bytes).chain(rest).next() {
        errors.at(span, message::MD5_MIXED);
    }
    if let Some(md5) = &attr.md5 {
        if matches!(
            field.shape,
            Shape::Float(_) | Shape::Bool | Shape::Char | Shape::Maybe(_) | Shape::List(_)
        ) {
            errors.at(md5.span, message::MD5_ON_OTHERS);
        }
        digest(md5.value.bytes.as_ref(), md5.value.hex.as_ref(), errors);
    }
}

fn digest(bytes: Option<&Spanned<u64>>, hex: Option<&Spanned<u64>>, errors: &mut Errors) {
    if let (Some(_), Some(hex)) = (bytes, hex) {
        errors.at(hex.span, message::DIGEST_MIXED);
    }
    if let Some(bytes) = bytes.filter(|b| !(1..=16).contains(&b.value)) {
        errors.at(bytes.span, message::DIGEST_BYTES);
    }
    if let Some(hex) = hex.filter(|h| !(1..=32).contains(&h.value)) {
        errors.at(hex.span, message::DIGEST_HEX);
    }
}

fn rev_ts(field: &Field, errors: &mut Errors) {
    let Some(rev_ts) = &field.attr.rev_ts else { return };
    let fits = match &field.shape {
        Shape::Int(int) => int.bytes == 8 && (rev_ts.value == RevTs::Max || !int.signed),
        Shape::Other => true,
        _ => false,
    };
    if !fits {
        let text = match rev_ts.value {
            RevTs::Max => message::REV_TS_TYPE,
            RevTs::Inverted => message::REV_TS_INVERTED_TYPE,
        };
        errors.at(field.span(), text);
    }
    if let Some(desc) = &field.attr.desc {
        errors.at(desc.span, message::DESC_AND_REV_TS);
    }
    if let Some(span) = first_end(field).or(field.attr.reverse.as_ref().map(|r| r.span)) {
        errors.at(span, message::REV_TS_MIXED);
    }
}

/// Returns the place of the first attribute that says how a text ends.
fn first_end(field: &Field) -> Option<proc_macro2::Span> {
    let attr = &field.attr;
    let escaped = attr.escaped.as_ref().map(|s| s.span);
    let end = attr.nul_terminated.as_ref().map(|s| s.span);
    let width = attr.width.as_ref().map(|s| s.span);
    let sep = attr.sep.as_ref().map(|s| s.span);
    escaped.or(end).or(width).or(sep)
}

fn ends(field: &Field, errors: &mut Errors) {
    let attr = &field.attr;
    let given = [
        attr.escaped.as_ref().map(|s| s.span),
        attr.nul_terminated.as_ref().map(|s| s.span),
        attr.width.as_ref().map(|s| s.span),
        attr.sep.as_ref().map(|s| s.span),
    ];
    let given: Vec<_> = given.into_iter().flatten().collect();
    if let [_, second, ..] = given.as_slice() {
        errors.at(*second, message::TWO_ENDS);
    }
    let shape = innermost(&field.shape);
    let plain_number = !shape.is_text_or_bytes() && *shape != Shape::Other;
    if plain_number && attr.rev_ts.is_none() {
        let other = attr.pad.as_ref().map(|s| s.span).or(attr.chars.as_ref().map(|s| s.span));
        if let Some(span) = given.first().copied().or(other) {
            errors.at(span, message::END_ON_NUMBER);
        }
    }
    match &attr.width {
        Some(width) if width.value == 0 => errors.at(width.span, message::WIDTH_ZERO),
        Some(width) if width.value > 32_767 => errors.at(width.span, message::WIDTH_HUGE),
        Some(_) => {}
        None => {
            if let Some(pad) = &attr.pad {
                errors.at(pad.span, message::PAD_WITHOUT_WIDTH);
            }
        }
    }
}

/// Reports a hint that says a time where no number of the key is one.
fn time(field: &Field, errors: &mut Errors) {
    let Some(time) = &field.attr.display_time else { return };
    let counts = match innermost(&field.shape) {
        Shape::Int(int) => int.bytes <= 8,
        other => *other == Shape::Other,
    };
    if field.attr.md5.is_some() || !counts {
        errors.at(time.span, message::DISPLAY_TIME_ON_OTHERS);
    }
}

fn numbers(field: &Field, errors: &mut Errors) {
    let attr = &field.attr;
    let int = match innermost(&field.shape) {
        Shape::Int(int) => Some(*int),
        Shape::Other => return,
        _ => None,
    };
    if let Some(raw_be) = &attr.raw_be
        && !int.is_some_and(|int| int.signed)
    {
        errors.at(raw_be.span, message::RAW_BE_ON_UNSIGNED);
    }
    if let Some(digits) = &attr.digits {
        if int.is_none_or(|int| int.signed) {
            errors.at(digits.span, message::DIGITS_ON_OTHERS);
        }
        if !(1..=39).contains(&digits.value) {
            errors.at(digits.span, message::DIGITS_COUNT);
        }
        if let Some(raw_be) = &attr.raw_be {
            errors.at(raw_be.span, message::DIGITS_MIXED);
        }
    }
    if let Some(floor) = &attr.floor {
        if int.is_none_or(|int| int.bytes > 8) {
            errors.at(floor.span, message::FLOOR_ON_OTHERS);
        }
        if floor.value == 0 || floor.value > u64::from(u32::MAX) {
            errors.at(floor.span, message::FLOOR_STEP);
        }
    }
}

fn innermost(shape: &Shape) -> &Shape {
    match shape {
        Shape::Maybe(some) | Shape::List(some) => innermost(some),
        other => other,
    }
}

/// Reports lists whose items, or whose own end, could not be found again.
fn list(field: &Field, errors: &mut Errors) {
    let attr = &field.attr;
    let Shape::List(item) = &field.shape else {
        if let Some(marked) = &attr.terminated {
            errors.at(marked.span, message::TERMINATED_ON_OTHERS);
        }
        if matches!(&field.shape, Shape::Maybe(some) if matches!(**some, Shape::List(_))) {
            errors.on(&field.ty, message::OPTIONAL_LIST);
        }
        return;
    };
    if matches!(&**item, Shape::List(_)) {
        errors.on(&field.ty, message::LIST_OF_LISTS);
    } else if field.end == End::Native && item.is_open() && !attr.broken {
        errors.on(&field.ty, message::OPEN_ITEMS);
    }
    if let Some(floor) = &attr.floor {
        errors.at(floor.span, message::FLOOR_ON_LIST);
    }
    if attr.terminated.is_none() && !attr.broken {
        if !field.last {
            errors.on(&field.ty, message::list_in_the_middle(&field.name));
        } else if let Some(desc) = &attr.desc {
            errors.at(desc.span, message::DESC_ON_LIST);
        }
    }
}

fn chars(field: &Field, errors: &mut Errors) {
    let Some(chars) = &field.attr.chars else { return };
    if matches!(innermost(&field.shape), Shape::Bytes(_)) {
        errors.at(chars.span, message::CHARS_ON_BYTES);
    }
    let text = chars.value.value();
    let span = chars.value.span();
    if text.is_empty() {
        errors.at(span, message::CHARS_EMPTY);
    } else if !text.is_ascii() {
        errors.at(span, message::CHARS_NOT_ASCII);
    } else {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            rest = match rest {
                [from, b'-', to, tail @ ..] => {
                    if from > to {
                        let (from, to) = (char::from(*from), char::from(*to));
                        errors.at(span, message::chars_reversed(from, to));
                    }
                    tail
                }
                other => other.get(1..).unwrap_or_default(),
            };
        }
    }
    let least = set_of(&text).into_iter().min();
    if let (Some(pad), Some(least)) = (&field.attr.pad, least)
        && pad.value > least
    {
        errors.at(pad.span, message::pad_above(char::from(pad.value)));
    }
}

fn separator(key: &Key, field: &Field, errors: &mut Errors) {
    let End::Sep { sep, sorted } = field.end else { return };
    let own = field.attr.sep.as_ref().map(|s| s.span);
    if matches!(innermost(&field.shape), Shape::Bytes(_)) {
        errors.at(own.unwrap_or(field.span()), message::SEP_ON_BYTES);
        return;
    }
    let text = innermost(&field.shape);
    if !text.is_text() && *text != Shape::Other {
        return;
    }
    let character = char::from(sep);
    if let Some(chars) = &field.attr.chars
        && set_of(&chars.value.value()).contains(&sep)
    {
        errors.at(chars.value.span(), message::sep_in_chars(character));
        return;
    }
    if !sorted && !key.attr.allowed("unsorted_text") {
        errors.at(own.unwrap_or(field.ident.span()), message::sep_above(character, &field.name));
    }
}

fn order(key: &Key, field: &Field, errors: &mut Errors) {
    let attr = &field.attr;
    let shape = innermost(&field.shape);
    if let Some(reverse) = &attr.reverse
        && !shape.is_text()
        && *shape != Shape::Other
        && attr.digits.is_none()
    {
        errors.at(reverse.span, message::REVERSE_ON_NUMBER);
    }
    if let Some(desc) = &attr.desc
        && field.end == End::Native
        && key.attr.compat().is_none()
        && shape.is_open()
    {
        errors.at(desc.span, message::DESC_ON_RAW);
    }
}

fn last(key: &Key, field: &Field, errors: &mut Errors) {
    let open = field.end == End::Native && field.shape.is_open() && field.attr.rev_ts.is_none();
    // Most targets end a text by themselves, or have refused it; `Bytes` does not.
    let open = open && key.attr.compat().is_none_or(|target| target == CompatTarget::Hbase);
    let unclear = field.attr.broken || (key.attr.broken && field.shape.is_text());
    if !field.last && open && !unclear {
        let text = match key.attr.compat() {
            Some(_) => message::open_in_the_middle_of_hbase(&field.name),
            None => message::open_in_the_middle(&field.name),
        };
        errors.at(field.span(), text);
    }
}

fn lead(key: &Key, errors: &mut Errors) {
    if let Some(salt) = &key.attr.salt {
        let salt = &salt.value;
        let width = salt.width.as_ref().map_or(1, |w| w.value);
        if let Some(given) = salt.width.as_ref().filter(|w| !(1..=8).contains(&w.value)) {
            errors.at(given.span, message::SALT_WIDTH);
        } else if let Some(buckets) = &salt.buckets {
            if buckets.value < 2 {
                errors.at(buckets.span, message::SALT_NO_BUCKETS);
            } else if buckets.value > 65_536 {
                errors.at(buckets.span, message::SALT_TOO_MANY);
            } else if width < 4 && buckets.value > 1 << (8 * width) {
                errors.at(buckets.span, message::too_many_buckets(buckets.value, width));
            } else if let Some(first) = &salt.bucket_offset {
                let space = 1 << (8 * width.min(4));
                if buckets.value.checked_add(first.value).is_none_or(|all| all > space) {
                    let text = message::salt_space(first.value, buckets.value, width);
                    errors.at(first.span, text);
                }
            }
        }
        if salt.random.is_some() {
            if let Some(of) = &salt.fields {
                errors.at(of.span, message::RANDOM_FIELDS);
            }
            if let Some(hash) = &salt.hash {
                errors.at(hash.span, message::RANDOM_HASH);
            }
        }
        let mut salted = key.fields.iter().filter(|f| f.feeds).peekable();
        if let Some(of) = &salt.fields
            && salted.peek().is_some()
            && salt.hash.as_ref().is_none_or(|h| h.value != "modulo")
            && salted.all(rises)
        {
            errors.at(of.span, message::SALT_MONOTONIC_ONLY);
        }
    }
    if let Some(hash) = key.attr.salt.as_ref().and_then(|s| s.value.hash.as_ref())
        && hash.value == "modulo"
        && !key.lead.is_random()
    {
        let unsigned = |f: &Field| match f.shape {
            Shape::Int(int) => !int.signed,
            Shape::Other => true,
            _ => false,
        };
        let mut of = key.fields.iter().filter(|f| f.feeds);
        if !matches!((of.next(), of.next()), (Some(one), None) if unsigned(one)) {
            errors.at(hash.span, message::MODULO_FIELDS);
        }
    }
    if let Some(hash) = &key.attr.hash_prefix {
        digest(hash.value.digest.bytes.as_ref(), hash.value.digest.hex.as_ref(), errors);
        for field in key.fields.iter().filter(|f| f.feeds) {
            if let Some(md5) = &field.attr.md5 {
                errors.at(md5.span, message::HASH_OF_HASHED);
            }
            if let Some(floor) = &field.attr.floor {
                errors.at(floor.span, message::HASH_OF_FLOORED);
            }
        }
    }
}

/// Says whether the values of a field grow as time goes by, as far as its attributes tell.
fn rises(field: &Field) -> bool {
    let attr = &field.attr;
    let spread = attr.md5.is_some() || attr.reverse.is_some();
    let rising = attr.monotonic.is_some() || attr.rev_ts.is_some() || attr.display_time.is_some();
    rising && !spread
}

fn hotspot(key: &Key, errors: &mut Errors) {
    let Some(first) = key.front().first() else { return };
    if matches!(key.lead, KeyPrefix::None) && rises(first) && !key.attr.allowed("hotspot") {
        errors.on(&first.ident, message::HOTSPOT);
    }
}

/// Returns the first field when only its name says that it grows with time: no error, but a hint.
pub(super) fn named_as_time(key: &Key) -> Option<&Field> {
    const NAMES: [&str; 5] = ["ts", "time", "timestamp", "created", "created_at"];
    let first = key.front().first()?;
    let spread = first.attr.md5.is_some() || first.attr.reverse.is_some();
    let hot = matches!(first.shape, Shape::Int(_))
        && NAMES.contains(&first.name.as_str())
        && matches!(key.lead, KeyPrefix::None);
    (hot && !spread && !key.attr.allowed("hotspot")).then_some(first)
}

/// The length past which a row key, which HBase stores again with every cell, deserves a second look.
const LONG: usize = 100;

fn length(key: &Key, errors: &mut Errors) {
    // What is sure to be there: each kind of rows has at least the shared fields and its tag.
    let own = key.records.as_ref().map_or(0, |records| records.tag.bytes());
    let fields: usize = key.front().iter().filter_map(Field::width).sum();
    let least = key.lead.len() + fields + own;
    match &key.attr.max_fixed_len {
        Some(max) if u64::try_from(least).is_ok_and(|least| least > max.value) => {
            errors.at(max.span, message::longer_than_max(least, max.value));
        }
        None if least > LONG && !key.attr.allowed("long_key") => {
            errors.on(&key.ident, message::long(least));
        }
        _ => {}
    }
}
