//! Compressed cell blocks: the codecs that a connection header can name, and the format of their
//! bytes.
//!
//! A client names one of Hadoop's or HBase's codec classes in `cell_block_compressor_class` of the
//! connection header; from then on every cell block of the connection is compressed, in both
//! directions, and `CellBlockMeta` has the compressed length. The messages before the block are not
//! compressed. The classes differ in how they frame the bytes: a plain stream, or Hadoop's blocks
//! (see [`Framing`]).
//!
//! Each format is a feature of this crate: `compression-gzip`, `compression-lz4`,
//! `compression-snappy`, `compression-zstd`. There is a [`Codec`] only for a format whose feature
//! is on.
//!
//! # Invariants
//!
//! - Compressed cells decompress to no more than a frame may have, and memory is allocated only as
//!   far as the compressed bytes justify it. Tests:
//!   `wire/tests/compression.rs::a_bomb_is_refused_before_it_is_large`,
//!   `fuzz/fuzz_targets/compressed.rs`.

mod blocks;
mod format;

use bytes::Bytes;

pub use self::format::Format;
use crate::WireError;

/// The way in which the compressed bytes are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framing {
    /// One stream of the format, or several in a row.
    Stream,
    /// Blocks as Hadoop's `BlockCompressorStream` writes them: the uncompressed length of a block
    /// as `int32`, then chunks until the block is complete, each preceded by its compressed length
    /// as `int32`.
    Blocks,
}

/// A codec class of Hadoop or HBase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Codec {
    class: &'static str,
    format: Format,
    framing: Framing,
}

macro_rules! codecs {
    ($($class:literal, $feature:literal, $format:ident, $framing:ident;)*) => {
        /// The codec classes with a known format, each with the feature of this crate that it
        /// needs.
        pub const CLASSES_WITH_FEATURES: &[(&str, &str)] = &[$(($class, $feature)),*];

        fn find(class: &str) -> Option<Codec> {
            match class {
                $(
                    #[cfg(feature = $feature)]
                    $class => Some(Codec { class: $class, format: Format::$format, framing: Framing::$framing }),
                )*
                _ => None,
            }
        }
    };
}

codecs! {
    "org.apache.hadoop.io.compress.GzipCodec", "compression-gzip", Gzip, Stream;
    "org.apache.hadoop.io.compress.Lz4Codec", "compression-lz4", Lz4, Blocks;
    "org.apache.hadoop.io.compress.SnappyCodec", "compression-snappy", Snappy, Blocks;
    "org.apache.hadoop.io.compress.ZStandardCodec", "compression-zstd", Zstd, Stream;
    "org.apache.hadoop.hbase.io.compress.lz4.Lz4Codec", "compression-lz4", Lz4, Blocks;
    "org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec", "compression-snappy", Snappy, Blocks;
    "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec", "compression-zstd", Zstd, Blocks;
    "org.apache.hadoop.hbase.io.compress.aircompressor.Lz4Codec", "compression-lz4", Lz4, Blocks;
    "org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec", "compression-snappy", Snappy, Blocks;
    "org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec", "compression-zstd", Zstd, Blocks;
}

impl Codec {
    /// Returns the codec of this class.
    ///
    /// ```
    /// use tallrow_wire::compression::Codec;
    ///
    /// let class = "org.apache.hadoop.io.compress.GzipCodec";
    /// assert_eq!(Codec::of_class(class).is_ok(), cfg!(feature = "compression-gzip"));
    /// let error = Codec::of_class("com.example.Lzo").unwrap_err();
    /// assert!(error.to_string().contains("class com.example.Lzo is not known"));
    /// ```
    ///
    /// # Errors
    /// An unknown class, or one whose feature is off. The error text says which.
    pub fn of_class(class: &str) -> Result<Self, WireError> {
        find(class).ok_or_else(|| {
            let known = CLASSES_WITH_FEATURES.iter().find(|(name, _)| *name == class);
            let why = match known {
                Some((_, feature)) => format!("class {class} needs the feature {feature}"),
                None => {
                    let all: Vec<_> = CLASSES_WITH_FEATURES.iter().map(|(name, _)| *name).collect();
                    format!("class {class} is not known; choose one of {}", all.join(", "))
                }
            };
            WireError::new("codec of cell blocks", why)
        })
    }

    /// The name of the class, as it is in the connection header.
    pub fn class(self) -> &'static str {
        self.class
    }

    /// Compresses a cell block. An empty block stays empty, as it is not sent at all.
    ///
    /// ```
    /// # #[cfg(feature = "compression-gzip")] {
    /// use tallrow_wire::compression::Codec;
    ///
    /// let gzip = Codec::of_class("org.apache.hadoop.io.compress.GzipCodec").unwrap();
    /// let compressed = gzip.compress(&[7; 10_000]);
    /// assert!(compressed.len() < 100);
    /// assert_eq!(gzip.decompress(&compressed, 10_000).unwrap(), &[7; 10_000][..]);
    /// assert!(gzip.decompress(&compressed, 9_999).is_err());
    /// # }
    /// ```
    pub fn compress(self, block: &[u8]) -> Bytes {
        let mut out = Vec::new();
        match self.framing {
            _ if block.is_empty() => {}
            Framing::Stream => self.format.compress(block, &mut out),
            Framing::Blocks => blocks::compress(self.format, block, &mut out),
        }
        out.into()
    }

    /// Decompresses a cell block.
    ///
    /// See [`compress`](Self::compress) for an example.
    ///
    /// # Errors
    /// Bytes that are not in the codec's format, are incomplete or have a wrong checksum; or more
    /// than `max` bytes after decompression. Memory is allocated for at most `max` bytes, and only
    /// as far as the compressed bytes justify it.
    pub fn decompress(self, block: &[u8], max: usize) -> Result<Bytes, WireError> {
        let mut out = Vec::new();
        let done = match self.framing {
            _ if block.is_empty() => Ok(()),
            Framing::Stream => self.format.decompress(block, max, &mut out),
            Framing::Blocks => blocks::decompress(self.format, block, max, &mut out),
        };
        let failed =
            |why| WireError::new("compressed cell block", format!("{}: {why}", self.class));
        done.map_err(failed)?;
        Ok(out.into())
    }
}
