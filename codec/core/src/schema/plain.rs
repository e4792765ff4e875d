//! The plain bytes that are hashed, and the limits of the integer types.

use tallrow_layout::{Int, Type};

use super::value::Value;
use crate::encoding::HashBytes;

/// Calls `read` with the plain bytes of a value of the type `ty`, if it has any.
pub(super) fn feed(ty: &Type, value: &Value, read: impl FnOnce(&[u8])) {
    let id = |number: Option<u64>| number.unwrap_or(u64::MAX);
    match (ty, value) {
        (_, Value::Text(text)) => text.as_str().hash_bytes(read),
        (_, Value::Bytes(bytes)) => bytes.as_slice().hash_bytes(read),
        (_, Value::Uuid(bytes)) => bytes.hash_bytes(read),
        (Type::Uid(_), Value::Unsigned(number)) => id(u64::try_from(*number).ok()).hash_bytes(read),
        (Type::Uid(_), Value::Signed(number)) => id(u64::try_from(*number).ok()).hash_bytes(read),
        (Type::Int(int), Value::Unsigned(number)) => last(*int, number.to_be_bytes(), read),
        (Type::Int(int), Value::Signed(number)) => last(*int, number.to_be_bytes(), read),
        (Type::Int(int), Value::Time(time)) => last(*int, time.count.to_be_bytes(), read),
        _ => {}
    }
}

/// Calls `read` with the last bytes, as many as the type has: big-endian in its own width.
fn last(int: Int, bytes: [u8; 16], read: impl FnOnce(&[u8])) {
    read(bytes.get(16_usize.saturating_sub(int.bytes)..).unwrap_or_default());
}

/// Returns the largest number of a type.
pub(super) fn largest(int: Int) -> u128 {
    let bits = 8 * int.bytes.min(16) as u32 - u32::from(int.signed);
    u128::MAX >> (128 - bits)
}

/// Returns the smallest number of a type.
pub(super) fn least(int: Int) -> i128 {
    if int.signed { -1 - (largest(int) as i128) } else { 0 }
}
