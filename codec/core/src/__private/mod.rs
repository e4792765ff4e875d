//! What generated code calls; not part of the public interface.

/// The first version. A derive that generates different code uses another one.
pub mod v1;
