//! A crate with strict lints.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]

/// Keys.
pub mod keys {
    use tallrow_codec::RowKey;

    /// A key.
    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(salt(buckets = 8, fields = (tenant)))]
    pub struct Event {
        /// Who.
        pub tenant: u32,
        /// What.
        #[key(escaped)]
        pub name: String,
        /// When.
        #[key(rev_ts)]
        pub at: i64,
    }

    /// A key with names.
    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    pub struct Named {
        /// Where.
        #[key(lookup = "host")]
        pub host: u32,
        /// When.
        pub at: u64,
    }

    /// Keys with names.
    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(shared(host))]
    pub enum NamedRow {
        /// A host.
        #[key(tag = 1)]
        Host {
            /// Where.
            #[key(lookup = "host")]
            host: u32,
        },
        /// An event.
        #[key(tag = 2)]
        Event {
            /// Where.
            #[key(lookup = "host")]
            host: u32,
            /// When.
            at: u64,
        },
    }

    /// A key in parts.
    #[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Pair(pub u16, pub u32);
}

#[test]
fn strict_lints_are_quiet() {
    let pair = keys::Pair(1, 2);
    assert_eq!(pair.encode(), [0, 1, 0, 0, 0, 2]);
    assert_eq!(keys::Pair::decode(&pair.encode()), Ok(pair));
    assert_eq!(keys::Pair::prefix().field_0(1).field_1(2), pair.encode());
    let event = keys::Event { tenant: 1, name: "n".into(), at: 5 };
    assert_eq!(keys::Event::decode(&event.encode()).as_ref(), Ok(&event));
}
