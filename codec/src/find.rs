//! Finding a byte, eight at a time: row keys are short, so this beats a vector search.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns where `byte` first stands in `bytes`.
#[inline]
pub(crate) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    let wanted = u64::from(byte) * LOW;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // A byte of `diff` is 0 where the word holds `byte`; the lowest set bit of `zero` marks the
        // first of them.
        let diff = u64::from_le_bytes(*word) ^ wanted;
        let zero = diff.wrapping_sub(LOW) & !diff & HIGH;
        if zero != 0 {
            return Some(index * 8 + zero.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|b| *b == byte)?;
    Some(words.len() * 8 + at)
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
