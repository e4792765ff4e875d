//! The check of a layout against its lock file, while the key is compiled.
//!
//! The layout matches the file if it has the fingerprint in the file, and each line is the same
//! apart from names and spaces at the ends of the line. So a renamed field or an edited line end is
//! not a change, and a file whose lines were edited by hand does not match even if its fingerprint
//! does. The variants of an enum may be renamed and new variants may be added, but each locked tag
//! must still exist; and if the type has a variant with the locked name, that variant must have the
//! locked tag.
//!
//! # Invariants
//!
//! - A lock file fixes a layout, and not its names or spaces. Tests:
//!   `names_hints_and_spaces_are_not_a_change`, `a_locked_variant_keeps_its_tag`,
//!   `codec/tests/packages/lock.rs::a_lock_is_written_and_checked`.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "runs while a key is compiled; what fails here stops the build"
)]

use tallrow_layout::fingerprint::{
    colon, first_line, hashed_part, is_head, split_tags, strip_prefix,
};

/// A line that differs between a lock file and a type, in both versions.
#[derive(Clone, Copy, Debug)]
pub struct ChangedLine {
    /// The line in the file.
    pub locked: &'static [u8],
    /// The line of the type.
    pub now: &'static [u8],
}

impl ChangedLine {
    const fn new(locked: &'static [u8], now: &'static [u8]) -> Self {
        Self { locked: shown(locked), now: shown(now) }
    }
}

/// Returns a line, or `(nothing)` if it is missing.
const fn shown(line: &'static [u8]) -> &'static [u8] {
    if line.is_empty() { b"(nothing)" } else { line }
}

/// Returns the first line in which the layout of a type (`text`) differs from the layout in a lock
/// file (`file`); `None` if the layouts match.
pub const fn find_lock_change(text: &'static [u8], file: &'static [u8]) -> Option<ChangedLine> {
    if let Some(change) = first(text, file, false) {
        return Some(change);
    }
    let (now, locked) = (fingerprint_line(text), fingerprint_line(file));
    if bytes_equal(now, locked) {
        return None;
    }
    // What differs may be a part that only the fingerprint includes: which fields are salted.
    match first(text, file, true) {
        Some(change) => Some(change),
        None => Some(ChangedLine::new(locked, now)),
    }
}

/// Returns the first line that differs: in the layout or, with `names`, in a name too.
const fn first(
    mut text: &'static [u8],
    mut file: &'static [u8],
    names: bool,
) -> Option<ChangedLine> {
    loop {
        let (now, locked);
        (now, text) = next(text);
        (locked, file) = next(file);
        if now.is_empty() && locked.is_empty() {
            return None;
        }
        let same = if names {
            bytes_equal(now, locked)
        } else {
            bytes_equal(without_name(now), without_name(locked))
                && keeps_tags(split_tags(now).1, split_tags(locked).1)
        };
        if !same {
            return Some(ChangedLine::new(locked, now));
        }
    }
}

/// Returns the next line that describes a part of the layout, and the text after that line. At the
/// end of the text, the line is empty.
const fn next(mut text: &'static [u8]) -> (&'static [u8], &'static [u8]) {
    while !text.is_empty() {
        let line;
        (line, text) = first_line(text);
        let line = line.trim_ascii();
        if !line.is_empty() && !is_head(line) {
            return (line, text);
        }
    }
    (b"", b"")
}

/// Returns a line without its name.
const fn without_name(line: &[u8]) -> &[u8] {
    match colon(line) {
        Some(at) => hashed_part(line.split_at(at).1),
        None => line,
    }
}

/// Returns whether the `locked` variants have the same tags in `now`.
const fn keeps_tags(now: &[u8], mut locked: &[u8]) -> bool {
    while !locked.is_empty() {
        let one;
        (one, locked) = word(locked);
        let (tag, name) = split_at_byte(one, b':');
        let (mut has_tag, mut rest) = (false, now);
        while !rest.is_empty() {
            let other;
            (other, rest) = word(rest);
            let (other_tag, other_name) = split_at_byte(other, b':');
            let same_tag = bytes_equal(tag, other_tag);
            if bytes_equal(name, other_name) && !same_tag {
                return false;
            }
            has_tag = has_tag || same_tag;
        }
        if !has_tag {
            return false;
        }
    }
    true
}

/// Splits at the first space, and drops the space.
const fn word(text: &[u8]) -> (&[u8], &[u8]) {
    split_at_byte(text, b' ')
}

/// Splits at the first `byte`, and drops that byte.
const fn split_at_byte(text: &[u8], byte: u8) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == byte {
            let (front, rest) = text.split_at(at);
            return (front, rest.split_at(1).1);
        }
        at += 1;
    }
    (text, b"")
}

