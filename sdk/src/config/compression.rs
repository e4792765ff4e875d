//! The codecs that can compress the cells sent between client and servers, and the Hadoop class of
//! each codec.

/// A compression of the cells that are sent between client and servers, for
/// [`Config::compression`](crate::Config::compression).
///
/// Each compression is one of Hadoop's codec classes. The client sends the name of the class when
/// it connects to a region server. The server then compresses the cells of its responses, and the
/// client compresses the cells of its requests. Row keys of reads and the rest of a call are not
/// compressed. Compression saves network traffic and costs processor time on both sides. It is
/// worthwhile between data centres, or for large values that compress well, but rarely on a fast
/// network.
///
/// Each compression needs a feature of this crate, and each but `Gzip` also needs software on the
/// servers:
///
/// | compression | Hadoop's class in `org.apache.hadoop.io.compress` | feature | the servers need |
/// |---|---|---|---|
/// | [`Gzip`](Self::Gzip) | `GzipCodec` | `compression-gzip` | nothing |
/// | [`Snappy`](Self::Snappy) | `SnappyCodec` | `compression-snappy` | Hadoop 3.3 or later, with the `snappy-java` that it comes with; before, its native library |
/// | [`Lz4`](Self::Lz4) | `Lz4Codec` | `compression-lz4` | Hadoop 3.3 or later and `lz4-java`; before, its native library |
/// | [`Zstd`](Self::Zstd) | `ZStandardCodec` | `compression-zstd` | Hadoop's native library |
///
/// A server without the software that the compression needs refuses the connection, or every call
/// with cells. HBase's own classes, which need no native library (`hbase-compression-aircompressor`
/// and its siblings), are set with [`Config::compression_class`](crate::Config::compression_class).
///
/// ```
/// use tallrow::{Client, Compression, Config, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # #[cfg(feature = "compression-gzip")] {
/// let client =
///     Client::connect_with("mock:", Config::new().compression(Compression::Gzip)).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r").cell("d", "text", "again and ".repeat(1_000))).await?;
/// assert_eq!(table.get("r").await?.unwrap().value("d", "text").unwrap().len(), 10_000);
/// # }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Deflate in the gzip format, which Java's own classes implement on every server.
    Gzip,
    /// LZ4, in Hadoop's block format.
    Lz4,
    /// Snappy, in Hadoop's block format.
    Snappy,
    /// Zstandard.
    Zstd,
}

impl Compression {
    /// All compressions, each with its name in settings and its feature.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Gzip, "gzip", "compression-gzip"),
        (Self::Lz4, "lz4", "compression-lz4"),
        (Self::Snappy, "snappy", "compression-snappy"),
        (Self::Zstd, "zstd", "compression-zstd"),
    ];

    /// Returns the name of the class that a short name stands for; the name of a class is returned
    /// unchanged.
    ///
    /// # Errors
    /// No compression has this short name.
    pub(crate) fn class_of(text: &str) -> Result<String, String> {
        let text = text.trim();
        if text.contains('.') {
            return Ok(text.to_owned());
        }
        let find = |(_, name, _): &&(Self, &str, &str)| name.eq_ignore_ascii_case(text);
        let found = Self::ALL.iter().find(find);
        found.map(|(compression, ..)| compression.class().to_owned()).ok_or_else(|| {
            "write gzip, lz4, snappy or zstd, or the name of Hadoop's or HBase's class for one of them".into()
        })
    }

    /// Returns why a class of this name cannot be used.
    pub(crate) fn why_unusable(class: &str, known: &[(&str, &str)]) -> String {
        let feature = known.iter().find(|(name, _)| *name == class).map(|(_, feature)| *feature);
        let Some(feature) = feature else {
            return format!(
                "compression: class {class} is not known; use gzip, lz4, snappy or zstd, or Hadoop's or HBase's class \
                 for one of them"
            );
        };
        let name =
            Self::ALL.iter().find(|(.., its)| *its == feature).map_or("", |(_, name, _)| name);
        format!(
            "compression {name} ({class}) needs the feature {feature:?} of tallrow; add it to Cargo.toml"
        )
    }

    /// The name of Hadoop's class: the value of `hbase.client.rpc.compressor`.
    ///
    /// ```
    /// use tallrow::Compression;
    /// assert_eq!(Compression::Gzip.class(), "org.apache.hadoop.io.compress.GzipCodec");
    /// ```
    pub fn class(self) -> &'static str {
        match self {
            Self::Gzip => "org.apache.hadoop.io.compress.GzipCodec",
            Self::Lz4 => "org.apache.hadoop.io.compress.Lz4Codec",
            Self::Snappy => "org.apache.hadoop.io.compress.SnappyCodec",
            Self::Zstd => "org.apache.hadoop.io.compress.ZStandardCodec",
        }
    }
}
