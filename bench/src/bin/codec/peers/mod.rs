//! Other codecs, each called the fastest way it offers: into a slice or a buffer used again, borrowed where it lends.

pub(crate) mod foundationdb_tuple;
pub(crate) mod memcomparable;
pub(crate) mod storekey;
pub(crate) mod zerocopy;