/// Returns the last line with a fingerprint.
const fn fingerprint_line(mut text: &'static [u8]) -> &'static [u8] {
    let mut found: &[u8] = b"";
    while !text.is_empty() {
        let line;
        (line, text) = first_line(text);
        let line = line.trim_ascii();
        if strip_prefix(line, b"fingerprint ").is_some() {
            found = line;
        }
    }
    found
}

/// Returns whether `a` and `b` are equal.
pub(crate) const fn bytes_equal(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a, b) {
            ([], []) => return true,
            ([x, more @ ..], [y, rest @ ..]) if *x == *y => (a, b) = (more, rest),
            _ => return false,
        }
    }
}

/// Returns the total length of the parts.
pub const fn concat_len(mut parts: &[&[u8]]) -> usize {
    let mut len = 0;
    while let [first, rest @ ..] = parts {
        len += first.len();
        parts = rest;
    }
    len
}

/// Returns all parts as one text.
pub const fn concat<const N: usize>(mut parts: &[&[u8]]) -> [u8; N] {
    let mut text = [b' '; N];
    let mut at = 0;
    while let [first, rest @ ..] = parts {
        let mut part = *first;
        while let [byte, more @ ..] = part {
            text[at] = *byte;
            at += 1;
            part = more;
        }
        parts = rest;
    }
    text
}

/// Stops the build with a message.
pub const fn panic_layout_changed(message: &[u8]) {
    match core::str::from_utf8(message) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("the layout of a row key is not the one locked, whose file is not text"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::find_lock_change;

    const TEXT: &[u8] = b"row key A\nlayout 2\nsalt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u8\nd: i64, display_time = s\nfingerprint 00000000000000aa\n";

    fn changed(file: &'static str) -> Option<(&'static str, &'static str)> {
        let text = |line| core::str::from_utf8(line).unwrap();
        find_lock_change(TEXT, file.as_bytes())
            .map(|change| (text(change.locked), text(change.now)))
    }

    #[test]
    fn names_hints_and_spaces_are_not_a_change() {
        for file in [
            "row key A\nlayout 2\nsalt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: \
             u8\nd: i64, display_time = s\nfingerprint 00000000000000aa\n",
            "row key X\r\ntable t\r\nsalt of y: buckets = 2, width = 1, hash = fnv1a\r\ny: \
             key\r\n\tz: u8\r\n\r\nd: i64 \r\nfingerprint 00000000000000aa",
        ] {
            assert_eq!(changed(file), None);
        }
    }

    #[test]
    fn a_locked_variant_keeps_its_tag() {
        let line = |tags: &str| format!("a: u8, tags = {tags}\nfingerprint 00000000000000aa\n");
        let changed = |now: &str, locked: &str| {
            let text = |tags| -> &'static [u8] { line(tags).leak().as_bytes() };
            find_lock_change(text(now), text(locked)).is_some()
        };
        for (now, same) in [("1:A 2:B", true), ("2:B 1:A 3:C", true), ("1:A 2:X", true)] {
            assert_eq!(changed(now, "1:A 2:B"), !same, "{now}");
        }
        for now in ["1:A", "1:B 2:A", "1:A 3:B", "10:A 2:B", ""] {
            assert!(changed(now, "1:A 2:B"), "{now}");
        }
        assert!(changed("1:A 2:B", "1:A 2:B 3:C"));
    }

    #[test]
    fn a_change_shows_both_lines() {
        let file = "salt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u16\nd: \
             i64\nfingerprint 00000000000000bb\n";
        assert_eq!(changed(file), Some(("c: u16", "c: u8")));
        let file = "salt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u8\n";
        assert_eq!(changed(file), Some(("(nothing)", "d: i64, display_time = s")));
        // The fields of a salt are in no line of a field.
        let file = "salt of d: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u8\nd: \
             i64\nfingerprint 00000000000000bb\n";
        let now = "salt of b: buckets = 2, width = 1, hash = fnv1a";
        assert_eq!(changed(file), Some(("salt of d: buckets = 2, width = 1, hash = fnv1a", now)));
    }

    #[test]
    fn a_file_that_was_changed_by_hand_does_not_match() {
        let line = "fingerprint 00000000000000aa";
        let file = "salt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u8\nd: \
             i32\nfingerprint 00000000000000aa\n";
        assert_eq!(changed(file), Some(("d: i32", "d: i64, display_time = s")));
        let file = "salt of b: buckets = 2, width = 1, hash = fnv1a\nb: key\n  c: u8\nd: i64, \
             display_time = s\n";
        assert_eq!(changed(file), Some(("(nothing)", line)));
        assert_eq!(changed("[package]\nname = 1\n").unwrap().0, "[package]");
    }
}
