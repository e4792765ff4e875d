//! The items that generated code calls; not part of the public interface.

/// The first version of these items. A derive that generates different code uses another version.
pub mod v1;
