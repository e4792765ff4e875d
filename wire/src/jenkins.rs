//! The hash from which HBase makes the encoded names of the regions of `hbase:meta`: `lookup3` of
//! Bob Jenkins, in the form that reads bytes in little-endian order (`JenkinsHash`).

/// What the three parts of the state start with, before the length is added.
const SEED: u32 = 0xDEAD_BEEF;

/// The length of a block, in bytes: one word for each part of the state.
const BLOCK: usize = 12;

/// Returns the hash of bytes.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut state = [SEED.wrapping_add(len); 3];
    let mut rest = bytes;
    // The last block is mixed in another way, even if it is a whole one.
    while let Some((block, later)) = rest.split_at_checked(BLOCK).filter(|(_, r)| !r.is_empty()) {
        state = mix(added(state, block));
        rest = later;
    }
    match rest.is_empty() {
        true => state[2],
        false => finish(added(state, rest)),
    }
}

/// Adds the words of a block to the state; bytes that a short block lacks are zero.
fn added([a, b, c]: [u32; 3], block: &[u8]) -> [u32; 3] {
    let word = |n: usize| {
        let bytes = block.iter().skip(4 * n).take(4);
        bytes.rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
    };
    [a.wrapping_add(word(0)), b.wrapping_add(word(1)), c.wrapping_add(word(2))]
}

/// Mixes the state between two blocks. In each step one part changes by the other two, and the
/// parts change places.
fn mix(state: [u32; 3]) -> [u32; 3] {
    [4, 6, 8, 16, 19, 4].into_iter().fold(state, |[a, b, c], by| {
        let a = a.wrapping_sub(c) ^ c.rotate_left(by);
        [b, c.wrapping_add(b), a]
    })
}

/// Mixes the state after the last block into one word.
fn finish(state: [u32; 3]) -> u32 {
    let [_, last, _] = [14, 11, 25, 16, 4, 14, 24].into_iter().fold(state, |[a, b, c], by| {
        let c = (c ^ b).wrapping_sub(b.rotate_left(by));
        [b, c, a]
    });
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes that Bob Jenkins gives with his `lookup3`, and those of names that HBase hashes.
    #[test]
    fn the_hashes_are_those_of_lookup3() {
        assert_eq!(hash(b""), 0xDEAD_BEEF);
        assert_eq!(hash(b"Four score and seven years ago"), 0x1777_0551);
        let absolute = |name: &[u8]| hash(name).cast_signed().unsigned_abs();
        assert_eq!(absolute(b"hbase:meta,,1"), 1_588_230_740);
        assert_eq!(absolute(b"hbase:meta,,1_0003"), 1_072_483_532);
    }
}
