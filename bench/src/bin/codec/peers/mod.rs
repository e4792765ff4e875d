//! Other codecs, each called in its fastest way: into a slice or a reused buffer, and with borrowed
//! values if the codec can borrow.

pub(crate) mod foundationdb_tuple;
pub(crate) mod memcomparable;
pub(crate) mod storekey;
pub(crate) mod zerocopy;
