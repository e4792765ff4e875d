//! The fingerprint of a row key's layout, and how it is computed from the lines of a schema.
//!
//! All functions in this module can also run while a key type is compiled.
#![expect(
    clippy::indexing_slicing,
    reason = "const code has no `get`; each index is compared with the length"
)]

/// Returns the fingerprint of a schema's text: the 64-bit FNV-1a hash of the lines that have a name
/// and a colon. The names, `display_time` and `tags` are not hashed.
///
/// For each such line, these bytes are hashed: a `*` if the line of the key prefix lists the name,
/// the spaces before the name, the rest of the line from the colon on, and a line end.
pub const fn fingerprint(text: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut hashed: &[u8] = b"";
    let mut rest = text;
    while !rest.is_empty() {
        let line;
        (line, rest) = first_line(rest);
        if is_head(line) {
            continue;
        }
        let Some(colon) = colon(line) else { continue };
        let (front, encoding) = line.split_at(colon);
        let (indent, name) = front.split_at(spaces(front));
        if let Some(names) = strip_prefix(name, b"salt of ") {
            hashed = names;
        } else if let Some(names) = strip_prefix(name, b"hash_prefix of ") {
            hashed = names;
        } else if indent.is_empty() && lists(hashed, name) {
            hash = fold(hash, b"*");
        }
        hash = fold(hash, indent);
        hash = fold(hash, hashed_part(encoding));
        hash = fold(hash, b"\n");
    }
    hash
}

const fn fold(mut hash: u64, mut bytes: &[u8]) -> u64 {
    while let [first, rest @ ..] = bytes {
        hash = (hash ^ *first as u64).wrapping_mul(0x0000_0100_0000_01b3);
        bytes = rest;
    }
    hash
}

/// Splits `text` into its first line and the rest; neither contains the line end between them.
pub const fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\n' {
            let (line, rest) = text.split_at(at);
            return (line, rest.split_at(1).1);
        }
        at += 1;
    }
    (text, b"")
}

/// Returns whether a line describes the key as a whole, such as its name, instead of a part of its
/// layout.
pub const fn is_head(line: &[u8]) -> bool {
    strip_prefix(line, b"row key ").is_some()
        || strip_prefix(line, b"table ").is_some()
        || strip_prefix(line, b"layout ").is_some()
        || strip_prefix(line, b"fingerprint ").is_some()
}

/// Returns the position of the colon that follows the name at the start of a line.
pub const fn colon(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at + 1 < line.len() {
        if line[at] == b':' && line[at + 1] == b' ' {
            return Some(at);
        }
        at += 1;
    }
    None
}

const fn spaces(line: &[u8]) -> usize {
    let mut count = 0;
    while count < line.len() && line[count] == b' ' {
        count += 1;
    }
    count
}

/// Returns what follows `start` in `text`, or `None` if `text` does not start with it.
pub const fn strip_prefix<'t>(mut text: &'t [u8], mut start: &[u8]) -> Option<&'t [u8]> {
    while let [wanted, more @ ..] = start {
        match text {
            [found, rest @ ..] if *found == *wanted => (text, start) = (rest, more),
            _ => return None,
        }
    }
    Some(text)
}

/// Returns whether `name` is one of `names`, which are separated by a comma and a space.
const fn lists(mut names: &[u8], name: &[u8]) -> bool {
    while !names.is_empty() {
        if let Some(rest) = strip_prefix(names, name)
            && (rest.is_empty() || rest[0] == b',')
        {
            return true;
        }
        while let [first, rest @ ..] = names {
            names = rest;
            if *first == b' ' {
                break;
            }
        }
    }
    false
}

/// The text that precedes the tags of an enum, which are at the end of a line.
pub const TAGS: &[u8] = b", tags = ";

/// Returns `line` without the `display_time` or the `tags` at its end.
pub const fn hashed_part(line: &[u8]) -> &[u8] {
    const DISPLAY: &[u8] = b", display_time = ";
    let mut at = line.len().saturating_sub(DISPLAY.len() + 2);
    while at < line.len() {
        let (front, end) = line.split_at(at);
        if strip_prefix(end, DISPLAY).is_some() {
            return front;
        }
        at += 1;
    }
    split_tags(line).0
}

/// Splits a line before the tags of an enum; the second part is empty if the line has no tags.
///
/// The text that precedes the tags cannot occur inside `chars`, because `chars` contains each
/// character only once.
pub const fn split_tags(line: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < line.len() {
        let (front, end) = line.split_at(at);
        if let Some(tags) = strip_prefix(end, TAGS) {
            return (front, tags);
        }
        at += 1;
    }
    (line, b"")
}

/// Returns a fingerprint as 16 hex digits, as it is written at the end of a schema's text.
pub const fn hex(number: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    let mut i = 0;
    while i < 16 {
        let digit = (number >> (60 - 4 * i)) as u8 & 0x0f;
        digits[i] = if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
        i += 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn names_and_display_do_not_count_and_all_else_does() {
        let one = b"row key A\ntable t: x\nsalt of b, c: buckets = 2\na: u8\nb: i64, display_time = s\n  c: u8\n";
        let same = b"row key X\nlayout 9\nsalt of long, z: buckets = 2\ny: u8, tags = 1:A 2:B\nlong: i64\n  a: u8\nfingerprint 0: 1\n";
        assert_eq!(fingerprint(one), fingerprint(same));
        for other in [
            &b"salt of a, c: buckets = 2\na: u8\nb: i64\n  c: u8\n"[..],
            b"salt of b, c: buckets = 3\na: u8\nb: i64\n  c: u8\n",
            b"salt of b, c: buckets = 2\na: u8\nb: i64\nc: u8\n",
            b"salt of b, c: buckets = 2\na: u8\nb: i64, display_time = s, floor = 3600\n  c: u8\n",
        ] {
            assert_ne!(fingerprint(one), fingerprint(other));
        }
    }
}
