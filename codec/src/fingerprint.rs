//! A number that stands for the layout of a row key.
#![expect(
    clippy::indexing_slicing,
    reason = "const code has no `get`; each index is compared with the length"
)]

/// Returns the fingerprint of a schema's text: 64-bit FNV-1a of its lines that have a name and a
/// colon, without the names and the hints.
///
/// Of each such line the spaces in front count, a `*` where the line in front of all fields names it,
/// what follows its name from the colon on, without `, time ..` at the end, and a line end.
pub(crate) const fn fingerprint(text: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut fed: &[u8] = b"";
    let mut rest = text;
    while !rest.is_empty() {
        let line;
        (line, rest) = first_line(rest);
        if is_head(line) {
            continue;
        }
        let Some(colon) = colon(line) else { continue };
        let (front, form) = line.split_at(colon);
        let (indent, name) = front.split_at(spaces(front));
        if let Some(names) = after(name, b"salt of ") {
            fed = names;
        } else if let Some(names) = after(name, b"hash prefix of ") {
            fed = names;
        } else if indent.is_empty() && lists(fed, name) {
            hash = fold(hash, b"*");
        }
        hash = fold(hash, indent);
        hash = fold(hash, without_hint(form));
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

/// Splits behind the first line end, which neither part holds.
pub(crate) const fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
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

/// Says whether a line names the whole key instead of a part of its layout.
pub(crate) const fn is_head(line: &[u8]) -> bool {
    after(line, b"row key ").is_some()
        || after(line, b"table ").is_some()
        || after(line, b"version ").is_some()
        || after(line, b"fingerprint ").is_some()
}

pub(crate) const fn colon(line: &[u8]) -> Option<usize> {
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

pub(crate) const fn after<'t>(mut text: &'t [u8], mut start: &[u8]) -> Option<&'t [u8]> {
    while let [wanted, more @ ..] = start {
        match text {
            [found, rest @ ..] if *found == *wanted => (text, start) = (rest, more),
            _ => return None,
        }
    }
    Some(text)
}

/// Says whether `name` is one of `names`, which a comma and a space separate.
const fn lists(mut names: &[u8], name: &[u8]) -> bool {
    while !names.is_empty() {
        if let Some(rest) = after(names, name)
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

pub(crate) const fn without_hint(form: &[u8]) -> &[u8] {
    let mut at = form.len().saturating_sub(", time ms".len());
    while at < form.len() {
        let (front, end) = form.split_at(at);
        if after(end, b", time ").is_some() {
            return front;
        }
        at += 1;
    }
    form
}

/// Returns the digits in which a schema's text ends.
pub(crate) const fn hex(number: u64) -> [u8; 16] {
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
    fn names_and_hints_do_not_count_and_all_else_does() {
        let one =
            b"row key A\ntable t: x\nsalt of b, c: 2 buckets\na: u8\nb: i64, time s\n  c: u8\n";
        let same = b"row key X\nversion 9\nsalt of long, z: 2 buckets\ny: u8\nlong: i64\n  a: u8\nfingerprint 0: 1\n";
        assert_eq!(fingerprint(one), fingerprint(same));
        for other in [
            &b"salt of a, c: 2 buckets\na: u8\nb: i64\n  c: u8\n"[..],
            b"salt of b, c: 3 buckets\na: u8\nb: i64\n  c: u8\n",
            b"salt of b, c: 2 buckets\na: u8\nb: i64\nc: u8\n",
            b"salt of b, c: 2 buckets\na: u8\nb: i64, time s, floor 3600\n  c: u8\n",
        ] {
            assert_ne!(fingerprint(one), fingerprint(other));
        }
    }
}
