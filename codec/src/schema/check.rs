//! What a layout must be for a key to have it: the rules the derive checks.

use alloc::format;
use alloc::string::{String, ToString};

use super::field::{End, Field, ReverseTime};
use super::model::{DigestPart, KeyPrefix, SaltFunction, Schema};
use super::ty::{Int, Limit, Type};
use crate::order::OrderClass;

/// The longest row key HBase takes.
const LONGEST: usize = 32_767;

/// Checks `schema`; an error names the lead as item 0 and each field and kind of rows, in the order
/// they are written, from 1 on.
pub(super) fn check(schema: &Schema) -> Result<(), (usize, String)> {
    let mut item = 0;
    // A line of text is split at some of them, so a schema with one would not be read as it is written.
    for name in [Some(&schema.name), schema.table.as_ref()].into_iter().flatten() {
        if name.chars().any(char::is_control) {
            return Err((0, format!("{name:?} holds a control character, which no name does")));
        }
    }
    if let Err(message) = lead(schema) {
        return Err((0, message));
    }
    if schema.fields.is_empty() && schema.records.is_empty() {
        return Err((0, "a row key has at least one field".to_string()));
    }
    fields(&schema.fields, &[], schema.records.is_empty(), &mut item)?;
    for (index, record) in schema.records.iter().enumerate() {
        item += 1;
        let before = schema.records.get(..index).unwrap_or_default();
        let most = match schema.tag_width {
            1 => u8::MAX.into(),
            2 => u16::MAX.into(),
            _ => u32::MAX,
        };
        let message = if before.iter().any(|other| other.tag == record.tag) {
            format!("tag {} is taken by another kind of rows", record.tag)
        } else if before.iter().any(|other| other.name == record.name) {
            format!("{} names two kinds of rows", record.name)
        } else if !matches!(schema.tag_width, 1 | 2 | 4) {
            "a tag takes 1, 2 or 4 bytes".to_string()
        } else if record.tag > most {
            format!("tag {} does not fit {} bytes", record.tag, schema.tag_width)
        } else {
            fields(&record.fields, &schema.fields, true, &mut item)?;
            continue;
        };
        return Err((item, message));
    }
    Ok(())
}

/// Checks a list of fields that follow those of `front`; the last of all may be open at its end
/// where `last` says so.
fn fields(
    list: &[Field],
    front: &[Field],
    last: bool,
    item: &mut usize,
) -> Result<(), (usize, String)> {
    for (index, one) in list.iter().enumerate() {
        *item += 1;
        let own = *item;
        let before = list.get(..index).unwrap_or_default();
        if front.iter().chain(before).any(|other| other.name == one.name) {
            return Err((own, format!("{} names two fields", one.name)));
        }
        if let Type::Key(inner) = one.ty.innermost() {
            if inner.is_empty() {
                return Err((own, format!("the key in {} has no fields", one.name)));
            }
            fields(inner, &[], true, item)?;
        }
        field(one).map_err(|message| (own, message))?;
        let end = last && index + 1 == list.len();
        if !end && !one.is_prefix_free() {
            let message = format!(
                "only the last field may be open at its end: {} needs escaped, ended by or width",
                one.name
            );
            return Err((own, message));
        }
    }
    Ok(())
}

fn lead(schema: &Schema) -> Result<(), String> {
    let of = schema.lead.of();
    for (index, name) in of.iter().enumerate() {
        if !schema.fields.iter().any(|field| field.name == *name) {
            return Err(format!("{name:?} is no field that every row starts with"));
        }
        if of.get(..index).is_some_and(|before| before.contains(name)) {
            return Err(format!("{name} is named twice"));
        }
    }
    match &schema.lead {
        KeyPrefix::None => Ok(()),
        KeyPrefix::RandomSalt { buckets, first, width } => salt(*buckets, *first, *width),
        KeyPrefix::Salt { hash: SaltFunction::Modulo, of, .. } if of.len() != 1 => {
            Err("modulo takes one field".to_string())
        }
        KeyPrefix::Salt { buckets, first, width, .. } => salt(*buckets, *first, *width),
        KeyPrefix::HashPrefix { digest, of, .. } => {
            size(*digest)?;
            let fed = schema.fields.iter().filter(|field| of.contains(&field.name));
            match fed.into_iter().find(|field| {
                field.form.md5.is_some() || field.form.floor.is_some() || !is_plain(&field.ty)
            }) {
                Some(field) => Err(format!("{} cannot be hashed", field.name)),
                None => Ok(()),
            }
        }
    }
}

