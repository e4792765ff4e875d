//! Snappy's raw format, through `snap`; a stated length that the compressed bytes cannot have is
//! refused before memory is allocated.

use snap::raw::{Decoder, Encoder, decompress_len, max_compress_len};

/// Three bytes of Snappy stand for at most 64.
const MAX_RATIO: usize = 22;

pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + max_compress_len(raw.len()), 0);
    // There is room for whatever it is compressed to.
    let to = out.get_mut(start..);
    let len = to.and_then(|to| Encoder::new().compress(raw, to).ok()).unwrap_or(0);
    out.truncate(start + len);
}

pub(super) fn decompress(compressed: &[u8], max: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let len = decompress_len(compressed).map_err(|e| e.to_string())?;
    if len > max {
        return Err(super::limit::too_long(max));
    }
    if len > compressed.len().saturating_mul(MAX_RATIO) {
        return Err(format!("{} bytes cannot stand for {len}", compressed.len()));
    }
    let start = out.len();
    out.resize(start + len, 0);
    let to = out.get_mut(start..).unwrap_or_default();
    Decoder::new().decompress(compressed, to).map_err(|e| e.to_string())?;
    Ok(())
}
