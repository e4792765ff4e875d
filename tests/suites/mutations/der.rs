//! Messages in DER, built from their parts.

/// A value with its tag and its length.
pub(crate) fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let head = match len {
        0..128 => vec![tag, len as u8],
        128..256 => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [&head, content].concat()
}

/// The message with this number.
pub(crate) fn message(number: u8, fields: &[(u8, Vec<u8>)]) -> Vec<u8> {
    value(0x60 | number, &sequence(fields))
}

/// Fields, each with its number.
pub(crate) fn sequence(fields: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let fields: Vec<_> = fields.iter().map(|(number, field)| value(0xA0 | number, field)).collect();
    list(&fields)
}

pub(crate) fn list(values: &[Vec<u8>]) -> Vec<u8> {
    value(0x30, &values.concat())
}

pub(crate) fn integer(number: u32) -> Vec<u8> {
    let bytes = u64::from(number).to_be_bytes();
    // A first bit that is set would be a sign.
    let first = (0..7).find(|at| bytes[*at] != 0 || bytes[at + 1] >= 0x80).unwrap_or(7);
    value(0x02, &bytes[first..])
}

pub(crate) fn octets(bytes: &[u8]) -> Vec<u8> {
    value(0x04, bytes)
}

pub(crate) fn text(text: &str) -> Vec<u8> {
    value(0x1B, text.as_bytes())
}

/// A time such as `20260101000000Z`.
pub(crate) fn time(time: &str) -> Vec<u8> {
    value(0x18, time.as_bytes())
}

/// The name of a principal.
pub(crate) fn name(components: &[&str]) -> Vec<u8> {
    let components: Vec<_> = components.iter().map(|component| text(component)).collect();
    sequence(&[(0, integer(1)), (1, list(&components))])
}
