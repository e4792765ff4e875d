//! The rules for the tags of an enum.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::field::{Limit, Type};
use crate::model::is_field_name;
use crate::tags::{Tag, Tags};

/// The maximum length of a tag that consists of bytes.
const MAX_LEN: usize = 8;

/// Returns the errors in the tags of an enum whose values are written as `ty`; each error has the
/// index of the variant.
pub fn check_tags(tags: &Tags, ty: &Type) -> Vec<(usize, String)> {
    let mut wrong = Vec::new();
    for (index, (tag, name)) in tags.list().iter().enumerate() {
        let before = tags.list().get(..index).unwrap_or_default();
        if let Some(message) = misfit(tag, ty.innermost()) {
            wrong.push((index, message));
        } else if let Some((_, other)) = before.iter().find(|(other, _)| other == tag) {
            let message = format!(
                "tag {tag} is already used by `{other}`, so their rows could not be distinguished"
            );
            wrong.push((index, message));
        }
        if !is_field_name(name) || before.iter().any(|(_, other)| other == name) {
            wrong.push((index, format!("{name:?} is not a name, or that of two variants")));
        }
    }
    wrong
}

/// Returns the reason why `tag` cannot be written as `ty`, or `None` if it can be.
fn misfit(tag: &Tag, ty: &Type) -> Option<String> {
    match (tag, ty) {
        (Tag::Number(number), Type::Int(int)) if !int.signed && int.limit == Limit::Any => {
            let wider = match int.bytes {
                1 | 2 | 4 if *number >> (8 * int.bytes) == 0 => return None,
                1 => "u16",
                2 => "u32",
                _ => return Some(format!("tag {number} is too large: the maximum is 4294967295")),
            };
            Some(format!(
                "tag {number} does not fit a u{}; use `tag_type = {wider}`",
                8 * int.bytes
            ))
        }
        (Tag::Bytes(bytes), Type::Array(len)) => match bytes.len() {
            0 => Some("a tag needs at least one byte".to_string()),
            found if found > MAX_LEN => Some(format!("a tag has at most {MAX_LEN} bytes")),
            found if found == *len => None,
            found => Some(format!(
                "all tags of an enum have the same length: this one has {found} bytes, not {len}"
            )),
        },
        (Tag::Number(_), Type::Array(_)) | (Tag::Bytes(_), Type::Int(_)) => {
            Some("the tags of an enum are all numbers or all texts".to_string())
        }
        _ => Some("only u8, u16, u32 and [u8; N] hold the tags of an enum".to_string()),
    }
}
