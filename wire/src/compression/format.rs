//! The compression formats, each behind a feature, as one type that compresses and decompresses.

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Deflate, with gzip's header and checksum.
    #[cfg(feature = "compression-gzip")]
    Gzip,
    /// LZ4 without LZ4's frame format.
    #[cfg(feature = "compression-lz4")]
    Lz4,
    /// Snappy without Snappy's frame format.
    #[cfg(feature = "compression-snappy")]
    Snappy,
    /// Zstandard.
    #[cfg(feature = "compression-zstd")]
    Zstd,
}

impl Format {
    /// Compresses `raw`, and appends the result to `out`.
    #[cfg_attr(
        not(feature = "compression"),
        allow(unused_variables, clippy::ptr_arg, reason = "no format is on")
    )]
    pub(super) fn compress(self, raw: &[u8], out: &mut Vec<u8>) {
        match self {
            #[cfg(feature = "compression-gzip")]
            Self::Gzip => gzip::compress(raw, out),
            #[cfg(feature = "compression-lz4")]
            Self::Lz4 => lz4::compress(raw, out),
            #[cfg(feature = "compression-snappy")]
            Self::Snappy => snappy::compress(raw, out),
            #[cfg(feature = "compression-zstd")]
            Self::Zstd => zstd::compress(raw, out),
        }
    }

    /// Decompresses `compressed`, and appends the result, at most `max` bytes, to `out`.
    #[cfg_attr(
        not(feature = "compression"),
        allow(unused_variables, clippy::ptr_arg, reason = "no format is on")
    )]
    pub(super) fn decompress(
        self,
        compressed: &[u8],
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        match self {
            #[cfg(feature = "compression-gzip")]
            Self::Gzip => gzip::decompress(compressed, max, out),
            #[cfg(feature = "compression-lz4")]
            Self::Lz4 => lz4::decompress(compressed, max, out),
            #[cfg(feature = "compression-snappy")]
            Self::Snappy => snappy::decompress(compressed, max, out),
            #[cfg(feature = "compression-zstd")]
            Self::Zstd => zstd::decompress(compressed, max, out),
        }
    }
}

/// Returns the error for bytes that decompress to more than `max` bytes.
pub(super) fn too_long(max: usize) -> String {
    format!("more than {max} bytes when decompressed")
}

#[cfg(feature = "compression-gzip")]
mod gzip {
    //! gzip, by `flate2`; compressed bytes may be several gzip members in a row.

    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::bufread::MultiGzDecoder;
    use flate2::write::GzEncoder;

    pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
        let mut encoder = GzEncoder::new(out, Compression::fast());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(raw);
        let _ = encoder.finish();
    }

    pub(super) fn decompress(
        compressed: &[u8],
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let start = out.len();
        let mut decoder = MultiGzDecoder::new(compressed).take(max as u64 + 1);
        decoder.read_to_end(out).map_err(|e| e.to_string())?;
        if out.len() - start > max { Err(super::too_long(max)) } else { Ok(()) }
    }
}

#[cfg(feature = "compression-lz4")]
mod lz4 {
    //! LZ4's block format, by `lz4_flex`; no more memory is allocated than the compressed bytes can
    //! fill.

    use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};

    /// One compressed byte of LZ4 decompresses to at most 255 bytes. The last few bytes are
    /// literals, which decompress to themselves.
    const MAX_RATIO: usize = 255;

    pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + get_maximum_output_size(raw.len()), 0);
        // There is room for the longest possible result.
        let len = out.get_mut(start..).and_then(|to| compress_into(raw, to).ok()).unwrap_or(0);
        out.truncate(start + len);
    }

    pub(super) fn decompress(
        compressed: &[u8],
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let start = out.len();
        let room = compressed.len().saturating_mul(MAX_RATIO).saturating_add(16).min(max);
        out.resize(start + room, 0);
        let to = out.get_mut(start..).unwrap_or_default();
        let len = decompress_into(compressed, to).map_err(|e| e.to_string())?;
        out.truncate(start + len);
        Ok(())
    }
}

#[cfg(feature = "compression-snappy")]
mod snappy {
    //! Snappy's raw format, by `snap`; a stated length that the compressed bytes cannot decompress
    //! to is refused before memory is allocated.

    use snap::raw::{Decoder, Encoder, decompress_len, max_compress_len};

    /// Three compressed bytes of Snappy decompress to at most 64 bytes.
    const MAX_RATIO: usize = 22;

    pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + max_compress_len(raw.len()), 0);
        // There is room for the longest possible result.
        let to = out.get_mut(start..);
        let len = to.and_then(|to| Encoder::new().compress(raw, to).ok()).unwrap_or(0);
        out.truncate(start + len);
    }

    pub(super) fn decompress(
        compressed: &[u8],
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let len = decompress_len(compressed).map_err(|e| e.to_string())?;
        if len > max {
            return Err(super::too_long(max));
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
}

#[cfg(feature = "compression-zstd")]
mod zstd {
    //! Zstandard, by `ruzstd`: frames one after the other; their windows are limited, and their
    //! checksums are compared.

    use std::io::Read;

    use ruzstd::decoding::StreamingDecoder;
    use ruzstd::encoding::{CompressionLevel, compress as compress_frame};

    /// The largest allowed window: the default of libzstd. Memory is reserved for the window.
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
                return Err(super::too_long(max));
            }
            let frame = frame.into_frame_decoder();
            let stated = frame.get_checksum_from_data();
            if stated.is_some() && stated != frame.get_calculated_checksum() {
                return Err("another checksum than the frame's own".into());
            }
        }
        Ok(())
    }
}
