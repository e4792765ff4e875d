/// The error of bytes that are longer than allowed when they are decompressed.
pub(super) fn too_long(max: usize) -> String {
    format!("more than {max} bytes when decompressed")
}