fn salt(buckets: u32, first: u32, width: usize) -> Result<(), String> {
    let space = u32::try_from(width).ok().filter(|width| *width < 4);
    let space = space.map_or(1 << 32, |width| 1_u64 << (8 * width));
    if !(1..=8).contains(&width) {
        Err("a salt takes 1 to 8 bytes".to_string())
    } else if !(2..=65_536).contains(&buckets) {
        Err("a salt has 2 to 65536 buckets".to_string())
    } else if u64::from(buckets) + u64::from(first) > space {
        Err(format!("{buckets} buckets from {first} on do not fit {width} bytes"))
    } else {
        Ok(())
    }
}

fn size(digest: DigestPart) -> Result<(), String> {
    let most = if digest.hex { 32 } else { 16 };
    if (1..=most).contains(&digest.len) {
        return Ok(());
    }
    Err("an md5 has 1 to 16 bytes or 1 to 32 hex digits".to_string())
}

/// Says whether a hash can be taken over values of a type.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Int(int) => !(int.signed && int.limit == Limit::NonZero),
        Type::Array(_) | Type::Uid(_) | Type::Uuid | Type::Text | Type::Bytes => true,
        _ => false,
    }
}

fn field(field: &Field) -> Result<(), String> {
    let form = &field.form;
    let inner = field.ty.innermost();
    let optional = matches!(field.ty, Type::Optional(_));
    let wrong = |message: &str| Err(message.to_string());
    if let Type::Array(len) | Type::Uid(len) | Type::Digest(len) = *inner
        && len > LONGEST
    {
        return wrong("a row key has at most 32767 bytes");
    }
    if let Type::Optional(some) = &field.ty
        && matches!(**some, Type::Optional(_) | Type::List(_) | Type::TagPairs { .. })
    {
        return wrong("an optional value holds no optional value, list or tags");
    }
    if form.world.is_some() {
        // What the other world takes, the derive has seen to.
        return if form.md5.is_some() || form.stamp.is_some() {
            wrong("a hash and a reverse timestamp have no other bytes")
        } else {
            ends(field)
        };
    }
    match &field.ty {
        ty if matches!(ty.innermost(), Type::Foreign(_)) => {
            return wrong("this type has the bytes of another world: as Phoenix, as OrderedBytes");
        }
        Type::List(item) => list(field, item)?,
        Type::TagPairs { key, value, .. } => {
            let half = |ty: &Type| {
                ty.width().is_some_and(|width| width > 0) && !matches!(ty, Type::Key(_))
            };
            if !half(key) || !half(value) || matches!(**key, Type::Float(_)) {
                return wrong("tags are pairs of numbers, bytes of one length, ids and the like");
            }
        }
        _ if form.marked => return wrong("marked is a form of lists"),
        _ => {}
    }
    let int = match inner {
        Type::Int(int) => Some(*int),
        _ => None,
    };
    let plain_int = int.filter(|int| int.limit == Limit::Any);
    if form.time.is_some() && (form.md5.is_some() || int.is_none_or(|int| int.bytes > 8)) {
        return wrong("a time is a number of up to 64 bits");
    }
    let text = matches!(inner, Type::Text);
    let others = form.end != End::Native
        || form.chars.is_some()
        || form.digits.is_some()
        || form.twos_complement
        || form.floor.is_some()
        || form.reversed
        || form.marked
        || form.descending;
    if let Some(md5) = form.md5 {
        size(md5)?;
        if others || form.stamp.is_some() {
            return wrong("an md5 has no other form");
        }
        return if is_plain(&field.ty) { Ok(()) } else { wrong("no md5 is taken of this type") };
    }
    if let Some(stamp) = form.stamp {
        let fits = |int: Int| int.bytes == 8 && (stamp == ReverseTime::Reverse || !int.signed);
        if others || optional || matches!(field.ty, Type::List(_)) {
            return wrong("a reverse timestamp has no other form");
        }
        return match plain_int {
            Some(int) if fits(int) => Ok(()),
            _ => wrong("a reverse timestamp is of i64 or u64, an inverted one of u64"),
        };
    }
    if form.end != End::Native && !text && !matches!(inner, Type::Bytes) {
        return wrong("escaped, ended by and width are forms of text and bytes");
    }
    if form.chars.is_some() && !text {
        return wrong("chars is for text");
    }
    ends(field)?;
    numbers(field, plain_int)?;
    if form.reversed && !text && form.digits.is_none() {
        return wrong("reversed is a form of text and digits");
    }
    if form.descending && !field.is_prefix_free() {
        return wrong("descending needs a field with an end: escaped, ended by or width");
    }
    if optional && field.order_ascending() != OrderClass::Natural {
        return wrong("an optional value is of a type and form that keep the order");
    }
    Ok(())
}

