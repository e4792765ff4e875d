//! The block format of Hadoop's `BlockCompressorStream` and `BlockDecompressorStream`.

use super::format::{Format, too_long};

/// The size of a chunk before compression. Java's decompressors have buffers of 256 KiB by default,
/// into which a chunk must fit compressed and decompressed.
const CHUNK_BYTES: usize = 128 << 10;

/// Compresses `raw`, and appends it as blocks of one chunk each.
pub(super) fn compress(format: Format, raw: &[u8], out: &mut Vec<u8>) {
    for chunk in raw.chunks(CHUNK_BYTES) {
        out.extend_from_slice(&(chunk.len() as u32).to_be_bytes());
        let at = out.len();
        out.extend_from_slice(&[0; 4]);
        format.compress(chunk, out);
        let len = (out.len() - at - 4) as u32;
        if let Some(place) = out.get_mut(at..at + 4) {
            place.copy_from_slice(&len.to_be_bytes());
        }
    }
}

/// Decompresses any number of blocks of any number of chunks, and appends their contents.
pub(super) fn decompress(
    format: Format,
    mut rest: &[u8],
    max: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    while !rest.is_empty() {
        let block = int(&mut rest)?;
        let end = out.len().checked_add(block).filter(|end| *end <= max);
        let end = end.ok_or_else(|| too_long(max))?;
        while out.len() < end {
            let len = int(&mut rest)?;
            let (chunk, next) = rest.split_at_checked(len).ok_or_else(|| {
                format!("a chunk of {len} bytes, but only {} are left", rest.len())
            })?;
            rest = next;
            let before = out.len();
            format.decompress(chunk, end - before, out)?;
            if out.len() == before {
                return Err("a chunk without bytes in a block that has more".into());
            }
        }
    }
    Ok(())
}

fn int(rest: &mut &[u8]) -> Result<usize, String> {
    let (int, next) = rest.split_first_chunk::<4>().ok_or("it ends inside a length")?;
    *rest = next;
    Ok(u32::from_be_bytes(*int) as usize)
}
