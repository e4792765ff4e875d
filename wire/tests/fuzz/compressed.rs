//! Any bytes as compressed cell blocks, for the tests and for the fuzz target.

use tallrow_wire::compression::{CLASSES_WITH_FEATURES, Codec};

/// Decompresses bytes by every codec: to at most as many as allowed, or an error.
pub(crate) fn decompress(bytes: &[u8]) {
    const MAX: usize = 1 << 20;
    for (class, _) in CLASSES_WITH_FEATURES {
        let Ok(codec) = Codec::of_class(class) else { continue };
        if let Ok(block) = codec.decompress(bytes, MAX) {
            assert!(block.len() <= MAX);
            let again = codec.decompress(&codec.compress(&block), MAX);
            assert_eq!(again.as_ref(), Ok(&block), "{class}");
        }
    }
}
