//! Zstandard, through `ruzstd`: frames one after the other, with a largest window and the checksum
//! compared.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress as compress_frame};

/// The largest window that is allowed: the default of libzstd. Memory is reserved for it.
const MAX_WINDOW: u64 = 128 << 20;

pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
    compress_frame(raw, out, CompressionLevel::Fastest);
}

pub(super) fn decompress(
    mut compressed: &[u8],
    max: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let start = out.len();
    while !compressed.is_empty() {
        let left = max - (out.len() - start);
        let mut frame = StreamingDecoder::new_with_max_window_size(&mut compressed, MAX_WINDOW)
            .map_err(|e| e.to_string())?;
        (&mut frame).take(left as u64 + 1).read_to_end(out).map_err(|e| e.to_string())?;
        if out.len() - start > max {
            return Err(super::limit::too_long(max));
        }
        let frame = frame.into_frame_decoder();
        let stated = frame.get_checksum_from_data();
        if stated.is_some() && stated != frame.get_calculated_checksum() {
            return Err("another checksum than the frame's own".into());
        }
    }
    Ok(())
}