/// Checks that the items of a list can be told apart.
fn list(field: &Field, item: &Type) -> Result<(), String> {
    let wrong = |message: &str| Err(message.to_string());
    let nested = |ty: &Type| matches!(ty, Type::List(_) | Type::TagPairs { .. });
    match item {
        Type::Optional(some) if matches!(**some, Type::Optional(_)) || nested(some) => {
            return wrong("an optional value holds no optional value, list or tags");
        }
        item if nested(item) => return wrong("a list holds no lists or tags"),
        _ => {}
    }
    if field.form.floor.is_some() {
        return wrong("floor is for one number, not for a list");
    }
    let one = Field { ty: item.clone(), ..field.clone() };
    if !one.is_prefix_free() || one.width() == Some(0) {
        return wrong("the items of a list need an end: escaped, ended by or width");
    }
    if matches!(item, Type::Optional(_)) && one.order_ascending() != OrderClass::Natural {
        return wrong("an optional value is of a type and form that keep the order");
    }
    Ok(())
}

fn ends(field: &Field) -> Result<(), String> {
    match (field.form.end, field.form.chars) {
        (End::Width { width, .. }, _) if !(1..=LONGEST).contains(&width) => {
            Err("a width is 1 to 32767".to_string())
        }
        (End::Width { pad, .. } | End::Byte(pad), _) if !pad.is_ascii() => {
            Err("padding and ends are ASCII, up to 0x7f".to_string())
        }
        (End::Byte(end), Some(set)) if set >> end & 1 == 1 => {
            Err(format!("the field ends by {end:#04x}, so chars cannot hold it"))
        }
        (End::Width { pad, .. }, Some(set)) if pad != 0 && set & ((1 << pad) - 1) != 0 => {
            Err("padding sorts below all chars".to_string())
        }
        _ => Ok(()),
    }
}

fn numbers(field: &Field, int: Option<Int>) -> Result<(), String> {
    let form = &field.form;
    let wrong = |message: &str| Err(message.to_string());
    if let Some(digits) = form.digits {
        if int.is_none_or(|int| int.signed) || form.twos_complement {
            return wrong("digits are of u8 to u128");
        }
        if !(1..=39).contains(&digits) {
            return wrong("a number has 1 to 39 digits");
        }
    }
    if form.twos_complement && !int.is_some_and(|int| int.signed) {
        return wrong("two's complement is a form of i8 to i128");
    }
    match form.floor {
        Some(0) => wrong("the step of floor is 1 to 4294967295"),
        Some(_) => match int {
            Some(Int { bytes: 4 | 8, .. } | Int { bytes: 1 | 2, signed: false, .. }) => Ok(()),
            _ => wrong("floor is for u8 to u64, i32 and i64"),
        },
        None => Ok(()),
    }
}
