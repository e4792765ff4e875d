//! The published crates, and which types of other crates the interface of each may use.

/// A published crate, and the types of other crates that its interface may use.
pub(crate) struct Crate {
    pub(crate) package: &'static str,
    pub(crate) features: &'static str,
    /// Crates that are part of its interface on purpose.
    pub(crate) public: &'static [&'static str],
    /// Single types of other crates, each for a reason.
    pub(crate) types: &'static [&'static str],
    /// Crates of this workspace whose types it exports.
    pub(crate) exported: &'static [&'static str],
}

const STANDARD: &[&str] = &["core", "alloc", "std"];

pub(crate) const CRATES: &[Crate] = &[
    Crate {
        package: "tallrow",
        features: "cbor,json,kerberos,mock,testing,uuid",
        public: &["bytes", "futures_core", "serde_core", "tallrow_kerberos", "tallrow_mock"],
        types: &[
            // A custom connector returns any stream.
            "tokio::io::async_read::AsyncRead",
            "tokio::io::async_write::AsyncWrite",
            // The codec `protobuf` stores messages of the user.
            "prost::message::Message",
        ],
        exported: &["tallrow_codec_core"],
    },
    Crate {
        package: "tallrow-codec",
        features: "json,testing,uuid",
        public: &[],
        types: &[],
        exported: &["tallrow_codec_core"],
    },
    Crate {
        package: "tallrow-codec-core",
        features: "json,testing,uuid",
        public: &["uuid"],
        types: &[],
        exported: &[],
    },
    Crate {
        package: "tallrow-kerberos",
        features: "",
        public: &[],
        types: &[
            // What was decrypted is wiped from memory; it is used as the bytes that it holds.
            "zeroize::Zeroizing",
        ],
        exported: &[],
    },
    Crate {
        package: "tallrow-mock",
        features: "",
        public: &["bytes"],
        types: &[
            // The mock serves any stream, and returns pipes.
            "tokio::io::async_read::AsyncRead",
            "tokio::io::async_write::AsyncWrite",
            "tokio::io::util::mem::DuplexStream",
        ],
        exported: &[],
    },
];

impl Crate {
    pub(crate) fn name(&self) -> String {
        self.package.replace('-', "_")
    }

    pub(crate) fn is_public(&self, krate: &str) -> bool {
        STANDARD.contains(&krate) || self.public.contains(&krate)
    }
}
