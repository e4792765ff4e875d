//! The compression formats, each behind a feature, as one type that compresses and decompresses.

#[cfg(feature = "compression-gzip")]
use super::gzip;
#[cfg(feature = "compression-lz4")]
use super::lz4;
#[cfg(feature = "compression-snappy")]
use super::snappy;
#[cfg(feature = "compression-zstd")]
use super::zstd;

/// How the bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Deflate, with gzip's header and checksum.
    #[cfg(feature = "compression-gzip")]
    Gzip,
    /// LZ4 without a frame of its own.
    #[cfg(feature = "compression-lz4")]
    Lz4,
    /// Snappy without a frame of its own.
    #[cfg(feature = "compression-snappy")]
    Snappy,
    /// Zstandard.
    #[cfg(feature = "compression-zstd")]
    Zstd,
}

impl Format {
    /// Appends `raw`, compressed, to `out`.
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

    /// Appends the bytes that were compressed, at most `max` of them, to `out`.
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
