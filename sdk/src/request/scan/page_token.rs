//! The token at the end of a page: a text with which any process can continue the scan.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;

use super::hash::Fnv;
use crate::Error;

/// The first byte of every token: the version of the format of the bytes after it.
const VERSION: u8 = 1;

/// The place at which a [`Page`](crate::Page) ended: the next page starts after it.
///
/// A token is text that is safe in a URL, and is valid in every process and at any later time, also
/// after regions have moved or split. It contains the key of the last row in a form that anyone can
/// read. A token is not signed, but it gives no access to further rows: a scan that resumes with a
/// token still reads only its own ranges. A token is rejected with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if it was cut off or changed, or if the
/// scan differs in its table, key type, range or direction from the scan that made the token.
///
/// ```
/// use tallrow::{Client, ErrorKind, FamilyDescriptor, PageToken, Put, Scan, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// for row in ["a", "b", "c"] {
///     table.put(Put::new(row).cell("d", "q", "v")).await?;
/// }
///
/// let first = table.scan_page(Scan::all(), 2).await?;
/// let link = format!("/rows?page={}", first.next.unwrap());
///
/// // Perhaps another process, on another day.
/// let token: PageToken = link.trim_start_matches("/rows?page=").parse()?;
/// let second = table.scan_page(Scan::all().resume(&token), 2).await?;
/// assert_eq!(second.rows[0].key(), b"c");
/// assert_eq!(second.next, None);
///
/// let other = table.scan_page(Scan::prefix("a").resume(&token), 2).await.unwrap_err();
/// assert_eq!(other.kind(), ErrorKind::InvalidArgument);
/// assert_eq!("nonsense".parse::<PageToken>().unwrap_err().kind(), ErrorKind::InvalidArgument);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PageToken {
    /// The fingerprint of the scan.
    pub(crate) scan: u64,
    /// How many rows all pages up to here contain.
    pub(crate) rows: u64,
    /// The key of the last row of the page.
    pub(crate) row: Bytes,
}

impl PageToken {
    /// Parses a token, or returns what is wrong with it.
    fn parse(text: &str) -> Result<Self, String> {
        const CHANGED: &str = "it was cut or changed";
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| "it is not one")?;
        let Some((version, rest)) = bytes.split_first() else { return Err("it is empty".into()) };
        if *version != VERSION {
            return Err(format!("it has version {version}, and only {VERSION} is known"));
        }
        let (sum, content) = rest.split_first_chunk::<4>().ok_or(CHANGED)?;
        if *sum != checksum(content) {
            return Err(CHANGED.into());
        }
        let (scan, rest) = content.split_first_chunk().ok_or(CHANGED)?;
        let (rows, row) = rest.split_first_chunk().ok_or(CHANGED)?;
        Ok(Self {
            scan: u64::from_be_bytes(*scan),
            rows: u64::from_be_bytes(*rows),
            row: Bytes::copy_from_slice(row),
        })
    }
}

fn checksum(content: &[u8]) -> [u8; 4] {
    let mut hash = Fnv::default();
    hash.add(content);
    let [a, b, c, d, e, f, g, h] = hash.finish().to_be_bytes();
    [a ^ e, b ^ f, c ^ g, d ^ h]
}

impl FromStr for PageToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).map_err(|why| Error::invalid(format!("page token {text:?}: {why}")))
    }
}

impl fmt::Display for PageToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scan, rows) = (self.scan.to_be_bytes(), self.rows.to_be_bytes());
        let content = [&scan[..], &rows, &self.row].concat();
        let bytes = [&[VERSION][..], &checksum(&content), &content].concat();
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl fmt::Debug for PageToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PageToken({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> PageToken {
        PageToken { scan: 0x0123_4567_89ab_cdef, rows: 50, row: Bytes::from_static(b"\x0fuser7|") }
    }

    #[test]
    fn the_text_of_a_token_is_fixed() {
        let text = "AZhRZkMBI0VniavN7wAAAAAAAAAyD3VzZXI3fA";
        assert_eq!(token().to_string(), text);
        assert_eq!(PageToken::parse(text), Ok(token()));
    }

    #[test]
    fn a_token_that_was_cut_or_changed_is_rejected() {
        let text = token().to_string();
        for end in 0..text.len() {
            assert!(PageToken::parse(&text[..end]).is_err(), "cut at {end}");
        }
        for (at, old) in text.char_indices() {
            for new in ['A', 'z', '_', '=', 'é'].into_iter().filter(|new| *new != old) {
                let changed = format!("{}{new}{}", &text[..at], &text[at + 1..]);
                assert!(PageToken::parse(&changed).is_err(), "{changed}");
            }
        }
        assert!(PageToken::parse(&format!("{text}AAAA")).is_err());
    }

    #[test]
    fn a_rejection_says_why() {
        let bytes = |bytes: &[u8]| PageToken::parse(&URL_SAFE_NO_PAD.encode(bytes)).unwrap_err();
        assert_eq!(PageToken::parse("not a token").unwrap_err(), "it is not one");
        assert_eq!(bytes(&[]), "it is empty");
        assert_eq!(bytes(&[2, 0, 0]), "it has version 2, and only 1 is known");
        assert_eq!(bytes(&[1, 0, 0]), "it was cut or changed");
        assert_eq!(bytes(&[1, 0, 0, 0, 0]), "it was cut or changed");
    }
}
