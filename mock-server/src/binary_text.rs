//! Bytes as HBase displays them in texts.

/// Bytes in the notation of `Bytes.toStringBinary`.
pub(crate) fn to_string_binary(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\x5C"),
            b' '..=b'~' => out.push(char::from(*byte)),
            other => out.push_str(&format!("\\x{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_as_the_server_shows_them() {
        assert_eq!(to_string_binary(b"a,\x00\xffz"), "a,\\x00\\xFFz");
    }
}
