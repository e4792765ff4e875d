//! LZ4's block format, through `lz4_flex`; no more memory is allocated than the compressed bytes
//! can fill.

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};

/// A byte of LZ4 stands for at most 255, and the last few bytes for themselves.
const MAX_RATIO: usize = 255;

pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + get_maximum_output_size(raw.len()), 0);
    // There is room for whatever it is compressed to.
    let len = out.get_mut(start..).and_then(|to| compress_into(raw, to).ok()).unwrap_or(0);
    out.truncate(start + len);
}

pub(super) fn decompress(compressed: &[u8], max: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let start = out.len();
    let room = compressed.len().saturating_mul(MAX_RATIO).saturating_add(16).min(max);
    out.resize(start + room, 0);
    let to = out.get_mut(start..).unwrap_or_default();
    let len = decompress_into(compressed, to).map_err(|e| e.to_string())?;
    out.truncate(start + len);
    Ok(())
}
