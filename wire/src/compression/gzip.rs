//! gzip, through `flate2`; compressed bytes may be several members in a row.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
    let mut encoder = GzEncoder::new(out, Compression::fast());
    // A vector takes all bytes.
    let _ = encoder.write_all(raw);
    let _ = encoder.finish();
}

pub(super) fn decompress(compressed: &[u8], max: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let start = out.len();
    let mut decoder = MultiGzDecoder::new(compressed).take(max as u64 + 1);
    decoder.read_to_end(out).map_err(|e| e.to_string())?;
    if out.len() - start > max { Err(super::limit::too_long(max)) } else { Ok(()) }
}
