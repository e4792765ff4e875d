//! A search for a byte that compares eight bytes in one step: row keys are short, so this is faster
//! than a vector search.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the first position of `byte` in `bytes`.
#[inline]
pub(crate) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    let Some(last) = bytes.last_chunk::<8>() else { return find_short(byte, bytes) };
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if let Some(at) = in_word(byte, *word) {
            return Some(index * 8 + at);
        }
    }
    // The rest is shorter than a word, so the last eight bytes are searched, some of them again:
    // this costs no branch that depends on the length.
    match rest {
        [] => None,
        _ => Some(bytes.len() - 8 + in_word(byte, *last)?),
    }
}

#[inline]
fn in_word(byte: u8, word: [u8; 8]) -> Option<usize> {
    // A byte of `diff` is 0 where the word holds `byte`; the lowest set bit of `zero` marks the
    // first such byte.
    let diff = u64::from_le_bytes(word) ^ (u64::from(byte) * LOW);
    let zero = diff.wrapping_sub(LOW) & !diff & HIGH;
    (zero != 0).then(|| zero.trailing_zeros() as usize / 8)
}

#[inline]
fn find_short(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|b| *b == byte)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn finds_the_first_at_every_place() {
        for byte in [0x00, 0x01, 0x7f, 0x80, 0xff] {
            let other = byte ^ 0x01;
            for len in 0..40 {
                let mut bytes = alloc::vec![other; len];
                assert_eq!(find(byte, &bytes), None);
                for at in (0..len).rev() {
                    bytes[at] = byte;
                    assert_eq!(find(byte, &bytes), Some(at), "{byte:02x} in {bytes:02x?}");
                }
            }
        }
    }
}
