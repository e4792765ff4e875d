//! Compressed cell blocks: any block comes back as it was, whole chunks and parts of other encoders
//! are read, damaged bytes are refused, and a few bytes never make many.

#[path = "fuzz/compressed.rs"]
mod compressed;

use proptest::prelude::*;
use tallrow_wire::compression::{CLASSES_WITH_FEATURES, Codec};

/// Whether all cases are tried, of full size.
fn thorough() -> bool {
    std::env::var_os("TALLROW_THOROUGH").is_some()
}

fn all() -> Vec<Codec> {
    CLASSES_WITH_FEATURES.iter().map(|(class, _)| Codec::of_class(class).unwrap()).collect()
}

/// Bytes that compress well, badly or not at all.
fn block() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..2_000),
        (any::<u8>(), 0_usize..400_000).prop_map(|(byte, len)| vec![byte; len]),
        (1_usize..300, 0_usize..400_000)
            .prop_map(|(period, len)| (0..len).map(|n| (n % period * 7) as u8).collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_block_comes_back_as_it_was(block in block()) {
        for codec in all() {
            let compressed = codec.compress(&block);
            prop_assert_eq!(compressed.is_empty(), block.is_empty());
            let back = codec.decompress(&compressed, block.len()).unwrap();
            prop_assert!(back == block, "{}", codec.class());
            if !block.is_empty() {
                prop_assert!(codec.decompress(&compressed, block.len() - 1).is_err());
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_decompressed(
        block in block(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        for codec in all() {
            let mut bytes = codec.compress(&block).to_vec();
            for (at, byte) in &changes {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
            }
            bytes.truncate(cut.index(bytes.len() + 1));
            compressed::decompress(&bytes);
        }
    }

    #[test]
    fn any_bytes_are_refused_or_decompressed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        compressed::decompress(&bytes);
    }
}

#[test]
fn a_block_without_its_end_is_refused() {
    let block: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    for codec in all() {
        let compressed = codec.compress(&block);
        for cut in [1, 3, compressed.len() / 2, compressed.len() - 1] {
            let error = codec.decompress(&compressed[..cut], 1 << 20).unwrap_err().to_string();
            assert!(error.contains(codec.class()), "{error}");
        }
    }
}

#[test]
fn a_checksum_that_does_not_fit_is_refused() {
    for class in [0, 3] {
        let codec = Codec::of_class(CLASSES_WITH_FEATURES[class].0).unwrap();
        let mut bytes = codec.compress(&[7; 1_000]).to_vec();
        let at = bytes.len() - if class == 0 { 8 } else { 1 };
        bytes[at] ^= 1;
        assert!(codec.decompress(&bytes, 1 << 20).is_err(), "{}", codec.class());
    }
}

/// A block of two chunks under one length, an empty block, and a block of one chunk: as Java's
/// streams write them.
#[test]
fn blocks_of_several_chunks_are_read() {
    for class in [1, 2] {
        let codec = Codec::of_class(CLASSES_WITH_FEATURES[class].0).unwrap();
        // A chunk with its length follows the length of the block, which is the first 4 bytes.
        let chunk = |raw: &[u8]| codec.compress(raw).slice(4..);
        let mut bytes = 7_u32.to_be_bytes().to_vec();
        bytes.extend_from_slice(&chunk(b"abc"));
        bytes.extend_from_slice(&chunk(b"defg"));
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&codec.compress(b"hi"));
        assert_eq!(codec.decompress(&bytes, 9).unwrap(), "abcdefghi");
        assert!(codec.decompress(&bytes, 8).is_err());
    }
}

/// Lengths that a few bytes state are not believed.
#[test]
fn a_bomb_is_refused_before_it_is_large() {
    let max = 1 << 20;
    for codec in all() {
        let bomb = codec.compress(&vec![0; if thorough() { 64 } else { 4 } * max]);
        let error = codec.decompress(&bomb, max).unwrap_err().to_string();
        assert!(error.contains("more than"), "{error}");
    }
    // Snappy that states 2^32 - 1 bytes, in a block of as many.
    let snappy = Codec::of_class(CLASSES_WITH_FEATURES[2].0).unwrap();
    let stated = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
    assert!(snappy.decompress(&stated, usize::MAX).is_err());
}
