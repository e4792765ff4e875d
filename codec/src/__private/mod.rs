//! What the code of the derives calls; no part of the public interface.

/// The first version: a derive that writes other code calls into another.
pub mod v1;
