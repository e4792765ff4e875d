//! Values that meet every edge: built from the bytes 00, 01, 02, 7C, 7F, 80, FE, FF, with all pairs
//! of which one is the beginning of the other.

pub(crate) const EDGES: [u8; 8] = [0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff];

/// All byte strings of at most `most` bytes from the alphabet.
pub(crate) fn strings(most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..most {
        last = last.iter().flat_map(|s| EDGES.map(|b| [&s[..], &[b]].concat())).collect();
        all.extend_from_slice(&last);
    }
    all
}

/// Byte strings of up to two bytes, and longer ones that the marks and widths of encodings could
/// confuse.
pub(crate) fn bytes() -> Vec<Vec<u8>> {
    let mut all = strings(2);
    for long in [
        &[0, 0, 0][..],
        &[0, 0, 1],
        &[0, 0xff, 0],
        &[0, 0xff, 0, 1],
        &[0, 1, 0, 1],
        &[1, 0, 0xff],
        &[0xff, 0, 1],
        &[0xff, 0xff, 0xff],
        &[0xff, 0xff, 0xff, 0xff],
        b"abcd",
        b"abcde",
        b"abcd\0",
    ] {
        all.push(long.to_vec());
    }
    all
}

/// Texts of up to two characters from the alphabet (80, FE and FF as characters whose UTF-8 holds
/// such bytes), and longer ones.
pub(crate) fn texts() -> Vec<String> {
    let chars = ['\0', '\u{1}', '\u{2}', ' ', 'a', '|', '\u{7f}', '\u{80}', '\u{10ffff}'];
    let mut all = vec![String::new()];
    for a in chars {
        all.push(a.into());
        all.extend(chars.map(|b| format!("{a}{b}")));
    }
    for long in
        ["\0\0\0", "\0\u{1}\0\u{1}", "\0a\0", "a\0a", "abc", "abcd", "abcde", "abcd\0", "a b"]
    {
        all.push(long.into());
    }
    all
}

/// Texts of up to four letters and digits.
pub(crate) fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    for a in ["a", "b", "_"] {
        all.push(a.into());
        for b in ["a", "c", "_"] {
            all.push(format!("{a}{b}"));
            all.push(format!("{a}{b}aa"));
            all.push(format!("{a}{b}aaa"));
        }
    }
    all.extend(["A".into(), "a|".into(), "aé".into(), "a\0".into()]);
    all
}

/// Numbers at the edges of their type, and those whose bytes are all, first or last of the
/// alphabet.
macro_rules! numbers {
    ($int:ty) => {{
        const N: usize = size_of::<$int>();
        let mut all = vec![<$int>::MIN, <$int>::MIN + 1, <$int>::MAX - 1, <$int>::MAX];
        all.extend([9, 10, 11, 99, 100]);
        for byte in $crate::values::EDGES {
            let (mut first, mut last) = ([0; N], [0; N]);
            (first[0], last[N - 1]) = (byte, byte);
            all.extend([first, last, [byte; N]].map(<$int>::from_be_bytes));
        }
        all.sort_unstable();
        all.dedup();
        all
    }};
}
pub(crate) use numbers;
