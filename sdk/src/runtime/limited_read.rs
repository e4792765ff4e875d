//! Reads files and messages up to a limit, whatever length they have or claim to have.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Reads a file that has at most `most` bytes. The file may be a device or a pipe, which do not
/// say how much they contain.
pub(crate) fn read_file(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    match File::open(path)?.take(limit).read_to_end(&mut bytes)? <= most {
        true => Ok(bytes),
        false => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than the {most} bytes that are read; check its name"),
        )),
    }
}

/// Reads a message of a length that the other side has announced. Memory is taken as the bytes
/// arrive, not as they are announced.
pub(crate) async fn read_announced<S>(stream: &mut S, len: u32) -> io::Result<Vec<u8>>
where
    S: AsyncRead + Unpin,
{
    let mut message = Vec::new();
    let read = stream.take(len.into()).read_to_end(&mut message).await?;
    match u32::try_from(read).is_ok_and(|read| read == len) {
        true => Ok(message),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_an_end_is_an_error() {
        let zeros = Path::new("/dev/zero");
        if zeros.exists() {
            let error = read_file(zeros, 1_000).unwrap_err().to_string();
            assert_eq!(error, "it has more than the 1000 bytes that are read; check its name");
        }
        let path = std::env::temp_dir().join(format!("tallrow-limit-{}", std::process::id()));
        std::fs::write(&path, [7; 1_000]).unwrap();
        assert_eq!(read_file(&path, 1_000).unwrap(), [7; 1_000]);
        assert!(read_file(&path, 999).is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn a_message_takes_the_memory_that_arrives() {
        let mut stream = &b"four, and more"[..];
        assert_eq!(read_announced(&mut stream, 4).await.unwrap(), b"four");
        assert_eq!(stream, b", and more");
        let error = read_announced(&mut stream, u32::MAX).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
