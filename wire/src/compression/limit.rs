//! The error that all formats return for bytes that decompress to more than is allowed.

/// The error of bytes that are longer than allowed when they are decompressed.
pub(super) fn too_long(max: usize) -> String {
    format!("more than {max} bytes when decompressed")
}
